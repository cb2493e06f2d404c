// What most stand-ins for a vendor do alike: read the request, refuse it as a whole, judge its events one by one, and keep
// what was seen of each. A sandbox says the rest as data and checks; one whose vendor works otherwise writes `handle` itself.
import type {
  PlatformSandbox,
  SandboxAnswer,
  SandboxContext,
  SandboxEvent,
  SandboxRequest,
} from './platform-sandbox.ts';
import { type Fields, isDecimal, parse, record } from './reading.ts';

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

/** What a request says, of whatever form it is. */
export interface Call {
  readonly account: string;
  /** The body as a JSON object; undefined when it is none. */
  readonly body: Fields | undefined;
  readonly events: readonly unknown[];
  /** Sent for validation. */
  readonly test: boolean;
}

type Login = readonly [account: string, ...secrets: string[]];
type Judged = Omit<PlatformSandbox, 'handle' | 'login'>;

export interface SandboxDefinition<Refusal> extends Judged {
  /** Which fields of the credentials hold the account and the secret, of the secret the first that is there. */
  readonly login: Login;
  readonly seen: SeenFields;
  readonly read: (request: SandboxRequest) => Call;
  /** Why the request is refused before its events are looked at. */
  readonly refuse: (request: SandboxRequest, call: Call, context: SandboxContext) => SandboxAnswer | null;
  /** Where the answer to a request that is refused as a whole says why; absent: its events are `refused with its batch`. */
  readonly reasonAt?: Place;
  /** Null when the vendor takes the event; what is no object comes as an empty one. */
  readonly refusalOf: (event: Fields, nowMs: number, request: SandboxRequest) => Refusal | null;
  readonly reasonOf: (refusal: Refusal) => string;
  /** To as many events as there are refusals; null = taken. */
  readonly answer: (refusals: readonly (Refusal | null)[], call: Call) => SandboxAnswer;
  /** Whether one bad event keeps the others of its request out. */
  readonly allOrNothing: boolean | ((call: Call) => boolean);
}

export function defineSandbox<Refusal>(definition: SandboxDefinition<Refusal>): PlatformSandbox {
  const { login, seen: fields, read, refuse, reasonAt, ...judging } = definition;
  const { refusalOf, reasonOf, answer, allOrNothing, ...rest } = judging;
  const seen = seenBy(fields);
  return {
    ...rest,
    login: loginBy(login),
    handle: (request, context) => {
      const call = read(request);
      const { account, events, test } = call;
      const whole = refuse(request, call, context);
      if (whole !== null) {
        const said = reasonAt === undefined ? '' : textOf(at(parse(whole.body) ?? {}, reasonAt));
        const reason = said === '' ? WITH_ITS_BATCH : said;
        return { answer: whole, events: events.map((event) => seen(account, event, test, reason)) };
      }
      const refusals = events.map((event) => refusalOf(record(event) ?? {}, context.nowMs, request));
      const isStrict = typeof allOrNothing === 'function' ? allOrNothing(call) : allOrNothing;
      const otherwise = isStrict && refusals.some((refusal) => refusal !== null) ? WITH_ITS_BATCH : undefined;
      const reasons = refusals.map((refusal) => (refusal === null ? otherwise : reasonOf(refusal)));
      return {
        answer: answer(refusals, call),
        events: events.map((event, i) => seen(account, event, test, reasons[i])),
      };
    },
  };
}

const loginBy =
  ([account, ...secrets]: Login): PlatformSandbox['login'] =>
  (credentials) => ({
    account: String(credentials[account]),
    secret: String(secrets.map((name) => credentials[name]).find((secret) => secret !== undefined)),
  });

/** The token of `Authorization: Bearer`; undefined where there is none. */
export const bearerOf = ({ headers }: SandboxRequest): string | undefined =>
  /^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1];

/** The same events, of which the last was not taken. */
export const lastRefused = (events: readonly SandboxEvent[]): readonly SandboxEvent[] =>
  events.map((event, i) =>
    i === events.length - 1 ? { ...event, accepted: false, reason: 'provoked' } : event,
  );
