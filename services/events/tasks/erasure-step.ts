// A step of an erasure: reads pages of rows, and writes those of the person without the personal data. A pass that
// found some is followed by another one after a rest, because a row may have been copied during the pass (to the
// archive, or into a replay); a pass with unreadable rows by another one after a long rest. Guarantees: the erasure is
// done only after a pass that found nothing to erase and could read every row; a page that is done twice counts once. Then platforms
// are asked to delete the person too.

import { sumCounts } from '#lib/core/values/sum-counts.ts';
import { written } from '#lib/core/work/long-task.ts';
import {
  type Erasure,
  IN_FLIGHT_MS,
  isClean,
  NO_COUNTS,
  unreadableRestMs,
} from '#lib/events/domain/erasure/erasure.ts';
import { openSubject } from '#lib/events/pipeline/erasure/sealed-subject.ts';
import { personKeysOf } from '#lib/events/pipeline/erasure/subject.ts';
import { isBehind, receivedEntries } from '#lib/events/pipeline/received-entries.ts';
import { erasePage } from './erasure-page.ts';
import { nextAskMs, passOn, withoutLate } from './pass-on.ts';
import type { TaskPorts } from './ports.ts';

const PAGE_MAX = 100;

/** Returns the erasure if it needs another step; null if not, or if another worker has it. */
export async function runErasureStep(
  taken: Erasure,
  endMs: number,
  ports: TaskPorts,
): Promise<Erasure | null> {
  const { clock, erasures } = ports;
  if (taken.ownDoneAtMs !== undefined) return await askPlatforms(taken, endMs, ports);
  const { merchantId, fromMs, toMs = fromMs, cursor } = taken;
  const subject = await openSubject(taken, ports.vault);
  let erasure = taken;
  const range = { merchantId, fromMs: cursor?.receivedAtMs ?? fromMs, toMs, order: 'asc' } as const;
  for await (const page of receivedEntries(range, PAGE_MAX, ports)) {
    // A row that is being archived is in the index twice under one id: the entry at the cursor is read again.
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
  // What a normalization stored that died before its row was written, by the identifiers of the request.
  await ports.people.forgetPeople(merchantId, personKeysOf(merchantId, subject));
  return await endPass(erasure, endMs, ports);
}

async function endPass(erasure: Erasure, endMs: number, ports: TaskPorts): Promise<Erasure | null> {
  const { clock, erasures } = ports;
  const nowMs = clock.now();
  const { cursor: _c, ...rest } = erasure;
  const isRead = erasure.counts.unreadable === 0;
  const pass = erasure.pass + 1;
  if (!isClean(erasure)) {
    const { toMs: _t, ...begun } = rest;
    const notBeforeMs = nowMs + IN_FLIGHT_MS;
    return await written(
      { ...begun, pass, notBeforeMs, updatedAtMs: nowMs, counts: NO_COUNTS },
      erasures.writeErasure,
    );
  }
  // Nothing of the person is on its way to a platform any more: what a platform deletes now stays deleted.
  const asking = { ...rest, passingSinceMs: erasure.passingSinceMs ?? nowMs };
  if (isRead) {
    const { sealedSubject: _s, ...own } = asking;
    return await askPlatforms({ ...own, ownDoneAtMs: nowMs }, endMs, ports);
  }
  const asked = await passOn(asking, endMs, ports);
  if (asked === null) return null;
  const { toMs: _t, ...next } = withoutLate(asked, ports);
  // The counts are shown while it rests.
  const notBeforeMs = nowMs + unreadableRestMs(erasure, nowMs);
  await written({ ...next, pass, notBeforeMs, updatedAtMs: nowMs }, erasures.writeErasure);
  return null;
}

/** Done when each of them has taken it, or a week is over. */
async function askPlatforms(erasure: Erasure, endMs: number, ports: TaskPorts): Promise<Erasure | null> {
  const asked = await passOn(erasure, endMs, ports);
  if (asked === null) return null;
  const { clock, erasures } = ports;
  const updatedAtMs = clock.now();
  const next = { ...withoutLate(asked, ports), updatedAtMs };
  const notBeforeMs = nextAskMs(next);
  if (notBeforeMs !== null) return await written({ ...next, notBeforeMs }, erasures.writeErasure);
  const { sealedPerson: _p, ...receipt } = next;
  await written({ ...receipt, state: 'done' }, erasures.writeErasure);
  return null;
}
