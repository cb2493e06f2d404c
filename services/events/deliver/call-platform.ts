// One platform call for many events, and the search for the culprits when the platform refuses a whole batch.
// Guarantees: exactly one outcome per event, in order; k bad events among n cost about 2k·log2(n/k) calls, and after
// REFUSALS_MAX lone refusals the connection is at fault, not the events. If a platform's code throws for one event,
// that event has used one attempt, and the others are not affected.

import type { Clock, Random } from '#lib/core/ports/clock.ts';
import type { Transport } from '#lib/core/ports/transport.ts';
import { versionOf } from '#lib/events/domain/connections/api-version.ts';
import { PlatformDefect } from '#lib/events/domain/connections/platform-defect.ts';
import type { Outcome } from '#lib/events/domain/deliveries/delivery.ts';
import type { AttemptFacts } from '#lib/events/domain/deliveries/transition.ts';
import type { OutgoingEvent } from '#lib/events/domain/privacy/outgoing-event.ts';
import type { Tokens } from '#lib/events/pipeline/connections/access-tokens.ts';
import { callConnection } from '#lib/events/pipeline/connections/call-connection.ts';
import type { OpenConnection } from '#lib/events/pipeline/connections/open-connection.ts';
import { withoutQuotes } from '#lib/events/pipeline/quoted-values.ts';
import type { HttpRequest, Platform } from '#lib/events/platforms/platform.ts';
import type { SentCall } from '#lib/events/ports/delivery-signals.ts';
import { deprecationIn } from './deprecation.ts';
import type { DeliverPorts } from './ports.ts';

export const REFUSALS_MAX = 64;
/** Code of an attempt that was not made, because the platform's code threw. */
export const PLATFORM_DEFECT = 'platform_defect';
/** Code of an attempt that may have arrived, whose answer made the platform's code throw. */
export const ANSWER_DEFECT = 'answer_defect';

type SentFacts = Pick<SentCall, 'bytes' | 'deprecation'>;

export interface CallPorts {
  readonly transport: Transport;
  readonly clock: Clock;
  /** Called for every call, for the breaker. */
  readonly onCall: (outcomes: readonly Outcome[], facts: AttemptFacts, sent: SentFacts) => void;
  /** No call starts after this, because the function's time is limited. */
  readonly deadlineMs: number;
  /** Random text, new for every call. */
  readonly nonce: () => string;
  readonly accessToken?: string;
  /** Of the platform's API. */
  readonly version: string;
  /** Headers besides those of the platform. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Called when the platform's own code failed. */
  readonly onDefect: (defect: PlatformDefect) => void;
}

export interface CallResult {
  readonly outcome: Outcome;
  readonly facts: AttemptFacts;
}

/** 104 random bits: unique in practice. */
const nonceOf = (random: Pick<Random, 'next'>): string =>
  [random.next(), random.next()].map((draw) => Math.floor(draw * 2 ** 52).toString(36)).join('');

/** What a request needs of the job that sends it. */
interface Through {
  readonly platform: Platform;
  readonly open: OpenConnection;
  readonly deadlineMs: number;
  readonly tokens: Tokens;
  readonly ports: Pick<DeliverPorts, 'transport' | 'clock' | 'random' | 'report'>;
}

/** `events`: 1..batchSizeMax sendable events of one group. Or why no token could be had that they need. */
export const callPlatform = (
  events: readonly OutgoingEvent[],
  { platform, open, deadlineMs, tokens, ports: { transport, clock, random, report } }: Through,
  more: Pick<CallPorts, 'onCall' | 'headers'>,
) =>
  callConnection(
    open,
    platform,
    tokens,
    (accessToken) =>
      call(
        platform,
        open.credentials,
        events,
        {
          ...{ transport, clock, deadlineMs, ...more },
          nonce: () => nonceOf(random),
          version: versionOf(platform, open.connection).version,
          onDefect: (defect) => report(defect.message, defect),
          ...(accessToken === undefined ? {} : { accessToken }),
        },
        { refusals: 0 },
      ),
    (results) => results.every(({ outcome }) => outcome.kind === 'auth'),
    events,
  );

