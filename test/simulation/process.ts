// Processes that run stage code and can die at any call. A dead process's promises never settle, and what it had on
// the wire may or may not arrive, as with a real one.
import type { SeededRandom } from '../support/memory/random.ts';
import { CALM, type CallKind, drawDelay, drawFate, type Fate, type Weather } from './faults.ts';
import type { Timeline } from './timeline.ts';

export interface Process {
  readonly name: string;
  readonly clockOffsetMs: () => number;
  alive: boolean;
}

/** A place in a stage where a process can die: the call, and on which side of its effect. */
export type CrashPoint = `${string}:${'before' | 'after'}`;

export interface CrashPlan {
  readonly point: CrashPoint;
  /** 1 = the first time a process comes by. */
  readonly occurrence: number;
}

export type Calls = ReturnType<typeof createCalls>;

export interface CallsOptions {
  readonly timeline: Timeline;
  readonly random: SeededRandom;
  readonly weather: Weather;
  /** True while faults may happen. */
  readonly stormy: () => boolean;
  readonly crashPlan?: CrashPlan | undefined;
  readonly onCrash: (process: Process) => void;
}

export const THROTTLED = 'throttled';
const TIMED_OUT = 'the answer did not come in time';

export function createCalls(options: CallsOptions) {
  const { timeline, random, stormy, crashPlan, onCrash } = options;
  const passed = new Map<string, { before: number; after: number }>();
  const crashes: CrashPoint[] = [];
  let faults = 0;
  let inFlight = 0;
  const weather = () => (stormy() ? options.weather : CALM);

  /** True when the process dies here. */
  const dies = (process: Process, label: string, side: 'before' | 'after', kind: CallKind): boolean => {
    if (kind === 'control' || !process.alive) return false;
    const times = passed.get(label) ?? { before: 0, after: 0 };
    passed.set(label, times);
    times[side] += 1;
    const planned = crashPlan?.occurrence === times[side] && crashPlan.point === `${label}:${side}`;
    if (!planned && !random.chance(weather().crashRate)) return false;
    crashes.push(`${label}:${side}`);
    onCrash(process);
    return true;
  };

  const call = <T>(
    process: Process,
    label: string,
    kind: CallKind,
    perform: () => Promise<T>,
  ): Promise<T> => {
    if (!process.alive) return new Promise<T>(() => undefined);
    const isThrottled = weather().throttled?.test(label) === true;
    const fate = isThrottled ? 'throttled' : drawFate(kind, weather(), random);
    if (fate !== 'fine') faults += 1;
    inFlight += 1;
    return new Promise<T>((resolve, reject) => {
      timeline.after(drawDelay(weather(), random), () => {
        inFlight -= 1;
        const died = !process.alive || dies(process, label, 'before', kind);
        // What a dying process had handed to the network may still arrive.
        if (died && random.chance(0.5)) return;
        const answer = effect(fate, kind, perform, timeline, random);
        if (died || dies(process, label, 'after', kind)) return;
        inFlight += 1;
        timeline.after(drawDelay(weather(), random), () => {
          inFlight -= 1;
          if (process.alive) answer.then(resolve, reject);
        });
      });
    });
  };
  return {
    /** Runs `perform` for `process`, on the way meeting what the weather and the crash plan hold for it. */
    call,
    /** Every crash point passed so far, and how often. */
    passed: () => pointsOf(passed),
    /** Crash points at which a process died. */
    crashes: () => crashes,
    faults: () => faults,
    inFlight: () => inFlight,
  };
}

function pointsOf(
  passed: ReadonlyMap<string, Readonly<Record<'before' | 'after', number>>>,
): ReadonlyMap<CrashPoint, number> {
  const points = new Map<CrashPoint, number>();
  for (const [label, { before, after }] of passed) {
    if (before > 0) points.set(`${label}:before`, before);
    if (after > 0) points.set(`${label}:after`, after);
  }
  return points;
}

function effect<T>(
  fate: Fate,
  kind: CallKind,
  perform: () => Promise<T>,
  timeline: Timeline,
  random: SeededRandom,
): Promise<T> {
  const answer = take(fate, kind, perform, timeline, random);
  // A process that dies before it hears of a failure is no unhandled rejection.
  answer.catch(() => undefined);
  return answer;
}

async function take<T>(
  fate: Fate,
  kind: CallKind,
  perform: () => Promise<T>,
  timeline: Timeline,
  random: SeededRandom,
): Promise<T> {
  switch (fate) {
    case 'throttled':
      throw new Error(THROTTLED);
    case 'lost_request':
      throw new Error(TIMED_OUT);
    case 'lost_answer':
      perform().catch(() => undefined);
      throw new Error(TIMED_OUT);
    case 'late_effect':
      timeline.after(random.below(5_000), () => void perform().catch(() => undefined));
      throw new Error(TIMED_OUT);
    case 'repeated':
      perform().catch(() => undefined);
      return await perform();
    case 'vanished':
      if (kind === 'send') return undefined as T;
      return await perform();
    case 'fine':
      return await perform();
  }
}
