// A range recounted from its rows, and its orders' credit from the clicks of their persons, compared with what analytics says. Guarantees: bounded work: of a range of many events
// its first part, up to where the next one begins; every row of that is read, and nothing is taken from a sum.
import type { Success } from '#lib/core/http/handler.ts';
import { floorTo, MINUTE_MS } from '#lib/core/work/time-slot.ts';
import type { BucketCounters } from '#lib/events/domain/analytics/analytics.ts';
import { comparable, figuresOf } from '#lib/events/domain/analytics/difference.ts';
import { settledIn } from '#lib/events/domain/analytics/settled-credit.ts';
import { sumCounters } from '#lib/events/domain/analytics/sum.ts';
import { everyShard, isSparse, SPARSE_BUCKET_MS } from '#lib/events/domain/shard.ts';
import type { FoldResult } from '#lib/events/pipeline/counting/count-rows.ts';
import { endOf, readCounters, total } from '#lib/events/pipeline/counting/counter-range.ts';
import { type EveryRow, recountEveryRow, TooManyRows } from '#lib/events/pipeline/counting/recount.ts';
import { type BucketRow, FINER } from '#lib/events/ports/counter-store.ts';
import { VERIFIED_ROWS_MAX, type verifyAnalytics } from '#lib/events/routes/analytics/insights.ts';
import { type CreditedRows, type CreditPorts, recountCredit } from './recount-credit.ts';
import type { Span } from './span.ts';

type Answer = Success<typeof verifyAnalytics>['body'];
type Figures = Answer['figures'];

export interface Verification
  extends Pick<Answer, 'rows' | 'unreadable' | 'settling' | 'drift' | 'figures' | 'credit'> {
  readonly fromMs: number;
  readonly untilMs: number;
}

type VerifyPorts = CreditPorts;
type Part = Pick<Span, 'fromMs' | 'toMs'>;

/** Null where even its first bucket holds too many. `isSettling`: orders are credited to what is known of their persons by now. */
export async function verify(
  merchantId: string,
  span: Part,
  isSettling: boolean,
  ports: VerifyPorts,
): Promise<Verification | null> {
  const whole: Part = {
    fromMs: floorTo(span.fromMs, SPARSE_BUCKET_MS),
    toMs: -floorTo(-span.toMs, SPARSE_BUCKET_MS),
  };
  let part: Part | null = await firstPart(merchantId, whole, ports);
  while (part !== null) {
    try {
      return await compare(merchantId, part, isSettling, ports);
    } catch (error) {
      if (!(error instanceof TooManyRows)) throw error;
      // The counters that the part was chosen by are wrong.
      const half = part.fromMs + floorTo((part.toMs - part.fromMs) / 2, SPARSE_BUCKET_MS);
      part = half > part.fromMs ? { ...part, toMs: half } : null;
    }
  }
  return null;
}

/** As many whole slots from the beginning as hold few enough rows by what was counted, but one bucket at least. */
async function firstPart(
  merchantId: string,
  whole: Part,
  ports: VerifyPorts,
  slots?: readonly BucketRow[],
): Promise<Part | null> {
  const { fromMs } = whole;
  let rows = 0;
  const own = slots ?? (await readCounters(merchantId, whole, ports));
  // Where some minutes are counted together, none of them is a part of its own.
  const finestMs = own.some(({ key }) => isSparse(key)) ? SPARSE_BUCKET_MS : MINUTE_MS;
  const byStart = Map.groupBy(own, ({ key }) =>
    key.grain === 'minute' ? floorTo(key.startMs, finestMs) : key.startMs,
  );
  for (const [startMs, parts] of byStart) {
    rows += parts.reduce((sum, { counters }) => sum + rowsOf(counters), 0);
    if (rows <= VERIFIED_ROWS_MAX) continue;
    if (startMs > fromMs) return { fromMs, toMs: startMs };
    const grain = parts[0]?.key.grain ?? 'minute';
    const toMs = Math.max(...parts.map(({ key }) => endOf(key)));
    if (grain === 'minute') return rows > 2 * VERIFIED_ROWS_MAX ? null : { fromMs, toMs };
    const finer = await ports.counters.range(merchantId, FINER[grain], startMs, toMs);
    return await firstPart(merchantId, { fromMs, toMs }, ports, finer);
  }
  return whole;
}

