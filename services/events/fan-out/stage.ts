// normalized → what is new goes to the platforms at once; of the rest, one pointer per target platform.
// Guarantees: a row, a message, a platform or its queue that fails does not hold up the others; what may have been sent goes to
// its queue, and not as the first.

import { type BatchResult, type Received, SendFailure } from '#lib/core/ports/queue.ts';
import { platformOf } from '#lib/events/domain/connections/target.ts';
import { BATCH_ROWS_MAX, type BatchKey } from '#lib/events/domain/deliveries/batch.ts';
import type { EventKey, EventRow, NormalizedRow } from '#lib/events/domain/event/row.ts';
import {
  byTenant,
  keysOf,
  POINTERS_MAX,
  type Pointers,
  packBatches,
  packPointers,
} from '#lib/events/domain/pointer.ts';
import { DELIVERY_MESSAGES_MAX } from '#lib/events/domain/topology.ts';
import { createOrderReports, type OrderReports } from '#lib/events/pipeline/orders/order-reports.ts';
import { readRows } from '#lib/events/pipeline/read-rows.ts';
import { sendApart } from '#lib/events/pipeline/recovery/send-apart.ts';
import { withdraw } from '#lib/events/pipeline/recovery/withdraw.ts';
import type { DeliveryMessage } from '../deliver/message.ts';
import { fanOutBatches, readManifests } from './batches.ts';
import { fanOutRow } from './decide.ts';
import { sendAtOnce } from './express.ts';
import { releaseHeld } from './held-rows.ts';
import type { NormalizedMessage } from './message.ts';
import type { ByPlatform, PlatformPointers } from './platform-pointers.ts';
import type { FanOutPorts } from './ports.ts';

export type FanOutStage = (messages: readonly Received<NormalizedMessage>[]) => Promise<BatchResult>;

/** As it is being collected. */
interface Collected extends PlatformPointers {
  readonly first: { readonly rows: EventKey[]; readonly batches: BatchKey[] };
  readonly again: { readonly rows: EventKey[]; readonly batches: BatchKey[] };
}

export function createFanOutStage(ports: FanOutPorts): FanOutStage {
  const orders = createOrderReports(ports);
  return async (messages) => {
    const byPlatform = new Map<string, Collected>();
    const read: NormalizedRow[] = [];
    const failedIndexes: number[] = [];
    const bodies = messages.map(({ body }) => body);
    const manifests = await readManifests(
      bodies.filter((body) => 'batches' in body),
      ports,
    );
    for (const [index, { body, receiveCount }] of messages.entries()) {
      const isFirst = body.first === true && receiveCount === 1;
      try {
        if ('rows' in body)
          read.push(...(await fanOut(body, isFirst, byPlatform, { ...ports, reports: orders })));
        else
          for (const { batch, platform } of await fanOutBatches(body, manifests, ports))
            at(byPlatform, platform)[isFirst ? 'first' : 'again'].batches.push(batch);
      } catch (error) {
        failedIndexes.push(index);
        ports.report('a message could not be fanned out', error);
      }
    }
    await send(await sendAtOnce(byPlatform, { rows: read, manifests }, ports), ports);
    return { failedIndexes };
  };
}

/** Resolves to the rows it has read, as they are now. Throws before it has sent or noted anything, or not at all. */
async function fanOut(
  body: Pointers,
  isFirst: boolean,
  byPlatform: Map<string, Collected>,
  ports: FanOutPorts & { readonly reports: OrderReports },
): Promise<readonly NormalizedRow[]> {
  const unattempted = body.first === true || body.unattempted === true;
  // Its rows are normalized: a row that does not look so yet (a stale read) is read again.
  const read = await readRows(keysOf(body), ports.events, { isReady: isNormalized });
  const normalized = read.rows.filter(isNormalized);
  const rows = isFirst ? normalized : await releaseHeld(normalized, ports, ports.reports);
  for (const row of rows) {
    const isReleased = row.heldUntilMs !== undefined;
    const { send, gone } = fanOutRow(row, ports.platforms, unattempted || isReleased, ports.clock.now());
    for (const slug of send)
      at(byPlatform, slug)[isFirst || isReleased ? 'first' : 'again'].rows.push(row.key);
    for (const slug of gone)
      await withdraw(row, slug, ports).catch((error: unknown) => {
        ports.report(`a delivery to ${slug}, which is gone, was not ended`, error);
      });
  }
  // A row that was released is stored otherwise than it was read.
  return rows.filter((row) => row.heldUntilMs === undefined);
}

/** Rows of a batch are handled with their batch. */
const isNormalized = (row: EventRow): row is NormalizedRow =>
  row.state === 'normalized' && row.place === undefined;

/**
 * Sends per platform, so that a failing queue does not hold up the other platforms. An unsent pointer has no delivery
 * in its row yet, or the row is due: the sweep sends it again.
 */
async function send(byPlatform: ByPlatform, ports: FanOutPorts): Promise<void> {
  await Promise.all(
    [...byPlatform].map(async ([platform, { first, again }]) => {
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

/** If it is unknown whether messages arrived, they are sent again without the `first` mark. */
async function sendTo(
  platform: string,
  bodies: readonly DeliveryMessage[],
  ports: FanOutPorts,
): Promise<void> {
  const queue = ports.deliveries(platformOf(platform));
  try {
    await queue.send(byTenant(bodies));
  } catch (error) {
    const failed =
      error instanceof SendFailure ? error.failedIndexes.flatMap((i) => bodies[i] ?? []) : bodies;
    const unmarked = failed.map(({ first: _, ...body }): DeliveryMessage => body);
    await sendApart(queue, unmarked, ports.report);
  }
}

/**
 * As many rows as let the messages of one invocation fill one request to the platform, and no more: a message is
 * retried as a whole.
 */
function rowsMaxFor(platform: string, { platforms }: FanOutPorts): number {
  const batchSizeMax = platforms.find(({ slug }) => slug === platformOf(platform))?.limits.batchSizeMax ?? 0;
  return Math.max(POINTERS_MAX, Math.ceil(batchSizeMax / DELIVERY_MESSAGES_MAX));
}

function at(byPlatform: Map<string, Collected>, slug: string): Collected {
  const known = byPlatform.get(slug);
  if (known !== undefined) return known;
  const made: Collected = { first: { rows: [], batches: [] }, again: { rows: [], batches: [] } };
  byPlatform.set(slug, made);
  return made;
}
