// The API as pages use it: the typed client, with the session's token, behind one hook for reading and one for changing.
// Guarantees: an answer 401 is followed by one renewal of the token and one repetition; what was refused, not what was done,
// is sent again. A change is sent once, however often its button is pressed while it runs.
import { QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, useContext, useRef } from 'react';
import { ApiError, type CallOptions, type Client, createClient } from '#lib/client/client.ts';
import { createHelpdeskClient, type HelpdeskClient } from '#lib/client/helpdesk-client.ts';
import type { Session } from './session/session.ts';
import { currentShop } from './shop.ts';

type Call = (...args: never[]) => Promise<unknown>;
type InputOf<C, Op extends keyof C> = Parameters<Extract<C[Op], Call>>[0];
type BodyOf<C, Op extends keyof C> = Extract<
  Awaited<ReturnType<Extract<C[Op], Call>>>,
  { readonly body: unknown }
>['body'];
/** The operations that answer a body, and no stream. */
type Asked<C> = {
  [Op in keyof C]: C[Op] extends (...args: never[]) => Promise<{ readonly body: unknown }> ? Op : never;
}[keyof C];
type Calls<C> = {
  readonly [Op in Asked<C>]: (
    input: InputOf<C, Op>,
    options: CallOptions,
  ) => Promise<{ readonly body: BodyOf<C, Op> }>;
};

/** The body that an operation answers, and what it takes: of the events API, and of the helpdesk's. */
export type Answer<Op extends keyof Client> = BodyOf<Client, Op>;
export type Input<Op extends keyof Client> = NonNullable<InputOf<Client, Op>>;
export type HelpdeskAnswer<Op extends keyof HelpdeskClient> = BodyOf<HelpdeskClient, Op>;
export type HelpdeskInput<Op extends keyof HelpdeskClient> = NonNullable<InputOf<HelpdeskClient, Op>>;

export interface Api {
  readonly client: Client;
  readonly helpdesk: HelpdeskClient;
  readonly session: Session;
}

export function createApi(session: Session): Api {
  const common = {
    token: () => session.token(),
    fetch: ((url, init) => fetchWithRenewedToken(session, String(url), init ?? {})) as typeof fetch,
  };
  return {
    client: createClient({ ingestionUrl: '', apiUrl: '', ...common }),
    helpdesk: createHelpdeskClient({ helpdeskUrl: '', ...common }),
    session,
  };
}

async function fetchWithRenewedToken(session: Session, url: string, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers);
  const shop = currentShop();
  if (shop !== null) headers.set('millrace-merchant', shop);
  const response = await fetch(url, { ...init, headers });
  if (response.status !== 401) return response;
  const token = await session.renew(headers.get('authorization')?.slice('Bearer '.length) ?? '');
  if (token === null) return response;
  headers.set('authorization', `Bearer ${token}`);
  return await fetch(url, { ...init, headers });
}

export const createQueries = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      // Whether it helps to ask again, the reader decides: a failure says when.
      queries: {
        retry: false,
        staleTime: 10_000,
        refetchOnWindowFocus: true,
        refetchOnReconnect: true,
        networkMode: 'always',
      },
      // By default, what is pressed without a line waits for one, and goes out whenever there is one again.
      mutations: { retry: false, networkMode: 'always' },
    },
  });

export const ApiContext = createContext<Api | null>(null);

export function useApi(): Api {
  const api = useContext(ApiContext);
  if (api === null) throw new Error('outside the app');
  return api;
}

interface AskOptions<T> {
  /** Asked again after so long; 0: never. */
  readonly everyMs?: number | ((known: T | undefined) => number);
  readonly enabled?: boolean;
  /** The last answer stays while another one is fetched for other filters. */
  readonly keep?: boolean;
}

/** An operation of the events API; its answer is stored under the operation and its input. */
export function useAsk<Op extends Asked<Client>>(
  operation: Op,
  input: InputOf<Client, Op>,
  options?: AskOptions<Answer<Op>>,
) {
  const calls: Calls<Client> = useApi().client;
  return useRequest([operation, input], (signal) => calls[operation](input, { signal }), options);
}

