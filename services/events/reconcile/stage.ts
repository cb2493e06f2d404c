// Recounts the counters: recounts a sealed hour of every merchant from its rows, publishes the difference, requests a
// repair, and marks slots as due that hold forgotten rows. Personal data past its retention is erased first.
// Guarantees: no message is worked on for longer than its share of time, and the rest is sent again; a merchant that
// fails is retried alone. Repeating a message is harmless: earlier findings are repaired by then, or reported once
// more.

import { inParallel } from '#lib/adapters/concurrency/in-parallel.ts';
import type { BatchResult, Received } from '#lib/core/ports/queue.ts';
import { merchantSchema } from '#lib/events/domain/pointer.ts';
import { archiveMerchant } from '#lib/events/pipeline/pages/archive-merchant.ts';
import { eraseExpiredDays } from './erasure.ts';
import { listMerchants, send } from './list-merchants.ts';
import type { MerchantsMessage, MinutesMessage, RecountMessage } from './message.ts';
import type { ReconcilePorts } from './ports.ts';
import { recountHour } from './recount-hour.ts';
import { recountMinutes } from './recount-minutes.ts';
import { type ReconcileReport, sumReports } from './report.ts';
import { tendErasures, tendIncidents, tendReconciliations } from './tend-tasks.ts';

/**
 * No part of a message is begun after this: together with the longest minute of a shard, it is a third of the
 * function's timeout.
 */
const TIME_MS = 10_000;
/** Merchants of few rows, whose recount is mostly waiting for I/O. */
const MERCHANTS_AT_ONCE = 8;

export type ReconcileStage = (messages: readonly Received<RecountMessage>[]) => Promise<BatchResult>;

/** `found` is called with the report of each message. */
export function createReconcileStage(
  ports: ReconcilePorts,
  found: (report: ReconcileReport & { readonly hourStartMs: number }) => void,
): ReconcileStage {
  return async (messages) => {
    const failedIndexes: number[] = [];
    const endMs = ports.clock.now() + TIME_MS;
    const isOver = (): boolean => ports.clock.now() >= endMs;
    for (const [index, { body }] of messages.entries()) {
      try {
        if ('archive' in body) {
          await archive(body.archive, ports, isOver);
          continue;
        }
        if ('list' in body) {
          await listMerchants(body, ports);
          continue;
        }
        const isPart = 'minutes' in body;
        const report = isPart
          ? await recountPart(body, ports, isOver)
          : await recountMerchants(body, ports, isOver);
        found({ hourStartMs: body.hour, ...report });
        // A message with this merchant alone is retried by its queue, and ends in the dead-letter queue, for an
        // operator.
        if (!isPart && body.merchants.length === 1 && report.failed > 0) failedIndexes.push(index);
      } catch (error) {
        failedIndexes.push(index);
        ports.report('a part of a recount failed', error);
      }
    }
    return { failedIndexes };
  };
}

async function recountMerchants(
  { hour, merchants }: MerchantsMessage,
  ports: ReconcilePorts,
  isOver: () => boolean,
): Promise<ReconcileReport> {
  const known = knownOf(merchants, ports);
  const failed: string[] = [];
  const late: string[] = [];
  const parts = await inParallel(known, MERCHANTS_AT_ONCE, async (merchantId, at) => {
    if (at > 0 && isOver()) {
      late.push(merchantId);
      return {};
    }
    // First, so that data past its retention is erased even if the recount fails.
    const erased = { ...(await erase(merchantId, ports)), ...(await archived(merchantId, ports, isOver)) };
    try {
      return { ...erased, ...(await recountHour(merchantId, hour, ports)) };
    } catch (error) {
      failed.push(merchantId);
      ports.report(`an hour of merchant ${merchantId} could not be recounted`, error);
      return { ...erased, failed: 1 };
    }
  });
  if (late.length > 0) await send([{ hour, merchants: late }], ports.recounts);
  const apart = known.length === 1 ? [] : failed;
  await send(
    apart.map((merchantId) => ({ hour, merchants: [merchantId] })),
    ports.recounts,
  );
  return sumReports(parts);
}

/** An invalid merchant name is reported; the other merchants are recounted. */
function knownOf(merchants: MerchantsMessage['merchants'], { report }: ReconcilePorts): readonly string[] {
  return merchants.flatMap((merchant) => {
    const found = merchantSchema.safeParse(merchant);
    if (!found.success) report('a merchant was named that is none', found.error);
    return found.success ? [found.data] : [];
  });
}

/** The profile decides, never the message: an erased key cannot be restored. */
async function erase(merchantId: string, ports: ReconcilePorts): Promise<Partial<ReconcileReport>> {
  let failedErasures = 0;
  const fail = (problem: string, error: unknown): void => {
    failedErasures = 1;
    ports.report(problem, error);
  };
  let erasedDays = 0;
  try {
    // If the profile cannot be read, nothing is erased until it can be.
    const merchant = await ports.merchant(merchantId);
    if (merchant === null) return {};
    erasedDays = await eraseExpiredDays(merchant, ports);
  } catch (error) {
    fail(`personal data of merchant ${merchantId} could not be erased`, error);
  }
  for (const tend of [tendErasures, tendReconciliations, tendIncidents])
    await tend(merchantId, ports).catch((error: unknown) =>
      fail(`jobs of merchant ${merchantId} could not be looked after`, error),
    );
  return { erasedDays, failedErasures };
}

/** What there is no time for goes on in a message of its own. */
async function archive(merchantId: string, ports: ReconcilePorts, isOver: () => boolean): Promise<void> {
  if (ports.archive === undefined) return;
  const isMore = await archiveMerchant(merchantId, isOver, ports.archive);
  if (isMore) await send([{ archive: merchantId }], ports.recounts);
}

async function archived(
  merchantId: string,
  ports: ReconcilePorts,
  isOver: () => boolean,
): Promise<Partial<ReconcileReport>> {
  try {
    await archive(merchantId, ports, isOver);
    return {};
  } catch (error) {
    // The next hour tries again; a horizon that stays behind is looked after by the sweep.
    ports.report(`old events of merchant ${merchantId} could not be archived`, error);
    return { failedArchives: 1 };
  }
}

async function recountPart(
  message: MinutesMessage,
  ports: ReconcilePorts,
  isOver: () => boolean,
): Promise<ReconcileReport> {
  const { report, rest } = await recountMinutes(message, ports, isOver);
  if (rest.length > 0) await send([{ ...message, minutes: [...rest] }], ports.recounts);
  return report;
}
