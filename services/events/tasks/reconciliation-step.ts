// A step of a reconciliation: reads pages of events, then writes what it saw of the orders, then the progress.
// Guarantees: bounded in time for any number of events; a step that crashes has changed nothing; each event is seen
// once, so that the result does not depend on where steps end or crash.

import { sumCounts } from '#lib/core/values/sum-counts.ts';
import { written } from '#lib/core/work/long-task.ts';
import {
  type OrderStanding,
  type Standing,
  standingAt,
} from '#lib/events/domain/analytics/order-standing.ts';
import {
  comparedPlatforms,
  type Reconciliation,
  type ReconciliationCounts,
  type ReconciliationCursor,
} from '#lib/events/domain/reconciliation/reconciliation.ts';
import { type Entry, isBehind, receivedEntries } from '#lib/events/pipeline/received-entries.ts';
import { type OrderBook, openBook } from './order-book.ts';
import type { TaskPorts } from './ports.ts';
import { seePage } from './reconciliation-page.ts';

const PAGE_MAX = 100;

/** Returns the reconciliation if it needs another step; null if not, or if another worker has it. */
export async function runReconciliationStep(
  taken: Reconciliation,
  endMs: number,
  ports: TaskPorts,
): Promise<Reconciliation | null> {
  const { clock, reconciliations } = ports;
  const book = await openBook(taken, ports);
  const walked = await walk(taken, book, endMs, ports);
  const parts = await book.write();
  const seen: Reconciliation = {
    ...taken,
    parts,
    counts: walked.counts,
    ...(walked.cursor === undefined ? {} : { cursor: walked.cursor }),
    updatedAtMs: clock.now(),
  };
  const next: Reconciliation = walked.isLast
    ? { ...seen, state: 'done', standings: standingsOf(seen, book) }
    : seen;
  const noted = await written(next, reconciliations.writeReconciliation);
  return walked.isLast ? null : noted;
}

interface Walked {
  readonly counts: ReconciliationCounts;
  readonly cursor: ReconciliationCursor | undefined;
  readonly isLast: boolean;
}

async function walk(job: Reconciliation, book: OrderBook, endMs: number, ports: TaskPorts): Promise<Walked> {
  const { merchantId, fromMs, toMs } = job;
  let { counts, cursor } = job;
  const range = { merchantId, fromMs: cursor?.receivedAtMs ?? fromMs, toMs, order: 'asc' } as const;
  for await (const page of receivedEntries(range, PAGE_MAX, ports)) {
    const entries = behind(page, cursor);
    const last = entries.at(-1);
    if (last === undefined) continue;
    counts = sumCounts(counts, await seePage(entries, job, book, ports));
    cursor = { receivedAtMs: last.receivedAtMs, ingestId: last.ingestId };
    if (ports.clock.now() >= endMs) return { counts, cursor, isLast: false };
  }
  return { counts, cursor, isLast: true };
}

/** Each acceptance once: a row that is being archived is in the index twice under one id. */
function behind(page: readonly Entry[], cursor: ReconciliationCursor | undefined): readonly Entry[] {
  const entries = new Map<string, Entry>();
  for (const entry of page)
    if (cursor === undefined || isBehind(entry, cursor)) entries.set(entry.ingestId, entry);
  return [...entries.values()];
}

function standingsOf(job: Reconciliation, book: OrderBook): NonNullable<Reconciliation['standings']> {
  const standings: Record<string, Partial<Record<Standing, number>>> = {};
  for (const platform of comparedPlatforms(job)) {
    const places = job.places.filter((place) => place.platform === platform);
    const counts: Partial<Record<Standing, number>> = {};
    for (const { order, seen } of book.all()) {
      const { standing }: OrderStanding = standingAt(order, seen, places, job);
      counts[standing] = (counts[standing] ?? 0) + 1;
    }
    standings[platform] = counts;
  }
  return standings;
}