async function call(
  platform: Platform,
  credentials: unknown,
  events: readonly OutgoingEvent[],
  ports: CallPorts,
  budget: { refusals: number },
): Promise<CallResult[]> {
  if (budget.refusals >= REFUSALS_MAX)
    return events.map(() => givenUp('too_many_refusals', ports.clock.now()));
  if (ports.clock.now() > ports.deadlineMs)
    return events.map(() => givenUp('out_of_time', ports.clock.now()));
  const request = build(platform, credentials, events, ports);
  if (request instanceof PlatformDefect) {
    ports.onDefect(request);
    if (events.length > 1) return await withoutCulprits(platform, credentials, events, ports, budget);
    return [defective(ports.clock.now())];
  }
  if (events.length > 1 && Buffer.byteLength(request.body) > platform.limits.bodySizeMaxBytes)
    return await halves(platform, credentials, events, ports, budget);

  const atMs = ports.clock.now();
  const result = await ports.transport.send(request, { timeoutMs: platform.limits.timeoutMs });
  const outcomes = withoutQuotes(read(platform, result, events, ports), events);
  const facts: AttemptFacts = {
    atMs,
    latencyMs: result.latencyMs,
    ...(result.kind === 'response' ? { status: result.status } : {}),
    batchSize: events.length,
    ...(ports.version === platform.api.version ? {} : { version: ports.version }),
  };
  const deprecation = result.kind === 'response' ? deprecationIn(result.headers) : undefined;
  ports.onCall(outcomes, facts, {
    bytes: request.packed?.byteLength ?? Buffer.byteLength(request.body),
    ...(deprecation === undefined ? {} : { deprecation }),
  });
  const results = outcomes.map((outcome): CallResult => ({ outcome, facts }));
  const refused = outcomes.flatMap((outcome, i) => (outcome.kind === 'batch_refused' ? [i] : []));
  if (events.length === 1) {
    const [only] = outcomes;
    if (only?.kind === 'permanent' || only?.setting === true || refused.length > 0) budget.refusals += 1;
    return results;
  }
  if (refused.length === 0) return results;
  // If the platform named the culprits, the others are sent again together; if not, the batch is split.
  const again = refused.map((i) => events[i]).filter((event) => event !== undefined);
  const retried =
    again.length < events.length
      ? await call(platform, credentials, again, ports, budget)
      : await halves(platform, credentials, again, ports, budget);
  refused.forEach((index, position) => {
    const better = retried[position];
    if (better !== undefined) results[index] = better;
  });
  return results;
}

function build(
  platform: Platform,
  credentials: unknown,
  events: readonly OutgoingEvent[],
  ports: CallPorts,
): HttpRequest | PlatformDefect {
  try {
    const request = platform.buildRequest(events, credentials, {
      // A request that holds one test is a test as a whole.
      test: events.some(({ test }) => test === true),
      nowMs: ports.clock.now(),
      nonce: ports.nonce(),
      version: ports.version,
      ...(ports.accessToken === undefined ? {} : { accessToken: ports.accessToken }),
    });
    if (typeof request.body !== 'string' || !URL.canParse(request.url)) throw new TypeError('no request');
    return ports.headers === undefined
      ? request
      : { ...request, headers: { ...request.headers, ...ports.headers } };
  } catch (error) {
    return new PlatformDefect(platform.slug, 'buildRequest', error);
  }
}

/** If the platform's code cannot read an answer, its events may still have been taken. */
function read(
  platform: Platform,
  result: Awaited<ReturnType<Transport['send']>>,
  events: readonly OutgoingEvent[],
  { onDefect }: CallPorts,
): readonly Outcome[] {
  try {
    const outcomes = platform.readResponse(result, events);
    if (outcomes.length !== events.length) throw new RangeError('not one outcome per event');
    return outcomes;
  } catch (error) {
    onDefect(new PlatformDefect(platform.slug, 'readResponse', error));
    const maybeDelivered = result.kind === 'response' || result.maybeDelivered;
    return events.map(() => ({ kind: 'retry', code: ANSWER_DEFECT, maybeDelivered }));
  }
}

/** Building is pure: each event is tried alone, and those that can be sent share one request. */
async function withoutCulprits(
  platform: Platform,
  credentials: unknown,
  events: readonly OutgoingEvent[],
  ports: CallPorts,
  budget: { refusals: number },
): Promise<CallResult[]> {
  const good = events.filter(
    (event) => !(build(platform, credentials, [event], ports) instanceof PlatformDefect),
  );
  if (good.length === events.length) return await halves(platform, credentials, events, ports, budget);
  const sent = good.length === 0 ? [] : await call(platform, credentials, good, ports, budget);
  const results = new Map(good.map((event, i) => [event, sent[i]]));
  return events.map((event) => results.get(event) ?? defective(ports.clock.now()));
}

/** Nothing was sent. The retry ladder tries again; a fixed release then delivers it. */
export function defective(nowMs: number): CallResult {
  return {
    outcome: { kind: 'retry', code: PLATFORM_DEFECT },
    facts: { atMs: nowMs, latencyMs: 0, batchSize: 0 },
  };
}

async function halves(
  platform: Platform,
  credentials: unknown,
  events: readonly OutgoingEvent[],
  ports: CallPorts,
  budget: { refusals: number },
): Promise<CallResult[]> {
  const middle = Math.ceil(events.length / 2);
  return [
    ...(await call(platform, credentials, events.slice(0, middle), ports, budget)),
    ...(await call(platform, credentials, events.slice(middle), ports, budget)),
  ];
}

/** Not sent: the platform refuses every event, or this worker's time is over. No event is at fault. */
function givenUp(code: 'too_many_refusals' | 'out_of_time', nowMs: number): CallResult {
  return {
    outcome: { kind: 'retry', code },
    facts: { atMs: nowMs, latencyMs: 0, batchSize: 0 },
  };
}
