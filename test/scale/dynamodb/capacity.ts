// What a table or an index may take in a second, and what it took: in all, and under each partition key value. Guarantees:
// units are counted in the second in which they are consumed; who would exceed a limit is refused before anything is.
// Not modelled, on the strict side: burst capacity (five minutes' unused units of a partition) and adaptive capacity (a hot
// partition that is split by AWS); so a key value never takes more here than AWS says that any partition does.
import { DYNAMODB } from '../aws/quotas.ts';

export type Unit = 'write' | 'read';

export interface Peak {
  readonly key: string;
  readonly units: number;
  readonly atMs: number;
}

export interface CapacityReport {
  readonly name: string;
  readonly writeUnits: number;
  readonly readUnits: number;
  /** Of the whole table or index, in its busiest second. */
  readonly writePeak: number;
  readonly readPeak: number;
  /** The busiest key in its busiest second. */
  readonly hottestWrite: Peak;
  readonly hottestRead: Peak;
  /** Keys written in that busiest second. */
  readonly keysAtPeak: number;
  /** Requests refused for a key, and for the table or index as a whole. */
  readonly throttledByKey: number;
  readonly throttledAsWhole: number;
}

export interface CapacityOptions {
  readonly name: string;
  /** What is taken at once; absent: what a new table on demand takes. */
  readonly warm?: { readonly writeUnits: number; readonly readUnits: number };
  /** Limits of a partition; tests set smaller ones. */
  readonly partition?: { readonly writeUnits: number; readonly readUnits: number };
  /** What one unit counts for where a part of the traffic stands for all of it; only for the table, not for its keys. */
  readonly standsFor?: number;
}

export type Capacity = ReturnType<typeof createCapacity>;

const NOBODY: Peak = { key: '', units: 0, atMs: 0 };
const SECOND_MS = 1_000;

export function createCapacity(options: CapacityOptions) {
  const { name, standsFor = 1 } = options;
  const write = createMeter(
    options.partition?.writeUnits ?? DYNAMODB.partitionWriteUnits,
    options.warm?.writeUnits ?? DYNAMODB.startWriteUnits,
    standsFor,
  );
  const read = createMeter(
    options.partition?.readUnits ?? DYNAMODB.partitionReadUnits,
    options.warm?.readUnits ?? DYNAMODB.startReadUnits,
    standsFor,
  );
  const of = (unit: Unit) => (unit === 'write' ? write : read);
  let throttledByKey = 0;
  let throttledAsWhole = 0;
  return {
    /** Whether so many units fit under the key in this second. Consumes nothing. */
    admits: (key: string, unit: Unit, units: number, nowMs: number) =>
      of(unit).fitsKey(key, units, nowMs) && of(unit).fitsWhole(units, nowMs),
    /** Notes that a request was refused because of this table or index. */
    refuse: (key: string, unit: Unit, nowMs: number) => {
      if (of(unit).fitsKey(key, 1, nowMs)) throttledAsWhole += 1;
      else throttledByKey += 1;
    },
    consume: (key: string, unit: Unit, units: number, nowMs: number) => of(unit).consume(key, units, nowMs),
    report: () => ({
      name,
      writeUnits: write.total(),
      readUnits: read.total(),
      writePeak: write.peak(),
      readPeak: read.peak(),
      hottestWrite: write.hottest(),
      hottestRead: read.hottest(),
      keysAtPeak: write.keysAtPeak(),
      throttledByKey,
      throttledAsWhole,
    }),
  };
}

function createMeter(partitionMax: number, startMax: number, standsFor: number) {
  let second = -1;
  let ofSecond = 0;
  let byKey = new Map<string, number>();
  let total = 0;
  let peak = 0;
  let hottest = NOBODY;
  let keysAtPeak = 0;
  // On demand: what it takes is twice the peak of the half hour before, and never less than at its start.
  let wholeMax = startMax;
  let halfHour = -1;
  let halfHourPeak = 0;
  const turn = (nowMs: number): void => {
    const now = Math.floor(nowMs / SECOND_MS);
    if (now === second) return;
    halfHourPeak = Math.max(halfHourPeak, ofSecond);
    const period = Math.floor(nowMs / DYNAMODB.doublesEveryMs);
    if (period !== halfHour) {
      if (halfHour >= 0) wholeMax = Math.max(wholeMax, 2 * halfHourPeak * standsFor);
      halfHour = period;
      halfHourPeak = 0;
    }
    second = now;
    ofSecond = 0;
    byKey = new Map();
  };
  return {
    fitsKey(key: string, units: number, nowMs: number): boolean {
      turn(nowMs);
      return (byKey.get(key) ?? 0) + units <= partitionMax;
    },
    fitsWhole(units: number, nowMs: number): boolean {
      turn(nowMs);
      return (ofSecond + units) * standsFor <= wholeMax;
    },
    consume(key: string, units: number, nowMs: number): void {
      turn(nowMs);
      const now = (byKey.get(key) ?? 0) + units;
      byKey.set(key, now);
      ofSecond += units;
      total += units;
      if (ofSecond > peak) {
        peak = ofSecond;
        keysAtPeak = byKey.size;
      }
      if (now > hottest.units) hottest = { key, units: now, atMs: second * SECOND_MS };
    },
    total: () => total,
    peak: () => peak,
    hottest: () => hottest,
    keysAtPeak: () => keysAtPeak,
  };
}
