// normalized → one pointer per platform that is to have the event.
// Guarantees: writes nothing, unless a platform was taken out of the code while its deliveries were open, or a browser event
// has waited for its server copy; a row, a message or a platform's queue that fails keeps no other from its way.

import { type BatchResult, type Received, SendFailure } from '#lib/core/ports/queue.ts';
import { platformOf } from '#lib/events/domain/connections/slot.ts';
import { BATCH_ROWS_MAX, type BatchKey } from '#lib/events/domain/deliveries/batch.ts';
import type { EventKey, EventRow, NormalizedRow } from '#lib/events/domain/event/row.ts';
import {
  grouped,
  keysOf,
  POINTERS_MAX,
  type Pointers,
  packBatches,
  packPointers,
} from '#lib/events/domain/pointer.ts';
import { DELIVERY_MESSAGES_MAX } from '#lib/events/domain/topology.ts';
import { readRows } from '#lib/events/pipeline/read-rows.ts';
import { sendApart } from '#lib/events/pipeline/recovery/send-apart.ts';
import { withdraw } from '#lib/events/pipeline/recovery/withdraw.ts';
import type { DeliveryMessage } from '../deliver/message.ts';
import { fanOutBatches, readManifests } from './batches.ts';
import { fanOutRow } from './decide.ts';
import { releaseHeld } from './held-rows.ts';
import type { NormalizedMessage } from './message.ts';
import type { FanOutPorts } from './ports.ts';

export type FanOutStage = (messages: readonly Received<NormalizedMessage>[]) => Promise<BatchResult>;

/** What one platform is to hear. */
interface Told {
  /** What nobody can have sent before. */
  readonly first: { readonly rows: EventKey[]; readonly batches: BatchKey[] };
  readonly again: { readonly rows: EventKey[]; readonly batches: BatchKey[] };
}

type ByPlatform = Map<string, Told>;

export function createFanOutStage(ports: FanOutPorts): FanOutStage {
  return async (messages) => {
    const told: ByPlatform = new Map();
    const failedIndexes: number[] = [];
    const bodies = messages.map(({ body }) => body);
    const manifests = await readManifests(
      bodies.filter((body) => 'batches' in body),
      ports,
    );
    for (const [index, { body, receiveCount }] of messages.entries()) {
      const isFirst = body.first === true && receiveCount === 1;
      try {
        if ('rows' in body) await fanOut(body, isFirst, told, ports);
        else
          for (const { batch, platform } of await fanOutBatches(body, manifests, ports))
            at(told, platform)[isFirst ? 'first' : 'again'].batches.push(batch);
      } catch (error) {
        failedIndexes.push(index);
        ports.report('a message could not be fanned out', error);
      }
    }
    await send(told, ports);
    return { failedIndexes };
  };
}

/** Fails before it has sent or noted anything, or not at all. */
async function fanOut(body: Pointers, isFirst: boolean, told: ByPlatform, ports: FanOutPorts): Promise<void> {
  const unattempted = body.first === true || body.unattempted === true;
  // Its rows are normalized: one that does not look so yet is asked for again.
  const read = await readRows(keysOf(body), ports.events, { isReady: isNormalized });
  const normalized = read.rows.filter(isNormalized);
  const rows = isFirst ? normalized : await releaseHeld(normalized, ports);
  for (const row of rows) {
    const isReleased = row.heldUntilMs !== undefined;
    const { send, gone } = fanOutRow(row, ports.platforms, unattempted || isReleased, ports.clock.now());
    for (const slug of send) at(told, slug)[isFirst || isReleased ? 'first' : 'again'].rows.push(row.key);
    for (const slug of gone)
      await withdraw(row, slug, ports).catch((error: unknown) => {
        ports.report(`a delivery to ${slug}, which is gone, was not ended`, error);
      });
  }
}

/** What becomes of a batch's rows is decided with the batch. */
const isNormalized = (row: EventRow): row is NormalizedRow =>
  row.state === 'normalized' && row.place === undefined;

/**
 * Every platform for itself: one whose queue takes nothing keeps no other from its pointers. What could not be sent has
 * left no trace in its row, or is due there: it is told again.
 */
async function send(told: ByPlatform, ports: FanOutPorts): Promise<void> {
  await Promise.all(
    [...told].map(async ([platform, { first, again }]) => {
      try {
        const rowsMax = rowsMaxFor(platform, ports);
        const batchesMax = Math.ceil(rowsMax / BATCH_ROWS_MAX);
        const pointers = [
          ...packPointers(first.rows, 'first', rowsMax),
          ...packPointers(again.rows, undefined, rowsMax),
          ...packBatches(first.batches, 'first', batchesMax),
          ...packBatches(again.batches, undefined, batchesMax),
        ];
        const bodies = pointers.map((body) => ({ ...body, platform }));
        await sendTo(platform, bodies, ports);
      } catch (error) {
        ports.report(`pointers for ${platform} were not sent`, error);
      }
    }),
  );
}

/** Where it is not known whether they arrived, they are sent again as pointers that may have been seen before. */
async function sendTo(
  platform: string,
  bodies: readonly DeliveryMessage[],
  ports: FanOutPorts,
): Promise<void> {
  const queue = ports.deliveries(platformOf(platform));
  try {
    await queue.send(grouped(bodies));
  } catch (error) {
    const failed =
      error instanceof SendFailure ? error.failedIndexes.flatMap((i) => bodies[i] ?? []) : bodies;
    const unmarked = failed.map(({ first: _, ...body }): DeliveryMessage => body);
    await sendApart(queue, unmarked, ports.report);
  }
}

/** So many that the messages of one invocation fill a request to the platform, and no more: a message is one retry. */
function rowsMaxFor(platform: string, { platforms }: FanOutPorts): number {
  const batchSizeMax = platforms.find(({ slug }) => slug === platformOf(platform))?.limits.batchSizeMax ?? 0;
  return Math.max(POINTERS_MAX, Math.ceil(batchSizeMax / DELIVERY_MESSAGES_MAX));
}

function at(told: ByPlatform, slug: string): Told {
  const known = told.get(slug);
  if (known !== undefined) return known;
  const made: Told = { first: { rows: [], batches: [] }, again: { rows: [], batches: [] } };
  told.set(slug, made);
  return made;
}
