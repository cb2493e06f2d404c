// The event of a test key at a platform that keeps tests apart. Guarantees: it goes alone, as a test, once; what the platform says
// of it concerns no other event: it opens and closes no circuit, pauses nothing and is in no line or figure.

import { isTaken } from '#lib/events/domain/deliveries/delivery.ts';
import { postpone } from '#lib/events/domain/deliveries/transition.ts';
import type { OpenConnection } from '#lib/events/pipeline/connections/open-connection.ts';
import { keepsTests, type Platform } from '#lib/events/platforms/platform.ts';
import { type CallResult, callPlatform } from '../call-platform.ts';
import type { Candidate } from '../candidates.ts';
import type { JobContext, Sending } from '../sending.ts';
import { type Moment, outcomeTransition, unlessOver } from '../transitions.ts';

const LATER_SEC = 10;

export const isTest = ({ event }: Pick<Candidate, 'event'>): boolean => event.test === true;

/** Why a test is not sent; undefined: it may be, or is none. */
export function withheldTest(
  candidate: Candidate,
  platform: Platform,
  { connection, credentials }: OpenConnection,
): string | undefined {
  if (!isTest(candidate)) return undefined;
  if (!keepsTests(platform, credentials)) return 'test_mode';
  return connection.status === 'paused' ? 'test_mode:connection_paused' : undefined;
}

/** Does not throw. */
export async function sendTest(
  candidate: Candidate,
  sending: Omit<Sending, 'gate'>,
  context: JobContext,
): Promise<void> {
  const { ports } = context;
  const { pace, deadlineMs } = sending;
  const moment = (): Moment => ({ nowMs: ports.clock.now(), random: ports.random.next() });
  try {
    if (ports.clock.now() <= deadlineMs && (await pace.turn([candidate.event], deadlineMs))) {
      const result = await call(candidate, sending, context);
      await candidate.record(outcomeTransition(candidate, onlyTry(result), moment()));
    } else {
      const later = { ...moment(), ...candidate.window };
      await candidate.record(unlessOver((previous) => postpone(previous, 'out_of_time', LATER_SEC, later)));
    }
  } catch (error) {
    candidate.fail(error);
  }
}

async function call(
  { event }: Candidate,
  { platform, open, deadlineMs }: Omit<Sending, 'gate'>,
  { ports, tokens }: JobContext,
): Promise<CallResult> {
  const called = await callPlatform(
    [event],
    { platform, open, deadlineMs, tokens, ports },
    { onCall: () => undefined },
  );
  if ('noToken' in called)
    return { outcome: called.noToken, facts: { atMs: ports.clock.now(), latencyMs: 0, batchSize: 1 } };
  const [result] = called.result;
  if (result === undefined) throw new RangeError('not one outcome per event');
  return result;
}

/** Of a test nothing is asked later, and nothing is tried again. */
function onlyTry({ outcome, facts }: CallResult): CallResult {
  const { request: _, kind, code = kind, message } = outcome;
  const said = message === undefined ? {} : { message };
  return { facts, outcome: isTaken(kind) ? { kind, ...said } : { kind: 'permanent', code, ...said } };
}
