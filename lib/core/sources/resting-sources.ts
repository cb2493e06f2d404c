// Event sources of queues that are rarely used rest: polling a queue costs the same whether anything is in it. Run every minute, this
// switches a source on when its queue holds messages, and off when it has had a week without any change and is empty.
// Guarantees: nothing is stored, so nothing can be out of date: the queue says whether there is work, and Lambda whether the source
// is on. A source that could not be switched is looked at again the next time, and holds up no other.
import type { Clock } from '../ports/clock.ts';
import type { EventSource, EventSourceState } from '../ports/event-source.ts';

/** On for so long at least, so that what is used every few days never waits. */
export const REST_AFTER_MS = 7 * 86_400_000;
/** A source that is on works its queue: it is looked at to be switched off, or because it was switched off by hand. */
const ON_LOOK_MS = 600_000;
/** One that is off, whose messages are nothing new: every other run, which may begin somewhat early. */
const UNHURRIED_LOOK_MS = 90_000;
/** Failures in a row that are no accident: a source that is being changed refuses to be switched for a minute or two. */
const FAILURES_MAX = 5;

export interface RestingPorts {
  readonly clock: Clock;
  /** Of sources whose messages may wait for another minute; absent: of none. */
  readonly unhurried?: ReadonlySet<string>;
  /** Called for each source that was switched. */
  readonly switched: (name: string, isOn: boolean) => void;
  /** Called for a source that could not be looked at or switched; `isLasting`: not for the first time, so that messages may wait. */
  readonly failed: (name: string, error: unknown, isLasting: boolean) => void;
}

interface Known {
  readonly isOn?: boolean;
  readonly lookAtMs: number;
  readonly failures: number;
}

const UNKNOWN: Known = { lookAtMs: 0, failures: 0 };

/** Remembers from run to run what it saw, to ask less. */
export function tendSources(sources: readonly EventSource[], ports: RestingPorts): () => Promise<void> {
  const known = new Map<string, Known>();
  const tend = async (source: EventSource): Promise<void> => {
    const { name } = source;
    const { isOn: wasOn, lookAtMs, failures } = known.get(name) ?? UNKNOWN;
    if (wasOn !== undefined && ports.clock.now() < lookAtMs) return;
    try {
      const messages = await source.messages();
      // Nothing has happened since it was seen to be off.
      if (messages === 0 && wasOn === false) {
        known.set(name, { isOn: false, lookAtMs: offLookMs(name, ports), failures: 0 });
        return;
      }
      known.set(name, { ...(await look(source, messages, ports)), failures: 0 });
    } catch (error) {
      known.set(name, { lookAtMs: 0, failures: failures + 1 });
      ports.failed(name, error, failures + 1 >= FAILURES_MAX);
    }
  };
  return async () => void (await Promise.all(sources.map(tend)));
}

async function look(
  source: EventSource,
  messages: number,
  ports: RestingPorts,
): Promise<Omit<Known, 'failures'>> {
  const nowMs = ports.clock.now();
  const state = await source.state();
  if (state.problem !== undefined && messages > 0) throw new Error(state.problem);
  const wanted = isWanted(state, messages, nowMs);
  if (wanted !== state.isOn) {
    await source.turn(wanted);
    ports.switched(source.name, wanted);
  }
  return { isOn: wanted, lookAtMs: wanted ? nowMs + ON_LOOK_MS : offLookMs(source.name, ports) };
}

const offLookMs = (name: string, { clock, unhurried }: RestingPorts): number =>
  clock.now() + (unhurried?.has(name) === true ? UNHURRIED_LOOK_MS : 0);

function isWanted({ isOn, changedAtMs }: EventSourceState, messages: number, nowMs: number): boolean {
  if (messages > 0) return true;
  return isOn && nowMs - changedAtMs < REST_AFTER_MS;
}
