// What most stand-ins for a vendor do alike: find the account, check the login, refuse the request as a whole, judge its events
// one by one, and keep what was seen of each. A sandbox says the rest as data and checks; one whose vendor works otherwise writes
// `handle` itself.
import type { EventName } from '#lib/events/domain/event/names.ts';
import type {
  PlatformSandbox,
  SandboxAnswer,
  SandboxContext,
  SandboxEvent,
  SandboxRequest,
} from './platform-sandbox.ts';
import { type Fields, isDecimal, listOf, parse, record } from './reading.ts';
import { type TokenEndpoint, tokenAnswer } from './token-endpoint.ts';

/** Why an event is refused that has nothing wrong in itself. */
export const WITH_ITS_BATCH = 'refused with its batch';

/** Where an event says something: a path as `custom_data.value`, or how to find it. */
type Place = string | ((event: Fields) => unknown);

export interface SeenFields {
  readonly name: Place;
  readonly id: Place;
  readonly value: Place;
  readonly currency: Place;
  /**
   * What the vendor tells events apart by, the id last; absent: account, name and id. Undefined, or an empty id: this event is not
   * deduplicated.
   */
  readonly key?: (event: Fields, said: Said) => readonly unknown[] | undefined;
}

type Said = Pick<SandboxEvent, 'account' | 'eventName' | 'eventId'>;

/** An event as the vendor saw it; `reason` is given where it was refused. */
export function seenBy({ name, id, value, currency, key }: SeenFields) {
  return (account: string, payload: unknown, test: boolean, reason?: string): SandboxEvent => {
    const event = record(payload) ?? {};
    const said = { account, eventName: String(at(event, name) ?? ''), eventId: textOf(at(event, id)) };
    const parts = (key === undefined ? Object.values(said) : key(event, said)) ?? [];
    const dedupeKey = textOf(parts.at(-1)) === '' ? '' : parts.join('\n');
    const [amount, code] = [amountOf(at(event, value)), textOf(at(event, currency))];
    return {
      ...said,
      test,
      accepted: reason === undefined,
      ...(reason === undefined ? {} : { reason }),
      ...(dedupeKey === '' ? {} : { dedupeKey }),
      ...(amount === undefined ? {} : { value: amount }),
      ...(code === '' ? {} : { currency: code }),
      payload,
    };
  };
}

const amountOf = (value: unknown): number | undefined =>
  typeof value === 'string' && isDecimal(value)
    ? Number(value)
    : typeof value === 'number'
      ? value
      : undefined;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const at = (event: Fields, place: Place): unknown =>
  typeof place === 'function'
    ? place(event)
    : place.split('.').reduce<unknown>((value, key) => record(value)?.[key], event);

/** A request that was found to be one for events. */
export interface Call {
  readonly request: SandboxRequest;
  readonly context: SandboxContext;
  readonly account: string;
  /** Empty where the body is no JSON object. */
  readonly body: Fields;
  readonly events: readonly unknown[];
  /** Sent for validation. */
  readonly isTest: boolean;
}

type Provoked = PlatformSandbox['provoked'];
type Login = readonly [account: string, ...secrets: string[]];

/** How the vendor refuses a request, in the order in which it looks. */
export interface RequestRefusals {
  readonly noRoute: SandboxAnswer;
  /** Absent: as a wrong secret. */
  readonly noToken?: SandboxAnswer;
  readonly noJson: SandboxAnswer;
  readonly wrongSecret: SandboxAnswer;
  /** Absent: as a wrong secret. */
  readonly unknownAccount?: (account: string) => SandboxAnswer;
  readonly noEvents: SandboxAnswer;
  readonly tooManyEvents: SandboxAnswer;
}

