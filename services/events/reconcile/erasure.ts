// Personal data ends here: the keys of days that a merchant keeps no longer are deleted, and with them everything that was
// sealed under them, in whichever row, archived or live. Guarantees: no row is read or written, however many there are.
// Repeating it is harmless.
import type { Clock } from '#lib/core/ports/clock.ts';
import type { DayKeyStore } from '#lib/core/ports/day-keys.ts';
import { DAY_MS } from '#lib/core/work/time-slot.ts';
import { dayOf } from '#lib/core/work/utc-day.ts';
import { type Merchant, retentionDaysOf } from '#lib/events/domain/merchant.ts';

export interface ErasurePorts {
  readonly dayKeys: Pick<DayKeyStore, 'eraseBefore'>;
  readonly clock: Clock;
  /** The most days that the operator lets a merchant choose; absent: what the code allows. */
  readonly retentionDaysMax?: number;
}

/** Returns how many days ended. */
export async function eraseExpiredDays(
  merchant: Pick<Merchant, 'merchantId' | 'retentionDays'>,
  { dayKeys, clock, retentionDaysMax }: ErasurePorts,
): Promise<number> {
  // What came in the last moment of a day is kept for as many whole days as what came in any other.
  const firstKept = dayOf(clock.now() - retentionDaysOf(merchant, retentionDaysMax) * DAY_MS);
  return await dayKeys.eraseBefore(merchant.merchantId, firstKept);
}