export function useHelpdesk<Op extends Asked<HelpdeskClient>>(
  operation: Op,
  input: InputOf<HelpdeskClient, Op>,
  options?: AskOptions<HelpdeskAnswer<Op>>,
) {
  const calls: Calls<HelpdeskClient> = useApi().helpdesk;
  return useRequest([operation, input], (signal) => calls[operation](input, { signal }), options);
}

/** For what is more than one operation, or is not stored under its input. */
export function useRequest<T>(
  key: readonly unknown[],
  ask: (signal: AbortSignal) => Promise<{ readonly body: T }>,
  { everyMs = 0, enabled = true, keep = false }: AskOptions<T> = {},
) {
  return useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => (await ask(signal)).body,
    enabled,
    refetchInterval: ({ state }) => (typeof everyMs === 'number' ? everyMs : everyMs(state.data)) || false,
    ...(keep ? { placeholderData: (before: T | undefined) => before as never } : {}),
  });
}

interface ChangeOptions<Out> {
  /** Operations whose answers are old after it. */
  readonly refresh?: readonly (keyof Client | keyof HelpdeskClient)[];
  /** Not called once what asked for the change is no longer shown. */
  readonly done?: (out: Out) => void;
}

/** Asks again for the answers of operations. */
export function useRefresh(): (operations: NonNullable<ChangeOptions<never>['refresh']>) => Promise<unknown> {
  const queries = useQueryClient();
  return (operations) =>
    Promise.all(operations.map((operation) => queries.invalidateQueries({ queryKey: [operation] })));
}

/** `change` runs once at a time; a press while it runs does nothing. */
export function useChange<In = void, Out = unknown>(
  change: (api: Api, input: In) => Promise<Out>,
  { refresh = [], done }: ChangeOptions<Out> = {},
) {
  const api = useApi();
  const refreshed = useRefresh();
  // Not the state: two presses may come before the page is drawn again.
  const isRunning = useRef(false);
  const mutation = useMutation({
    mutationFn: (input: In) => change(api, input),
    gcTime: 0,
    onSuccess: () => void refreshed(refresh),
    onSettled: () => {
      isRunning.current = false;
    },
  });
  return {
    ...mutation,
    send: (input: In, then?: (out: Out) => void): void => {
      if (isRunning.current) return;
      isRunning.current = true;
      mutation.mutate(input, {
        onSuccess: (out) => {
          done?.(out);
          then?.(out);
        },
      });
    },
  };
}

export interface KeyHeaders {
  readonly 'idempotency-key': string;
}

/**
 * A change under an Idempotency-Key, which stays until it was answered: pressing again after a lost answer repeats the
 * same request. `wishOf` distinguishes inputs.
 */
export function useKeyedChange<In = void, Out = unknown>(
  change: (api: Api, input: In, headers: KeyHeaders) => Promise<Out>,
  {
    wishOf = JSON.stringify,
    ...options
  }: ChangeOptions<Out> & { readonly wishOf?: (input: In) => string } = {},
) {
  const held = useRef<{ readonly wish: string; readonly key: string } | null>(null);
  return useChange(async (api, input: In) => {
    const wish = wishOf(input);
    if (held.current?.wish !== wish) held.current = { wish, key: crypto.randomUUID() };
    try {
      const out = await change(api, input, { 'idempotency-key': held.current.key });
      held.current = null;
      return out;
    } catch (error) {
      if (isRefusal(error)) held.current = null;
      throw error;
    }
  }, options);
}

/** It was answered, and for good: the answer is kept under its key. */
const isRefusal = (error: unknown): boolean =>
  error instanceof ApiError &&
  error.status >= 400 &&
  error.status < 500 &&
  error.status !== 429 &&
  error.code !== 'idempotency_key_in_use';