export interface SandboxDefinition<Refusal> extends Omit<PlatformSandbox, 'handle' | 'login' | 'provoked'> {
  /** Which fields of the credentials hold the account and the secret, of the secret the first that is there. */
  readonly login: Login | PlatformSandbox['login'];
  readonly seen: SeenFields;
  /** The one path that takes events, by POST. Its first group is the account, unless `account` says otherwise. */
  readonly path: RegExp;
  readonly account?: (request: SandboxRequest, body: Fields) => unknown;
  /** Where the body has its events. */
  readonly events: Place;
  readonly eventsMax: number;
  readonly isTest?: (request: SandboxRequest, body: Fields) => boolean;
  /** Where access tokens come from; absent: credentials hold one. Its hosts are added to `hosts`. */
  readonly tokens?: TokenEndpoint;
  /** What the vendor answers where it is asked for something, not sent events; null: it is no such request. */
  readonly asked?: (request: SandboxRequest, context: SandboxContext) => SandboxAnswer | null;
  /** The secret of the request; undefined or empty where it has none. */
  readonly secret: (call: Call) => string | undefined;
  readonly refusals: RequestRefusals;
  /** `unauthorized` absent: as a wrong secret. */
  readonly provoked: Pick<Provoked, 'throttled' | 'unavailable'> & Partial<Provoked>;
  /** Another path, which takes deletions of people by POST: what is wrong with one, null = taken, and what is answered. */
  readonly deletions?: {
    readonly path: RegExp;
    readonly account?: (request: SandboxRequest) => unknown;
    readonly refuse: (call: Call) => SandboxAnswer | null;
    readonly answer: SandboxAnswer;
  };
  /** Why else the request is refused before its events are looked at. */
  readonly refuse?: (call: Call) => SandboxAnswer | null;
  /** Where the answer to a request that is refused as a whole says why; absent: its events are `refused with its batch`. */
  readonly reasonAt?: Place;
  /** Null when the vendor takes the event; what is no object comes as an empty one. */
  readonly refusalOf: (event: Fields, call: Call, index: number) => Refusal | null;
  readonly reasonOf: (refusal: Refusal) => string;
  /** To as many events as there are refusals; null = taken. */
  readonly answer: (refusals: readonly (Refusal | null)[], call: Call) => SandboxAnswer;
  /** Whether one bad event keeps the others of its request out. */
  readonly allOrNothing: boolean | ((call: Call) => boolean);
}

export function defineSandbox<Refusal>(definition: SandboxDefinition<Refusal>): PlatformSandbox {
  const { slug, hosts, dedupeWindowSec, login, tokens, nameOf, provoked, partial, wrongCounts } = definition;
  const { acknowledgesByStatus, appLogin, claims } = definition;
  return {
    slug,
    hosts: [...hosts, ...(tokens?.hosts ?? [])],
    dedupeWindowSec,
    ...(acknowledgesByStatus === undefined ? {} : { acknowledgesByStatus }),
    login: typeof login === 'function' ? login : loginBy(login),
    ...(appLogin === undefined ? {} : { appLogin }),
    ...(claims === undefined ? {} : { claims }),
    ...(nameOf === undefined ? {} : { nameOf }),
    handle: (request, context) => {
      const answer =
        tokens?.hosts.includes(request.host) === true && tokens.path === request.path
          ? tokenAnswer(request, context, tokens.lifetimeSec)
          : definition.asked?.(request, context);
      return answer == null ? judge(definition, request, context) : { answer, events: [] };
    },
    provoked: { unauthorized: definition.refusals.wrongSecret, ...provoked },
    ...(partial === undefined ? {} : { partial }),
    ...(wrongCounts === undefined ? {} : { wrongCounts }),
  };
}

function judge<Refusal>(
  definition: SandboxDefinition<Refusal>,
  request: SandboxRequest,
  context: SandboxContext,
) {
  const { reasonAt, refusalOf, reasonOf, answer, allOrNothing } = definition;
  if (definition.deletions?.path.test(request.path) === true)
    return judgeDeletion({ ...definition, ...definition.deletions }, request, context);
  const seen = seenBy(definition.seen);
  const call = callOf(definition, request, context);
  const { account, events, isTest } = call;
  const whole = requestRefusal(definition, call);
  if (whole !== null) {
    const said = reasonAt === undefined ? '' : textOf(at(parse(whole.body) ?? {}, reasonAt));
    const reason = said === '' ? WITH_ITS_BATCH : said;
    return { answer: whole, events: events.map((event) => seen(account, event, isTest, reason)) };
  }
  const refusals = events.map((event, i) => refusalOf(record(event) ?? {}, call, i));
  const isStrict = typeof allOrNothing === 'function' ? allOrNothing(call) : allOrNothing;
  const otherwise = isStrict && refusals.some((refusal) => refusal !== null) ? WITH_ITS_BATCH : undefined;
  const reasons = refusals.map((refusal) => (refusal === null ? otherwise : reasonOf(refusal)));
  return {
    answer: answer(refusals, call),
    events: events.map((event, i) => seen(account, event, isTest, reasons[i])),
  };
}