const rowsOf = ({ events, bots, merged }: BucketCounters): number => events + bots + merged;

async function compare(
  merchantId: string,
  part: Part,
  isSettling: boolean,
  ports: VerifyPorts,
): Promise<Verification> {
  const before = total(await readCounters(merchantId, part, ports));
  const rows = { orders: [], refunds: [] } satisfies CreditedRows as {
    [Kind in keyof CreditedRows]: CreditedRows[Kind][number][];
  };
  const { fromMs, toMs } = part;
  const slots =
    before.credits === undefined ? [] : await ports.counters.range(merchantId, 'minute', fromMs, toMs);
  const fold = await recountAll(merchantId, part, ports, {
    settled: settledIn(slots),
    onOrder: (row) => void rows.orders.push(row),
    onRefund: (row) => void rows.refunds.push(row),
  });
  const credit = await recountCredit(rows, isSettling, ports);
  const recounted = sumCounters([fold.counters, credit.change]);
  const now = await readCounters(merchantId, part, ports);
  const after = total(now);
  // Whatever was written meanwhile, one of the two was counted from what was read here, if anything was.
  const [first, second] = [figuresBetween(before, recounted), figuresBetween(after, recounted)];
  const figures = driftOf(second) <= driftOf(first) ? second : first;
  const drift = driftOf(figures);
  return {
    fromMs: part.fromMs,
    untilMs: part.toMs,
    rows: rowsOf(fold.counters) + fold.uncounted.length,
    unreadable: fold.uncounted.length,
    settling: drift > 0 && (await isMoving(merchantId, part, now, ports)),
    drift,
    credit: credit.view,
    figures,
  };
}

async function recountAll(
  merchantId: string,
  { fromMs, toMs }: Part,
  { counters, stored, platforms }: VerifyPorts,
  each: Omit<EveryRow, 'shards' | 'rowsMax'>,
): Promise<FoldResult> {
  const opened = await counters.openedShards(merchantId, fromMs, toMs);
  const shards = everyShard(opened);
  const bounds = { ...each, shards, rowsMax: 2 * VERIFIED_ROWS_MAX };
  return await recountEveryRow(merchantId, fromMs, toMs, { ...stored, platforms }, bounds);
}

/** Examples, and the codes by which lists find events, are no figures: the audit compares them. */
const numbersOf = (counters: BucketCounters): ReadonlyMap<string, string> =>
  figuresOf({ ...counters, examples: {}, codes: {} });

function figuresBetween(counted: BucketCounters, recounted: BucketCounters): Figures {
  const [left = new Map(), right = new Map()] = comparable(counted, recounted).map(numbersOf);
  const names = [...new Set([...left.keys(), ...right.keys()])].sort();
  return Object.fromEntries(
    names.map((name) => {
      const [a, b] = [BigInt(left.get(name) ?? '0'), BigInt(right.get(name) ?? '0')];
      return [name, { counted: Number(a), recounted: Number(b), drift: Number(a - b) }];
    }),
  );
}

const driftOf = (figures: Figures): number =>
  Object.values(figures).reduce((sum, { drift }) => sum + Math.abs(drift), 0);

/** Some minute of it is due: somebody is about to count it. */
async function isMoving(
  merchantId: string,
  { fromMs, toMs }: Part,
  slots: readonly BucketRow[],
  { counters }: VerifyPorts,
): Promise<boolean> {
  const isDue = ({ dueAtMs }: BucketRow): boolean => dueAtMs !== undefined;
  if (slots.some(isDue)) return true;
  return (await counters.range(merchantId, 'minute', fromMs, toMs)).some(isDue);
}
