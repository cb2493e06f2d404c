// A step of an erasure: pages of rows are looked at, those of the person are written without it. A pass that found some is
// followed by another one, after a rest, because a row may have been copied while the pass was under way (to the archive, into
// a replay). Guarantees: done is said only after a pass that found nothing to copy; done twice, a page counts the same.
import {
  addCounts,
  type Erasure,
  type ErasureCursor,
  IN_FLIGHT_MS,
  isClean,
  NO_COUNTS,
} from '../../../lib/events/domain/erasure.ts';
import { openSubject } from '../../../lib/events/pipeline/erasure/sealed-subject.ts';
import { touchKeysOf } from '../../../lib/events/pipeline/erasure/subject.ts';
import { type Entry, receivedEntries } from '../../../lib/events/pipeline/received-entries.ts';
import { erasePage } from './erasure-page.ts';
import type { TaskPorts } from './ports.ts';
import { written } from './written.ts';

/** A third of its function's time. */
const BUDGET_MS = 20_000;
const PAGE_MAX = 100;

/** What is to be told to go on; null where that is nobody's, or somebody else's, to do. */
export async function runErasureStep(taken: Erasure, ports: TaskPorts): Promise<Erasure | null> {
  const { clock, erasures } = ports;
  const { merchantId, fromMs, toMs = fromMs, cursor } = taken;
  const subject = await openSubject(taken, ports.vault);
  const endMs = clock.now() + BUDGET_MS;
  let erasure = taken;
  const range = { merchantId, fromMs: cursor?.receivedAtMs ?? fromMs, toMs, order: 'asc' } as const;
  for await (const page of receivedEntries(range, PAGE_MAX, ports)) {
    const entries = page.filter((entry) => cursor === undefined || !isBefore(entry, cursor));
    const last = entries.at(-1);
    if (last === undefined) continue;
    const counts = await erasePage(entries, { erasure, subject }, ports);
    const noted = await written(
      {
        ...erasure,
        cursor: { receivedAtMs: last.receivedAtMs, ingestId: last.ingestId },
        counts: addCounts(erasure.counts, counts),
        updatedAtMs: clock.now(),
      },
      erasures,
    );
    if (noted === null) return null;
    erasure = noted;
    if (clock.now() >= endMs) return erasure;
  }
  // What a normalization remembered that died before its row was written, under what the person was asked for by.
  await ports.touches.forgetTouches(merchantId, touchKeysOf(merchantId, subject));
  return await endPass(erasure, ports);
}

/** A row on its way into the archive stands in the index twice under one id: the entry of the cursor is looked at again. */
function isBefore(entry: Entry, cursor: ErasureCursor): boolean {
  if (entry.receivedAtMs !== cursor.receivedAtMs) return entry.receivedAtMs < cursor.receivedAtMs;
  return entry.ingestId < cursor.ingestId;
}

async function endPass(erasure: Erasure, { clock, erasures }: TaskPorts): Promise<Erasure | null> {
  const nowMs = clock.now();
  const { cursor: _c, ...rest } = erasure;
  if (isClean(erasure)) {
    const { sealedSubject: _s, ...receipt } = rest;
    await written({ ...receipt, state: 'done', updatedAtMs: nowMs }, erasures);
    return null;
  }
  const { toMs: _t, ...begun } = rest;
  const notBeforeMs = nowMs + IN_FLIGHT_MS;
  const next = { ...begun, pass: erasure.pass + 1, notBeforeMs, updatedAtMs: nowMs, counts: NO_COUNTS };
  return await written(next, erasures);
}