function judgeDeletion<Refusal>(
  definition: Omit<SandboxDefinition<Refusal>, 'answer'> & { readonly answer: SandboxAnswer },
  request: SandboxRequest,
  context: SandboxContext,
) {
  // The body as a whole is what is judged.
  const call = { ...callOf({ ...definition, events: () => [null] }, request, context), events: [null] };
  const refused = requestRefusal(definition, call);
  const event: SandboxEvent = {
    account: call.account,
    eventName: '',
    eventId: '',
    test: false,
    deletes: true,
    accepted: refused === null,
    ...(refused === null ? {} : { reason: 'refused' }),
    payload: call.body,
  };
  return { answer: refused ?? definition.answer, events: [event] };
}

function callOf<Refusal>(
  definition: Pick<SandboxDefinition<Refusal>, 'path' | 'account' | 'events' | 'isTest'>,
  request: SandboxRequest,
  context: SandboxContext,
): Call {
  const { path, account, events, isTest } = definition;
  const body = parse(request.body) ?? {};
  const named = account === undefined ? path.exec(request.path)?.[1] : account(request, body);
  return {
    request,
    context,
    account: textOf(named),
    body,
    events: listOf(at(body, events)),
    isTest: isTest?.(request, body) ?? false,
  };
}

function requestRefusal<Refusal>(
  {
    hosts,
    path,
    secret,
    eventsMax,
    refusals,
    refuse,
  }: Pick<SandboxDefinition<Refusal>, 'hosts' | 'path' | 'secret' | 'eventsMax' | 'refusals' | 'refuse'>,
  call: Call,
): SandboxAnswer | null {
  const { request, context, account, events } = call;
  const { noRoute, wrongSecret, noToken = wrongSecret, unknownAccount = () => wrongSecret } = refusals;
  if (!hosts.includes(request.host) || !path.test(request.path) || request.method !== 'POST') return noRoute;
  const given = secret(call);
  if (given === undefined || given === '') return noToken;
  if (parse(request.body) === undefined) return refusals.noJson;
  const login = context.check(account, given);
  if (login === 'wrong_secret') return wrongSecret;
  if (login === 'unknown_account') return unknownAccount(account);
  const refused = refuse?.(call) ?? null;
  if (refused !== null) return refused;
  if (events.length === 0) return refusals.noEvents;
  return events.length > eventsMax ? refusals.tooManyEvents : null;
}

const loginBy =
  ([account, ...secrets]: Login): PlatformSandbox['login'] =>
  (credentials) => ({
    account: String(credentials[account]),
    secret: String(secrets.map((name) => credentials[name]).find((secret) => secret !== undefined)),
  });

/** The token of `Authorization: Bearer`; undefined where there is none. */
export const bearerOf = ({ request: { headers } }: Pick<Call, 'request'>): string | undefined =>
  /^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1];

/** The name of an event where connections carry an id of each. */
export const nameByEventId = ({ event_ids }: Fields, name: EventName): string =>
  String(record(event_ids)?.[name]);

/** The ids of events that the connection of this account carries, where the host knows them. */
export function eventIdsOf({ context, account }: Call): ReadonlySet<unknown> | undefined {
  const ids = record(context.credentialsOf?.(account)?.event_ids);
  return ids === undefined ? undefined : new Set(Object.values(ids));
}

/** The same events, of which the last was not taken. */
export const lastRefused = (events: readonly SandboxEvent[]): readonly SandboxEvent[] =>
  events.map((event, i) =>
    i === events.length - 1 ? { ...event, accepted: false, reason: 'provoked' } : event,
  );
