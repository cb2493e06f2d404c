// Sums of a minute, bounded however much happens in it: durations by buckets, counts by name.

/** Each bucket ends 5 % above the one before: so exact is a percentile. */
const STEP = Math.log(1.05);
/** 1.05^330 ms are two and a half hours. */
const BUCKETS_MAX = 330;

export interface Durations {
  add(ms: number): void;
  readonly count: number;
  /** 0..1 → milliseconds, whole; 0 where nothing was added. */
  at(share: number): number;
  /** Everything that was added, or where that is more than `max`, as many that stand for it: the percentiles between. */
  values(max: number): readonly number[];
}

export function createDurations(): Durations {
  const buckets = new Map<number, number>();
  let count = 0;
  let maxMs = 0;
  const at = (share: number): number => {
    let left = Math.max(1, Math.ceil(share * count));
    for (const [bucket, size] of [...buckets].sort(([a], [b]) => a - b)) {
      left -= size;
      if (left <= 0) return Math.round(Math.min(maxMs, Math.exp(bucket * STEP)));
    }
    return 0;
  };
  return {
    add(ms) {
      const bucket = Math.min(BUCKETS_MAX, Math.round(Math.log(Math.max(1, ms)) / STEP));
      buckets.set(bucket, (buckets.get(bucket) ?? 0) + 1);
      count += 1;
      maxMs = Math.max(maxMs, ms);
    },
    get count() {
      return count;
    },
    at,
    values(max) {
      const size = Math.min(count, max);
      return Array.from({ length: size }, (_, index) => at((index + 0.5) / size));
    },
  };
}

/** What is counted under more names than this is counted as `others`. */
const NAMES_MAX = 200;
const OTHERS = 'others';

export type Counts = ReturnType<typeof createCounts>;

/** Counts by name: `top` shows the largest and the sum of all others. */
export function createCounts(namesMax = NAMES_MAX) {
  const counts = new Map<string, number>();
  return {
    add(name: string, by = 1): void {
      const known = counts.has(name) || counts.size < namesMax ? name : OTHERS;
      counts.set(known, (counts.get(known) ?? 0) + by);
    },
    /** Undefined where nothing was counted, so that a line has no such field. */
    top(shown: number): Readonly<Record<string, number>> | undefined {
      if (counts.size === 0) return undefined;
      const sorted = [...counts].sort(([, a], [, b]) => b - a);
      const rest = sorted.slice(shown).reduce((sum, [, count]) => sum + count, 0);
      const first = Object.fromEntries(sorted.slice(0, shown));
      return rest === 0 ? first : { ...first, [OTHERS]: (first[OTHERS] ?? 0) + rest };
    },
  };
}
