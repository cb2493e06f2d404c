// Personal data ends here: the keys of days that a merchant keeps no longer are deleted, and with them everything that was
// sealed under them, in whichever row, archived or live. Guarantees: no row is read or written, however many there are; a
// merchant that fails is reported and waits for the next run, alone. Repeating it is harmless.
import type { Clock } from '#lib/core/ports/clock.ts';
import type { DayKeyStore } from '#lib/core/ports/day-keys.ts';
import { type Merchant, retentionDaysOf } from '#lib/core/tenancy/merchant.ts';
import { DAY_MS } from '#lib/core/work/time-slot.ts';
import { dayOf } from '#lib/core/work/utc-day.ts';

export interface ErasurePorts {
  readonly dayKeys: Pick<DayKeyStore, 'eraseBefore'>;
  readonly clock: Clock;
  /** The most days that the operator lets a merchant choose; absent: what the code allows. */
  readonly retentionDaysMax?: number;
  readonly report: (problem: string, error: unknown) => void;
}

export interface ErasureReport {
  /** Days of merchants whose personal data ended now. */
  readonly erasedDays: number;
  readonly failedMerchants: number;
}

export async function runErasure(
  merchants: Iterable<Pick<Merchant, 'merchantId' | 'retentionDays'>>,
  { dayKeys, clock, retentionDaysMax, report }: ErasurePorts,
): Promise<ErasureReport> {
  let erasedDays = 0;
  let failedMerchants = 0;
  for (const merchant of merchants) {
    try {
      erasedDays += await dayKeys.eraseBefore(
        merchant.merchantId,
        firstDayKept(merchant, clock.now(), retentionDaysMax),
      );
    } catch (error) {
      failedMerchants += 1;
      report(`personal data of merchant ${merchant.merchantId} could not be erased`, error);
    }
  }
  return { erasedDays, failedMerchants };
}

/** What came in the last moment of a day is kept for as many whole days as what came in any other. */
function firstDayKept(
  merchant: Pick<Merchant, 'retentionDays'>,
  nowMs: number,
  daysMax: number | undefined,
): string {
  return dayOf(nowMs - retentionDaysOf(merchant, daysMax) * DAY_MS);
}
