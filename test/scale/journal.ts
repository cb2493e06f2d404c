// What became of every event: when it was sent, answered and accepted by each platform. From outside, as its sender and the
// platforms see it, so that no stored format matters here.

export type Journal = ReturnType<typeof createJournal>;

export function createJournal(platforms: readonly string[]) {
  const acceptedAt: number[] = [];
  const sentAt: number[] = [];
  const deliveredAt = new Map(platforms.map((slug) => [slug, [] as number[]]));
  const counts = new Map(platforms.map((slug) => [slug, 0]));
  const seconds = new Map(platforms.map((slug) => [slug, new Map<number, number>()]));
  const statuses = new Map<number, number>();
  const refusals = new Map<number, number>();
  let accepted = 0;
  let copies = 0;
  const bump = <K>(map: Map<K, number>, key: K): void => void map.set(key, (map.get(key) ?? 0) + 1);
  return {
    platforms,
    /** Registers an event that is about to be sent. */
    sent: (index: number, atMs: number) => {
      sentAt[index] = atMs;
    },
    answered(index: number, status: number, atMs: number) {
      bump(statuses, status);
      if (status === 202) {
        acceptedAt[index] = atMs;
        accepted += 1;
      } else bump(refusals, Math.floor(atMs / 1_000));
    },
    /** A platform took it; the first time counts. False for an event that was never sent. */
    delivered(platform: string, index: number, atMs: number) {
      const times = deliveredAt.get(platform);
      if (times === undefined || sentAt[index] === undefined) return false;
      bump(seconds.get(platform) as Map<number, number>, Math.floor(atMs / 1_000));
      if (times[index] !== undefined) {
        copies += 1;
        return true;
      }
      times[index] = atMs;
      bump(counts, platform);
      return true;
    },
    accepted: () => accepted,
    deliveries: (platform: string) => counts.get(platform) ?? 0,
    /** Copies a platform took beyond the first. */
    copies: () => copies,
    /** Answers by status. */
    statuses: () => statuses,
    /** Accepted events that some platform does not have. */
    missing: (of: readonly string[] = platforms) => {
      let missing = 0;
      for (let index = 0; index < acceptedAt.length; index++)
        if (
          acceptedAt[index] !== undefined &&
          of.some((slug) => deliveredAt.get(slug)?.[index] === undefined)
        )
          missing += 1;
      return missing;
    },
    /** 202 → taken by a platform, milliseconds, of events sent in [fromMs, toMs), each platform by itself; sorted. */
    latencies({
      fromMs = 0,
      toMs = Number.POSITIVE_INFINITY,
      platforms: of = platforms,
      indexes = () => true,
    }: {
      readonly fromMs?: number;
      readonly toMs?: number;
      readonly platforms?: readonly string[];
      readonly indexes?: (index: number) => boolean;
    } = {}) {
      const found: number[] = [];
      for (let index = 0; index < acceptedAt.length; index++) {
        const at = acceptedAt[index];
        const sent = sentAt[index] ?? 0;
        if (at === undefined || sent < fromMs || sent >= toMs || !indexes(index)) continue;
        for (const slug of of) {
          const taken = deliveredAt.get(slug)?.[index];
          // Sometimes a platform has it before its sender has the answer.
          if (taken !== undefined) found.push(Math.max(0, taken - at));
        }
      }
      return Float64Array.from(found).sort();
    },
    /** Seconds (since the epoch) in which requests were answered 5xx or 429, with how many. */
    refusals: () => refusals,
    /** Taken by a platform in each second. */
    perSecond: (platform: string) => seconds.get(platform) ?? new Map(),
  };
}

/** `share` of the sorted values lie at or below it; NaN where there are none. */
export function quantile(sorted: Float64Array, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
