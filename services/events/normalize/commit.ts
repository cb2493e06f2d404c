// Writes normalized rows and sends their pointers to fan-out: single rows one by one, batches with their manifest
// first. Guarantees: a message marked `first` is sent only after every write it depends on was tried; a row whose write
// failed stays accepted and fails alone.
import { inParallel } from '#lib/adapters/concurrency/in-parallel.ts';
import { SendFailure } from '#lib/core/ports/queue.ts';
import type { EventKey, NormalizedRow } from '#lib/events/domain/event/row.ts';
import { batchesOf, byTenant, keysOf, packBatches, packPointers } from '#lib/events/domain/pointer.ts';
import type { NormalizedMessage } from '../fan-out/message.ts';
import { type Batch, newBatchId, planBatches } from './batches.ts';
import type { NormalizePorts } from './ports.ts';

const WRITES_AT_ONCE = 16;

/** A crash between the writes and the messages leaves rows that are found through their slot. */
export async function commit(
  rows: readonly NormalizedRow[],
  ports: NormalizePorts,
  fail: (row: Pick<NormalizedRow, 'key'>, error: unknown) => void,
): Promise<void> {
  const { batches, alone } = planBatches(rows, () => newBatchId(ports.random.next));
  const described = await putManifests(batches, ports, fail);
  const committed: EventKey[] = [];
  await inParallel([...alone, ...described.flatMap((batch) => batch.rows)], WRITES_AT_ONCE, async (row) => {
    try {
      const isMine = await ports.events.normalize(row);
      // A row that waits for its server copy is found by its due time.
      if (isMine && row.place === undefined && row.heldUntilMs === undefined) committed.push(row.key);
    } catch (error) {
      fail(row, error);
    }
  });
  // Send the batch's pointer even after a failed write: the write may have succeeded. A row that belongs to another
  // batch names that one.
  const batchKeys = described.map(({ manifest }) => manifest.batch);
  await send([...packPointers(committed, 'first'), ...packBatches(batchKeys, 'first')], ports);
}

/** Manifests before rows, so that a row's batch always exists. A manifest without rows is harmless. */
async function putManifests(
  batches: readonly Batch[],
  ports: NormalizePorts,
  fail: (row: Pick<NormalizedRow, 'key'>, error: unknown) => void,
): Promise<readonly Batch[]> {
  const put = await inParallel(batches, WRITES_AT_ONCE, async (batch) => {
    try {
      await ports.batches.putManifest(batch.manifest);
      return batch;
    } catch (error) {
      for (const row of batch.rows) fail(row, error);
      return null;
    }
  });
  return put.filter((batch) => batch !== null);
}

/**
 * If it is unknown whether messages arrived, they are sent again without the `first` mark. If that fails too, the fold
 * of their slot sends them.
 */
async function send(bodies: readonly NormalizedMessage[], ports: NormalizePorts): Promise<void> {
  if (bodies.length === 0) return;
  try {
    await ports.normalized.send(byTenant(bodies));
  } catch (error) {
    const again = error instanceof SendFailure ? error.failedIndexes.flatMap((i) => bodies[i] ?? []) : bodies;
    await ports.normalized.send(byTenant(again.flatMap(unmarked))).catch((second: unknown) => {
      ports.report('pointers to normalized rows were not sent', second);
    });
  }
}

const unmarked = (body: NormalizedMessage): readonly NormalizedMessage[] =>
  'batches' in body ? packBatches(batchesOf(body), 'unattempted') : packPointers(keysOf(body), 'unattempted');
