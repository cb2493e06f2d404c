// A step of an erasure: pages of rows are looked at, those of the person are written without it. A pass that found some is
// followed by another one, after a rest, because a row may have been copied while the pass was under way (to the archive, into
// a replay); one that met rows it could not read by another one after a long rest. Guarantees: done is said only after a pass
// that found nothing to copy and could read every row; done twice, a page counts the same.
import { written } from '#lib/core/work/long-task.ts';
import { sumCounts } from '#lib/core/work/sum-counts.ts';
import {
  type Erasure,
  IN_FLIGHT_MS,
  isClean,
  NO_COUNTS,
  unreadableRestMs,
} from '#lib/events/domain/erasure/erasure.ts';
import { openSubject } from '#lib/events/pipeline/erasure/sealed-subject.ts';
import { touchKeysOf } from '#lib/events/pipeline/erasure/subject.ts';
import { isBehind, receivedEntries } from '#lib/events/pipeline/received-entries.ts';
import { erasePage } from './erasure-page.ts';
import type { TaskPorts } from './ports.ts';

const PAGE_MAX = 100;

/** What is to be told to go on; null where that is nobody's, or somebody else's, to do. */
export async function runErasureStep(
  taken: Erasure,
  endMs: number,
  ports: TaskPorts,
): Promise<Erasure | null> {
  const { clock, erasures } = ports;
  const { merchantId, fromMs, toMs = fromMs, cursor } = taken;
  const subject = await openSubject(taken, ports.vault);
  let erasure = taken;
  const range = { merchantId, fromMs: cursor?.receivedAtMs ?? fromMs, toMs, order: 'asc' } as const;
  for await (const page of receivedEntries(range, PAGE_MAX, ports)) {
    // A row on its way into the archive stands in the index twice under one id: the entry of the cursor is looked at again.
    const entries = page.filter((entry) => cursor === undefined || !isBehind(cursor, entry));
    const last = entries.at(-1);
    if (last === undefined) continue;
    const counts = await erasePage(entries, { erasure, subject }, ports);
    const noted = await written(
      {
        ...erasure,
        cursor: { receivedAtMs: last.receivedAtMs, ingestId: last.ingestId },
        counts: sumCounts(erasure.counts, counts),
        updatedAtMs: clock.now(),
      },
      erasures.writeErasure,
    );
    if (noted === null) return null;
    erasure = noted;
    if (clock.now() >= endMs) return erasure;
  }
  // What a normalization remembered that died before its row was written, under what the person was asked for by.
  await ports.touches.forgetTouches(merchantId, touchKeysOf(merchantId, subject));
  return await endPass(erasure, ports);
}

async function endPass(erasure: Erasure, { clock, erasures }: TaskPorts): Promise<Erasure | null> {
  const nowMs = clock.now();
  const { cursor: _c, ...rest } = erasure;
  const isRead = erasure.counts.unreadable === 0;
  if (isClean(erasure) && isRead) {
    const { sealedSubject: _s, ...receipt } = rest;
    await written({ ...receipt, state: 'done', updatedAtMs: nowMs }, erasures.writeErasure);
    return null;
  }
  const { toMs: _t, ...begun } = rest;
  const pass = erasure.pass + 1;
  if (!isClean(erasure)) {
    const notBeforeMs = nowMs + IN_FLIGHT_MS;
    return await written(
      { ...begun, pass, notBeforeMs, updatedAtMs: nowMs, counts: NO_COUNTS },
      erasures.writeErasure,
    );
  }
  // What was counted is shown while it rests.
  const notBeforeMs = nowMs + unreadableRestMs(erasure, nowMs);
  await written({ ...begun, pass, notBeforeMs, updatedAtMs: nowMs }, erasures.writeErasure);
  return null;
}
