// Audits the counters: recounts a sealed hour of every merchant from its rows, publishes the difference, requests a
// repair, and marks slots as due that hold forgotten rows. Personal data past its retention is erased first.
// Guarantees: no message is worked on for longer than its share of time, and the rest is sent again; a merchant that
// fails is retried alone. Repeating a message is harmless: earlier findings are repaired by then, or reported once
// more.

import { inParallel } from '#lib/adapters/concurrency/in-parallel.ts';
import type { BatchResult, Received } from '#lib/core/ports/queue.ts';
import { merchantSchema } from '#lib/events/domain/pointer.ts';
import { auditHour } from './audit-hour.ts';
import { auditMinutes } from './audit-minutes.ts';
import { runErasure } from './erasure.ts';
import { listMerchants, send } from './list-merchants.ts';
import type { AuditMessage, MerchantsMessage, MinutesMessage } from './message.ts';
import type { ReconcilePorts } from './ports.ts';
import { type ReconcileReport, sumReports } from './report.ts';
import { tendErasures } from './tend-erasures.ts';
import { tendReconciliations } from './tend-reconciliations.ts';

/**
 * No part of a message is begun after this: together with the longest minute of a shard, it is a third of the
 * function's timeout.
 */
const TIME_MS = 10_000;
/** Merchants of few rows, whose audit is mostly waiting for I/O. */
const MERCHANTS_AT_ONCE = 8;

export type ReconcileStage = (messages: readonly Received<AuditMessage>[]) => Promise<BatchResult>;

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
        if ('list' in body) {
          await listMerchants(body, ports);
          continue;
        }
        const isPart = 'minutes' in body;
        const report = isPart
          ? await auditPart(body, ports, isOver)
          : await auditMerchants(body, ports, isOver);
        found({ hourStartMs: body.hour, ...report });
        // A message with this merchant alone is retried by its queue, and ends in the dead-letter queue, for an
        // operator.
        if (!isPart && body.merchants.length === 1 && report.failed > 0) failedIndexes.push(index);
      } catch (error) {
        failedIndexes.push(index);
        ports.report('a part of an audit failed', error);
      }
    }
    return { failedIndexes };
  };
}

async function auditMerchants(
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
    // First, so that data past its retention is erased even if the audit fails.
    const erased = await erase(merchantId, ports);
    try {
      return { ...erased, ...(await auditHour(merchantId, hour, ports)) };
    } catch (error) {
      failed.push(merchantId);
      ports.report(`an hour of merchant ${merchantId} could not be recounted`, error);
      return { ...erased, failed: 1 };
    }
  });
  if (late.length > 0) await send([{ hour, merchants: late }], ports.audits);
  const apart = known.length === 1 ? [] : failed;
  await send(
    apart.map((merchantId) => ({ hour, merchants: [merchantId] })),
    ports.audits,
  );
  return sumReports(parts);
}

/** An invalid merchant name is reported; the other merchants are audited. */
function knownOf(merchants: MerchantsMessage['merchants'], { report }: ReconcilePorts): readonly string[] {
  return merchants.flatMap((merchant) => {
    const found = merchantSchema.safeParse(merchant);
    if (!found.success) report('a merchant was named that is none', found.error);
    return found.success ? [found.data] : [];
  });
}

/** The profile decides, never the message: an erased key cannot be restored. */
async function erase(merchantId: string, ports: ReconcilePorts): Promise<Partial<ReconcileReport>> {
  const fail = (problem: string, error: unknown) => {
    ports.report(problem, error);
    return { erasedDays: 0, failedMerchants: 1 };
  };
  const byProfile = async () => {
    const merchant = await ports.merchant(merchantId);
    return merchant === null ? null : await runErasure([merchant], ports);
  };
  // If the profile cannot be read, nothing is erased until it can be.
  const days = await byProfile().catch((error: unknown) =>
    fail(`personal data of merchant ${merchantId} could not be erased`, error),
  );
  if (days === null) return {};
  let failedErasures = days.failedMerchants;
  for (const tend of [tendErasures, tendReconciliations])
    await tend(merchantId, ports).catch((error: unknown) => {
      failedErasures = 1;
      fail(`jobs of merchant ${merchantId} could not be looked after`, error);
    });
  return { erasedDays: days.erasedDays, failedErasures };
}

async function auditPart(
  message: MinutesMessage,
  ports: ReconcilePorts,
  isOver: () => boolean,
): Promise<ReconcileReport> {
  const { report, rest } = await auditMinutes(message, ports, isOver);
  if (rest.length > 0) await send([{ ...message, minutes: [...rest] }], ports.audits);
  return report;
}
