// What events cost the account that runs this, estimated: units counted per event, times list prices of a named day. Pure.
// Guarantees: units are those the pipeline is held to by `npm run cost` (a test compares them), so an estimate is rather too
// high. Refuses to be a bill: free tiers, logs, data out and what stands idle are not in it.

/** US East (N. Virginia), on demand, US dollars. Sources: test/performance/cost-model.ts. */
export const AWS_PRICES = {
  region: 'us-east-1',
  asOf: '2026-11-21',
  writeUnit: 0.625 / 1e6,
  readUnit: 0.125 / 1e6,
  /** With the surcharge of queues that are fair between merchants. */
  sqsRequest: 0.5 / 1e6,
  lambdaRequest: 0.2 / 1e6,
  lambdaGbSec: 0.0000133334,
  /** With point-in-time recovery. */
  storedGbMonth: 0.45,
} as const;

/** Counted, per event. */
export interface AwsUnits {
  readonly writeUnits: number;
  readonly readUnits: number;
  readonly sqsRequests: number;
  readonly invocations: number;
  /** Answers of platforms that were waited for one after another. */
  readonly platformWaits: number;
}

interface Row {
  /** Events a second from which it holds; the fewer, the fewer share a write, a message and an invocation. With five pollers of a queue. */
  readonly perSec: number;
  /** Platforms an event goes to → units. */
  readonly byPlatforms: readonly (readonly [number, AwsUnits])[];
}

const units = (
  writeUnits: number,
  readUnits: number,
  sqsRequests: number,
  invocations: number,
  platformWaits: number,
): AwsUnits => ({ writeUnits, readUnits, sqsRequests, invocations, platformWaits });

export const AWS_UNITS: readonly Row[] = [
  {
    perSec: 1 / 60,
    byPlatforms: [
      [1, units(6, 12.6, 10.4, 4.5, 1.05)],
      [3, units(6, 12.6, 10.4, 4.5, 1.05)],
      [12, units(9.05, 15.1, 10.8, 4.5, 1.1)],
    ],
  },
  {
    perSec: 1,
    byPlatforms: [
      [1, units(5.45, 10.6, 7.1, 3.4, 1.05)],
      [3, units(5.45, 10.6, 7.1, 3.4, 1.05)],
      [12, units(6.55, 12.7, 7.2, 3.4, 1.1)],
    ],
  },
  {
    perSec: 5,
    byPlatforms: [
      [1, units(4.75, 5, 3.85, 2.13, 0.52)],
      [3, units(5.75, 5.15, 3.85, 2.13, 0.52)],
      [12, units(9.2, 7.2, 4.4, 2.3, 0.55)],
    ],
  },
  {
    perSec: 33,
    byPlatforms: [
      [1, units(3.73, 3.36, 1.6, 1.2, 0.09)],
      [3, units(3.89, 3.37, 1.6, 1.2, 0.09)],
      [12, units(4.65, 4.12, 1.8, 1.27, 0.16)],
    ],
  },
  {
    perSec: 1_000,
    byPlatforms: [
      [1, units(3.59, 3.1, 1.28, 1.05, 0.012)],
      [3, units(3.6, 3.1, 1.28, 1.05, 0.06)],
      [12, units(3.9, 5.7, 1.54, 1.14, 0.14)],
    ],
  },
];

/** Assumed, not counted: GB-seconds of functions for an event, and for an answer of 150 ms that is waited for. */
const GB_SEC = { perEvent: 0.014, perWait: 0.09 } as const;
/** Of one row with its index entries. */
const ROW_GB = 1.5e-6;

export const AWS_COST_PARTS = ['writes', 'reads', 'queues', 'functions', 'storage'] as const;
export type AwsCostPart = (typeof AWS_COST_PARTS)[number];

export interface AwsCost {
  /** Dollars. */
  readonly total: number;
  readonly parts: Readonly<Record<AwsCostPart, number>>;
}

/** `stored`: events, bots and copies included; `deliveries`: what platforms answered; `seconds`: in which they came. */
export function awsCostOf(used: {
  readonly stored: number;
  readonly deliveries: number;
  readonly seconds: number;
}): AwsCost {
  const { stored } = used;
  const each = unitsPerEvent(stored / Math.max(1, used.seconds), stored === 0 ? 0 : used.deliveries / stored);
  const gbSec = GB_SEC.perEvent + GB_SEC.perWait * each.platformWaits;
  const parts = {
    writes: stored * each.writeUnits * AWS_PRICES.writeUnit,
    reads: stored * each.readUnits * AWS_PRICES.readUnit,
    queues: stored * each.sqsRequests * AWS_PRICES.sqsRequest,
    functions: stored * (each.invocations * AWS_PRICES.lambdaRequest + gbSec * AWS_PRICES.lambdaGbSec),
    // A month of keeping them.
    storage: stored * ROW_GB * AWS_PRICES.storedGbMonth,
  };
  return { total: AWS_COST_PARTS.reduce((sum, part) => sum + parts[part], 0), parts };
}

/** Of the highest measured rate that was reached, or the lowest there is; between two numbers of platforms, in proportion. */
export function unitsPerEvent(perSec: number, platforms: number): AwsUnits {
  const row = AWS_UNITS.findLast((one) => one.perSec <= perSec) ?? AWS_UNITS[0];
  const cells = row?.byPlatforms ?? [];
  const above = cells.findIndex(([count]) => count >= platforms);
  const [high, highUnits] = cells.at(above) ?? [1, units(0, 0, 0, 0, 0)];
  const [low, lowUnits] = cells[Math.max(0, (above < 0 ? cells.length - 1 : above) - 1)] ?? [high, highUnits];
  const share = high === low || above < 0 ? 1 : Math.max(0, (platforms - low) / (high - low));
  const between = (of: keyof AwsUnits): number => lowUnits[of] + (highUnits[of] - lowUnits[of]) * share;
  return {
    writeUnits: between('writeUnits'),
    readUnits: between('readUnits'),
    sqsRequests: between('sqsRequests'),
    invocations: between('invocations'),
    platformWaits: between('platformWaits'),
  };
}
