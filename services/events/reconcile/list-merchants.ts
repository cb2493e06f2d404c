// Which merchants to recount: all of them, several per message. Guarantees: a long listing continues in a message of its
// own; a repeated listing recounts merchants twice, which is harmless.
import type { BatchResult, Received } from '#lib/core/ports/queue.ts';
import { floorTo, HOUR_MS } from '#lib/core/work/time-slot.ts';
import { SEAL_MS } from '#lib/events/pipeline/counting/count-minute.ts';
import { noteSchedule } from '#lib/events/pipeline/pages/guard-expiry.ts';
import type { ListingMessage, RecountMessage } from './message.ts';
import type { ReconcilePorts } from './ports.ts';

const MERCHANTS_PER_MESSAGE = 50;
const MESSAGES_PER_SEND = 40;
/** A listing hands over to a new message after this: a sixth of the function's timeout. */
const LISTING_MS = 20_000;

type ListingPorts = Pick<ReconcilePorts, 'recounts' | 'clock' | 'merchantIds'>;
type SchedulePorts = ListingPorts & Pick<ReconcilePorts, 'archive'>;

type Work = (messages: readonly Received<RecountMessage>[]) => Promise<BatchResult>;

/**
 * Recounts the newest sealed hour, for the schedule. As many merchants as one message holds are recounted at once: a small
 * deployment polls no queue for it. What fails or takes too long goes to the queue, and so does the hour of more merchants.
 */
export async function recountNewest(ports: SchedulePorts, work: Work): Promise<void> {
  await beginNewest(ports, work);
  if (ports.archive !== undefined) await noteSchedule(ports.archive);
}

async function beginNewest(ports: ListingPorts, work: Work): Promise<void> {
  const merchants: string[] = [];
  for await (const merchantId of ports.merchantIds()) {
    if (merchants.length === MERCHANTS_PER_MESSAGE) return await beginRecount(ports);
    merchants.push(merchantId);
  }
  if (merchants.length === 0) return;
  const nowMs = ports.clock.now();
  const body = { hour: newestSealed(nowMs), merchants };
  const { failedIndexes } = await work([{ body, receiveCount: 1, sentAtMs: nowMs }]);
  if (failedIndexes.length > 0) await send([body], ports.recounts);
}

const newestSealed = (nowMs: number): number => floorTo(nowMs - SEAL_MS - HOUR_MS, HOUR_MS);

/** Begins the recount of the newest sealed hour. It only sends a message, which survives a crash. */
export async function beginRecount({
  recounts,
  clock,
}: Pick<ReconcilePorts, 'recounts' | 'clock'>): Promise<void> {
  await send([{ hour: newestSealed(clock.now()), list: 'merchants' }], recounts);
}

export async function listMerchants({ hour, after }: ListingMessage, ports: ListingPorts): Promise<void> {
  const { recounts, clock, merchantIds } = ports;
  const endMs = clock.now() + LISTING_MS;
  let listed: string[] = [];
  const flush = async (): Promise<void> => {
    const messages: RecountMessage[] = [];
    for (let at = 0; at < listed.length; at += MERCHANTS_PER_MESSAGE)
      messages.push({ hour, merchants: listed.slice(at, at + MERCHANTS_PER_MESSAGE) });
    listed = [];
    await send(messages, recounts);
  };
  for await (const merchantId of merchantIds(after)) {
    listed.push(merchantId);
    if (listed.length < MERCHANTS_PER_MESSAGE * MESSAGES_PER_SEND) continue;
    await flush();
    if (clock.now() < endMs) continue;
    await send([{ hour, list: 'merchants', after: merchantId }], recounts);
    return;
  }
  await flush();
}

/** The sender drops the group: the parts of an hour may come in any order. */
export async function send(
  messages: readonly RecountMessage[],
  recounts: ReconcilePorts['recounts'],
): Promise<void> {
  if (messages.length > 0) await recounts.send(messages.map((body) => ({ body, groupId: 'recount' })));
}
