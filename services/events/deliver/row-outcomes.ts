// What became of rows that stand alone, at all platforms that express sent them to: one write a row, once everything was answered
// or left behind. Guarantees: a success is never lost and never overwritten; a write that finds another process's is made anew,
// platform by platform; if a worker crashes before, answers of two seconds at most count as unknown.
import { inParallel } from '#lib/adapters/concurrency/in-parallel.ts';
import type { Delivery } from '#lib/events/domain/deliveries/delivery.ts';
import { nextDueMs } from '#lib/events/domain/deliveries/progress.ts';
import type { NormalizedRow } from '#lib/events/domain/event/row.ts';
import { rowId } from '#lib/events/pipeline/read-rows.ts';
import type { JobReport } from './candidates.ts';
import { inTurn, type RecordPorts, recordDelivery, type Transition } from './transitions.ts';

const WRITES_AT_ONCE = 16;

export interface RowOutcomes {
  /** Kept until `finish`, after which it is written at once. Does not throw. */
  note(row: NormalizedRow, platform: string, transition: Transition, report: JobReport): Promise<void>;
  /** Writes what was noted. */
  finish(): Promise<void>;
}

interface Noted {
  readonly row: NormalizedRow;
  /** By platform. */
  readonly changes: Map<string, { readonly transitions: Transition[]; readonly report: JobReport }>;
}

export function createRowOutcomes(ports: RecordPorts): RowOutcomes {
  const noted = new Map<string, Noted>();
  let isOver = false;
  return {
    async note(row, platform, transition, report) {
      if (isOver) return await recordApart(row, platform, transition, report, ports);
      const known = noted.get(rowId(row.key)) ?? { row, changes: new Map() };
      noted.set(rowId(row.key), known);
      const change = known.changes.get(platform) ?? { transitions: [], report };
      change.transitions.push(transition);
      known.changes.set(platform, change);
    },
    async finish() {
      isOver = true;
      await inParallel([...noted.values()], WRITES_AT_ONCE, (one) => write(one, ports));
    },
  };
}

async function write({ row, changes }: Noted, ports: RecordPorts): Promise<void> {
  const next = new Map<string, Delivery>();
  for (const [platform, { transitions }] of changes) {
    const delivery = inTurn(transitions)(row.deliveries[platform]);
    if (delivery !== null) next.set(platform, delivery);
  }
  const [first, ...others] = next;
  if (first === undefined) return;
  const [platform, delivery] = first;
  const also = Object.fromEntries(others);
  const dueAtMs = nextDueMs({ ...row, deliveries: { ...row.deliveries, ...Object.fromEntries(next) } });
  const patch = { platform, delivery, dueAtMs, ...(others.length === 0 ? {} : { also }) };
  const written = await ports.events.putDelivery(row, patch).catch(() => null);
  if (written !== null) {
    for (const slug of next.keys()) changes.get(slug)?.report.changed(written);
    return;
  }
  for (const [slug, { transitions, report }] of changes)
    await recordApart(row, slug, inTurn(transitions), report, ports);
}

/** One delivery in a write of its own. Does not throw. */
export async function recordApart(
  row: NormalizedRow,
  platform: string,
  transition: Transition,
  report: JobReport,
  ports: RecordPorts,
): Promise<void> {
  try {
    const written = await recordDelivery(row, platform, transition, ports);
    if (written !== null) report.changed(written);
  } catch (error) {
    report.fail(rowId(row.key), error);
  }
}
