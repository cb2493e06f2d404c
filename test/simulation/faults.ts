// What can go wrong with one call to the outside, and how often: the weather of a simulated run.
import type { SeededRandom } from '../support/memory/random.ts';

/** `control`: waits that touch nothing. A `conditional` write answers whether its condition held. */
export type CallKind = 'read' | 'write' | 'conditional' | 'send' | 'transport' | 'control';

/**
 * `throttled` refused, no effect · `lost_request` no effect, looks like a timeout · `lost_answer` effect, looks like a
 * timeout · `late_effect` looks like a timeout, takes effect afterwards · `repeated` the client library lost the answer
 * and sent the same request again: what comes back is the second answer · `vanished` a queue said yes and kept nothing.
 */
export type Fate =
  | 'fine'
  | 'throttled'
  | 'lost_request'
  | 'lost_answer'
  | 'late_effect'
  | 'repeated'
  | 'vanished';

export interface Weather {
  /** Chance that a call meets any fault at all. */
  readonly faultRate: number;
  /** Chance that a call kills the process that makes it. */
  readonly crashRate: number;
  /** Chance that a call takes seconds instead of milliseconds. */
  readonly slowRate: number;
  readonly slowMaxMs: number;
  /** Chance that a queue hands a message out twice. */
  readonly duplicateRate: number;
  /** Whether such a second copy may claim to be received for the first time, as a producer's repeated send does. */
  readonly duplicatesLookFirst: boolean;
  readonly messageDelayMaxMs: number;
  readonly indexLagMaxMs: number;
  /** Largest difference of a host's clock to true time. */
  readonly clockOffsetMaxMs: number;
  /** When faults, crashes and platform trouble end, from the start of the run; each storm lasts this long. */
  readonly stormMs: number;
  /** When storms begin, from the start of the run. */
  readonly stormsAtMs: readonly number[];
  /** Times at which every queue is emptied, dead letters too. */
  readonly purges: number;
  /** All functions in one process, as on a laptop: a crash takes every call down. */
  readonly oneProcess: boolean;
  /** Shards that merchants' rows are spread over at most; how many it is changes while rows arrive. */
  readonly shardsMax: number;
  /** Accepted events are handed out together so often: what arrives between is normalized in batches. 0 = as they come. */
  readonly windowMs: number;
  /** Calls that are all throttled while a storm lasts, by the name of their crash point: one table, index or queue. */
  readonly throttled?: RegExp;
}

export const CALM: Weather = {
  faultRate: 0,
  crashRate: 0,
  slowRate: 0,
  slowMaxMs: 0,
  duplicateRate: 0,
  duplicatesLookFirst: false,
  messageDelayMaxMs: 20,
  indexLagMaxMs: 50,
  clockOffsetMaxMs: 0,
  stormMs: 0,
  stormsAtMs: [],
  purges: 0,
  oneProcess: false,
  shardsMax: 1,
  windowMs: 0,
};

const HOUR_MS = 3_600_000;
/** At the beginning; when the audits of the first hours run; when ids of the day before may be used again. */
const STORMS = [[0], [0, HOUR_MS, 2 * HOUR_MS, 3 * HOUR_MS], [0, 24 * HOUR_MS - 60_000]] as const;

/** Some runs are mild with many rare events, some are a hurricane; each seed is one of them. */
export function drawWeather(random: SeededRandom): Weather {
  const harsh = random.next();
  return {
    faultRate: random.pick([0, 0.01, 0.05, 0.15]) * (0.5 + harsh),
    crashRate: random.pick([0, 0.001, 0.005, 0.02]) * (0.5 + harsh),
    slowRate: random.pick([0, 0.01, 0.05]),
    slowMaxMs: random.pick([2_000, 20_000, 70_000]),
    duplicateRate: random.pick([0, 0.05, 0.3]),
    duplicatesLookFirst: false,
    messageDelayMaxMs: random.pick([5, 200, 5_000, 90_000]),
    indexLagMaxMs: random.pick([5, 500, 30_000]),
    clockOffsetMaxMs: random.pick([0, 50, 3_000]),
    stormMs: random.pick([120_000, 600_000, 1_800_000]),
    stormsAtMs: random.pick(STORMS),
    purges: random.pick([0, 0, 1, 3]),
    oneProcess: random.chance(0.4),
    shardsMax: random.pick([1, 1, 3, 8]),
    windowMs: random.pick([0, 2_000, 20_000]),
  };
}

const FATES: Readonly<Record<CallKind, readonly Fate[]>> = {
  read: ['throttled', 'lost_answer'],
  write: ['throttled', 'lost_request', 'lost_answer', 'late_effect', 'repeated'],
  conditional: ['throttled', 'lost_request', 'lost_answer', 'late_effect', 'repeated', 'repeated'],
  send: ['throttled', 'lost_request', 'lost_answer', 'late_effect', 'vanished'],
  transport: ['fine'],
  control: ['fine'],
};

export function drawFate(kind: CallKind, weather: Weather, random: SeededRandom): Fate {
  return random.chance(weather.faultRate) ? random.pick(FATES[kind]) : 'fine';
}

/** How long one leg of a call takes, in milliseconds. */
export function drawDelay(weather: Weather, random: SeededRandom): number {
  if (random.chance(weather.slowRate)) return random.below(weather.slowMaxMs);
  return random.below(8);
}

export function isStormy(weather: Weather, sinceStartMs: number): boolean {
  return weather.stormsAtMs.some((atMs) => sinceStartMs >= atMs && sinceStartMs < atMs + weather.stormMs);
}
