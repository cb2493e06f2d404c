// Counts refusals by merchant and reason, without a write for each. A process writes the first refusal of a merchant at
// once, so that a quiet shop's only mistake is not lost when Lambda freezes the process after its answer; later ones
// are gathered in memory, and a later request writes them once they are due, without waiting for the write.
// Guarantees: one write per merchant, process and 60 to 90 seconds (one more if a UTC day begins while some are
// gathered), and 60 a minute for all merchants; memory is bounded; never fails a request; an answer waits for at most
// 100 ms, a 202 not at all. A merchant that a request only names is counted only if it exists. Gathered counts are lost
// when the process ends, and counted twice if a write succeeded and its answer was lost.
import type { Clock, Random } from '#lib/core/ports/clock.ts';
import { DAY_MS, floorTo } from '#lib/core/work/time-slot.ts';
import type { RefusalName } from '#lib/events/domain/event/refusal.ts';
import type { MerchantStore } from '#lib/events/ports/merchant-store.ts';
import { REFUSAL_SHARDS, type RefusalCounts, type RefusalStore } from '#lib/events/ports/refusal-store.ts';

export const REFUSALS_EVERY_MS = 60_000;
/** Random, so that processes that began together do not write together. */
const SPREAD_MS = 30_000;
export const REFUSING_MERCHANTS_MAX = 1_000;
/** Limits the room for ids that callers made up. */
export const NAMED_MERCHANTS_MAX = 100;
/** Per process, for all merchants: more merchants with refusals wait longer, and do not cost more. */
export const REFUSAL_WRITES_PER_MINUTE = 60;
const WRITES_AT_ONCE = 10;
const WAIT_MAX_MS = 100;
const LOOK_EVERY_MS = 1_000;

/** The merchant of the refused request. `isKnown`: by its key, or because its profile was read. */
export interface RefusedMerchant {
  readonly merchantId: string;
  readonly isKnown: boolean;
}

export interface RefusalCounter {
  /** Resolves when the answer may be sent. */
  note(merchant: RefusedMerchant, names: readonly RefusalName[]): Promise<void>;
  /** Begins to write counts that are due. */
  writeDue(): void;
}

export interface RefusalCounterPorts {
  readonly refusals: Pick<RefusalStore, 'add'>;
  readonly config: Pick<MerchantStore, 'merchant'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly count: (metric: string) => void;
  readonly pause: (ms: number) => Promise<void>;
}

interface Gathered {
  readonly merchantId: string;
  isKnown: boolean;
  /** No write before this time. */
  nextMs: number;
  /** The day of all counts. */
  dayMs: number;
  counts: Map<RefusalName, number>;
}

export function createRefusalCounter(ports: RefusalCounterPorts): RefusalCounter {
  const { clock, random } = ports;
  const merchants = new Map<string, Gathered>();
  /** No gathered count is due before this time. */
  let dueMs = Number.POSITIVE_INFINITY;
  /** There is no room before this time: a flood of ids must not search for room each time. */
  const fullUntilMs = { known: 0, named: 0 };
  const minute = { startMs: 0, writes: 0 };

  const writesLeft = (nowMs: number): number => {
    if (nowMs - minute.startMs >= REFUSALS_EVERY_MS) Object.assign(minute, { startMs: nowMs, writes: 0 });
    return Math.max(0, REFUSAL_WRITES_PER_MINUTE - minute.writes);
  };
  const dueFrom = (atMs: number, nowMs: number): number =>
    writesLeft(nowMs) > 0 ? atMs : Math.max(atMs, minute.startMs + REFUSALS_EVERY_MS);

  const write = async (gathered: Gathered): Promise<void> => {
    const { merchantId, dayMs, counts } = gathered;
    minute.writes++;
    gathered.counts = new Map();
    gathered.nextMs = clock.now() + REFUSALS_EVERY_MS + Math.floor(random.next() * SPREAD_MS);
    try {
      if (!gathered.isKnown && (await ports.config.merchant(merchantId)) === null) return;
      gathered.isKnown = true;
      await ports.refusals.add(merchantId, dayMs, Math.floor(random.next() * REFUSAL_SHARDS), counts);
    } catch {
      ports.count('refusals_not_written');
      // Counts of a day that has ended in the meantime are dropped.
      if (gathered.counts.size > 0 && gathered.dayMs !== dayMs) return;
      gathered.dayMs = dayMs;
      addTo(gathered.counts, counts);
      dueMs = Math.min(dueMs, gathered.nextMs);
    }
  };
  const gatheredOf = ({ merchantId, isKnown }: RefusedMerchant, nowMs: number): Gathered | null => {
    const known = merchants.get(merchantId);
    if (known !== undefined) {
      known.isKnown ||= isKnown;
      return known;
    }
    const kind = isKnown ? 'known' : 'named';
    if (nowMs < fullUntilMs[kind]) return null;
    if (!hasRoom(merchants, isKnown, nowMs)) {
      fullUntilMs[kind] = nowMs + LOOK_EVERY_MS;
      return null;
    }
    const gathered = { merchantId, isKnown, nextMs: nowMs, dayMs: 0, counts: new Map<RefusalName, number>() };
    merchants.set(merchantId, gathered);
    return gathered;
  };

  return {
    async note(merchant, names) {
      const nowMs = clock.now();
      const gathered = gatheredOf(merchant, nowMs);
      if (gathered === null) return;
      const dayMs = floorTo(nowMs, DAY_MS);
      if (gathered.dayMs !== dayMs && gathered.counts.size > 0) void write(gathered);
      gathered.dayMs = dayMs;
      addTo(gathered.counts, names);
      if (nowMs >= gathered.nextMs && writesLeft(nowMs) > 0)
        await Promise.race([write(gathered), ports.pause(WAIT_MAX_MS)]);
      else dueMs = Math.min(dueMs, dueFrom(gathered.nextMs, nowMs));
    },

    writeDue() {
      const nowMs = clock.now();
      if (nowMs < dueMs) return;
      const atOnce = Math.min(WRITES_AT_ONCE, writesLeft(nowMs));
      const waiting = [...merchants.values()].filter(({ counts }) => counts.size > 0);
      const due = waiting.filter(({ nextMs }) => nextMs <= nowMs).slice(0, atOnce);
      for (const gathered of due) void write(gathered);
      // The next request writes the others.
      const left = waiting.filter(({ counts }) => counts.size > 0).map(({ nextMs }) => nextMs);
      dueMs = dueFrom(Math.min(Number.POSITIVE_INFINITY, ...left), nowMs);
    },
  };
}

function addTo(counts: Map<RefusalName, number>, more: readonly RefusalName[] | RefusalCounts): void {
  const entries =
    more instanceof Map ? more : (more as readonly RefusalName[]).map((name) => [name, 1] as const);
  for (const [name, count] of entries) counts.set(name, (counts.get(name) ?? 0) + count);
}

/** A merchant without gathered counts whose next write is allowed can be forgotten. */
function hasRoom(merchants: Map<string, Gathered>, isKnown: boolean, nowMs: number): boolean {
  const isFull = (): boolean => {
    if (merchants.size >= REFUSING_MERCHANTS_MAX) return true;
    if (isKnown || merchants.size < NAMED_MERCHANTS_MAX) return false;
    return [...merchants.values()].filter((one) => !one.isKnown).length >= NAMED_MERCHANTS_MAX;
  };
  if (!isFull()) return true;
  for (const [id, { counts, nextMs }] of merchants)
    if (counts.size === 0 && nextMs <= nowMs) merchants.delete(id);
  return !isFull();
}
