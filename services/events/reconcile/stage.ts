// Trusts nobody: recounts a sealed hour of every merchant from its rows, publishes the difference to what analytics says, has
// it mended, and makes slots due again that hold rows nobody would look at. What merchants keep no longer is erased first.
// Guarantees: no message is worked for longer than its share of time: what was not begun is sent again; a merchant that fails
// is tried again alone. Repeating a message is harmless: what it found the first time is right by then, or is named once more.

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

/** After this nothing more of a message is begun: with the longest minute of a shard, a third of the function's timeout. */
const TIME_MS = 10_000;
/** Merchants of few rows, whose audit is mostly waiting for answers. */
const MERCHANTS_AT_ONCE = 8;

export type ReconcileStage = (messages: readonly Received<AuditMessage>[]) => Promise<BatchResult>;

/** `found` is told what each message came to. */
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
        // Alone, a merchant comes back as its queue says, and ends where somebody sees it.
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
    // First: whatever the audit meets, what is due to be erased is erased.
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

/** A name that is none is reported: the merchants beside it are audited. */
function knownOf(merchants: MerchantsMessage['merchants'], { report }: ReconcilePorts): readonly string[] {
  return merchants.flatMap((merchant) => {
    const found = merchantSchema.safeParse(merchant);
    if (!found.success) report('a merchant was named that is none', found.error);
    return found.success ? [found.data] : [];
  });
}

/** By its profile, never by what a message says: a key that is gone is gone for good. */
async function erase(merchantId: string, ports: ReconcilePorts): Promise<Partial<ReconcileReport>> {
  const fail = (problem: string, error: unknown) => {
    ports.report(problem, error);
    return { erasedDays: 0, failedMerchants: 1 };
  };
  const byProfile = async () => {
    const merchant = await ports.merchant(merchantId);
    return merchant === null ? null : await runErasure([merchant], ports);
  };
  // Whose profile cannot be read keeps everything, until it can be.
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
