// Browser events that have waited for their server copy: each yields to it, or to another report of its order, or is released.
// Guarantees: a row that fails, or whose server copy cannot be read, does not affect others; its slot or due time finds
// it again.
import { inParallel } from '#lib/adapters/concurrency/in-parallel.ts';
import { hasUnattempted, nextDueMs, targetsOf } from '#lib/events/domain/deliveries/progress.ts';
import { endWithout, lease } from '#lib/events/domain/deliveries/transition.ts';
import type { NormalizedRow } from '#lib/events/domain/event/row.ts';
import type { OrderDecision } from '#lib/events/domain/orders/order.ts';
import {
  type OrderReports,
  withEarlyRefunds,
  withoutKept,
} from '#lib/events/pipeline/orders/order-reports.ts';
import { readServerCopies, SERVER_COPY, yieldToServer } from '#lib/events/pipeline/server-copies.ts';
import type { FanOutPorts } from './ports.ts';

const ROWS_AT_ONCE = 16;

/**
 * Returns the rows to fan out. Right after the write that releases a row no worker can have sent it, and the message
 * that follows says so. A server event that this function does not see after that write sees that the row was released
 * (`decideBesideCopy`).
 */
export async function releaseHeld(
  rows: readonly NormalizedRow[],
  ports: FanOutPorts,
  orders: OrderReports,
): Promise<readonly NormalizedRow[]> {
  const nowMs = ports.clock.now();
  const isWaiting = (row: NormalizedRow): boolean => (row.heldUntilMs ?? 0) > nowMs;
  const unsent = rows.filter((row) => !isWaiting(row) && mayHaveCopy(row));
  const copyOf = await readServerCopies(unsent, ports.events);
  const released: NormalizedRow[] = [];
  const done = new Set<NormalizedRow>();
  await inParallel(unsent, ROWS_AT_ONCE, async (row) => {
    const copy = copyOf(row);
    if (row.heldUntilMs !== undefined || copy !== undefined) done.add(row);
    try {
      // On a conflict another process wrote the row: its slot or due time finds it again.
      if (copy === 'unreadable') return;
      if (copy !== undefined && row.heldUntilMs !== undefined)
        await ports.events.withdraw(row, yieldToServer(row));
      else if (copy !== undefined) await skipCopy(row, ports);
      else if (row.heldUntilMs !== undefined) {
        // Its order is marked as sent before it can be: a server's report that comes later sees that.
        const reported = await orders.report(row, row.event, row.verdicts, row.event.credit);
        if (reported?.isRepeated === true)
          await ports.events.withdraw(row, withoutKept(row.verdicts, targetsOf(row)));
        else if (await ports.events.release(row, withRefunds(row.event, reported))) released.push(row);
      }
    } catch (error) {
      done.add(row);
      ports.report('a browser event that waited could not be released', error);
    }
  });
  const lateCopyOf = await readServerCopies(released, ports.events);
  await inParallel(released, ROWS_AT_ONCE, async (row) => {
    const copy = lateCopyOf(row);
    if (copy === undefined) done.delete(row);
    else if (copy !== 'unreadable')
      await skipCopy(withoutWait(row), ports).catch((error: unknown) => {
        ports.report('a browser event did not yield to its server copy', error);
      });
  });
  return rows.filter((row) => !isWaiting(row) && !done.has(row));
}

/** Undefined: none came before its order. */
const withRefunds = (
  event: NormalizedRow['event'],
  reported: OrderDecision | undefined,
): NormalizedRow['event'] | undefined =>
  reported?.early === undefined || event.credit === undefined
    ? undefined
    : { ...event, credit: withEarlyRefunds(event.credit, reported) };

const mayHaveCopy = (row: NormalizedRow): boolean =>
  row.heldUntilMs !== undefined ||
  (row.key.channel === 'browser' && Object.keys(row.deliveries).length === 0 && hasUnattempted(row));

/** A released row may have been sent already, even if its message seems lost: its end records that as unknown. */
async function skipCopy(row: NormalizedRow, ports: FanOutPorts): Promise<void> {
  let current: NormalizedRow | null = row;
  for (const slug of targetsOf(row)) {
    if (current === null) return;
    const nowMs = ports.clock.now();
    const delivery = endWithout(lease(undefined, nowMs, true), 'SKIPPED', SERVER_COPY, nowMs);
    const after: NormalizedRow = { ...current, deliveries: { ...current.deliveries, [slug]: delivery } };
    const patch = { platform: slug, delivery, dueAtMs: nextDueMs(after) };
    current = await ports.events.putDelivery(current, patch);
  }
}

function withoutWait({ heldUntilMs: _held, dueAtMs: _due, ...row }: NormalizedRow): NormalizedRow {
  return row;
}
