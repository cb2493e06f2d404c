// The API as pages use it: the typed client, with the session's token, behind one hook for reading and one for changing.
// Guarantees: an answer 401 is followed by one renewal of the token and one repetition; what was refused, not what was done,
// is sent again. A change is sent once, however often its button is pressed while it runs.
import { QueryClient, useMutation, useQuery } from '@tanstack/react-query';
import { createContext, useContext, useRef } from 'react';
import { ApiError, type Client, createClient } from '#lib/client/client.ts';
import { createHelpdeskClient, type HelpdeskClient } from '#lib/client/helpdesk-client.ts';
import type { Session } from './session/session.ts';

export type { Client } from '#lib/client/client.ts';

export interface Api {
  readonly client: Client;
  readonly helpdesk: HelpdeskClient;
  readonly session: Session;
}

export function createApi(session: Session): Api {
  const common = {
    token: () => session.token(),
    fetch: ((url, init) => askTwice(session, String(url), init ?? {})) as typeof fetch,
  };
  return {
    client: createClient({ ingestionUrl: '', apiUrl: '', ...common }),
    helpdesk: createHelpdeskClient({ helpdeskUrl: '', ...common }),
    session,
  };
}

async function askTwice(session: Session, url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  if (response.status !== 401) return response;
  const headers = new Headers(init.headers);
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

interface AskOptions {
  /** 0: once. */
  readonly everyMs?: number;
  readonly enabled?: boolean;
  /** The last answer stays while another one is fetched for other filters. */
  readonly keep?: boolean;
}

type Answer<T> = Promise<{ readonly body: T }>;

export function useAsk<T>(
  key: readonly unknown[],
  ask: (client: Client, signal: AbortSignal, helpdesk: HelpdeskClient) => Answer<T>,
  { everyMs = 0, enabled = true, keep = false }: AskOptions = {},
) {
  const { client, helpdesk } = useApi();
  return useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => (await ask(client, signal, helpdesk)).body,
    enabled,
    refetchInterval: everyMs === 0 ? false : everyMs,
    ...(keep ? { placeholderData: (before: T | undefined) => before as never } : {}),
  });
}

/** `change` runs once at a time; a press while it runs does nothing. */
export function useChange<In, Out>(
  change: (client: Client, input: In, helpdesk: HelpdeskClient) => Promise<Out>,
) {
  const { client, helpdesk } = useApi();
  // Not the state: two presses may come before the page is drawn again.
  const isRunning = useRef(false);
  const mutation = useMutation({
    mutationFn: (input: In) => change(client, input, helpdesk),
    gcTime: 0,
    onSettled: () => {
      isRunning.current = false;
    },
  });
  return {
    ...mutation,
    send: (input: In, then?: (out: Out) => void): void => {
      if (isRunning.current) return;
      isRunning.current = true;
      mutation.mutate(input, then === undefined ? {} : { onSuccess: then });
    },
  };
}

/**
 * A change under an Idempotency-Key, which stays until it was answered: pressing again after a lost answer repeats the
 * same request. `wishOf` distinguishes inputs.
 */
export function useKeyedChange<In, Out>(
  change: (client: Client, input: In, key: string) => Promise<Out>,
  wishOf: (input: In) => string = JSON.stringify,
) {
  const held = useRef<{ readonly wish: string; readonly key: string } | null>(null);
  return useChange(async (client, input: In) => {
    const wish = wishOf(input);
    if (held.current?.wish !== wish) held.current = { wish, key: crypto.randomUUID() };
    try {
      const out = await change(client, input, held.current.key);
      held.current = null;
      return out;
    } catch (error) {
      if (isRefusal(error)) held.current = null;
      throw error;
    }
  });
}

/** It was answered, and for good: the answer is kept under its key. */
const isRefusal = (error: unknown): boolean =>
  error instanceof ApiError &&
  error.status >= 400 &&
  error.status < 500 &&
  error.status !== 429 &&
  error.code !== 'idempotency_key_in_use';
