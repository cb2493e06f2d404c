// Nothing expires that is not in a page: rows have four days more than the archive needs. Where a merchant's horizon is two days
// behind or cannot be read, or the schedule of the archive is behind, the tables delete nothing any more until all have caught up.
// Looked at by another function than the one that archives, so that the one's death is seen by the other.
import { DAY_MS, floorTo, HOUR_MS } from '#lib/core/work/time-slot.ts';
import type { HorizonStore, TableExpiry } from '../../ports/page-store.ts';
import { lateMs } from './archive-merchant.ts';

/** Stands for the schedule itself. */
const SCHEDULE = '*';
const EVERY_MS = HOUR_MS;
/** At one the alarm counts a merchant, at the other expiry ends. */
const LATE_MS = DAY_MS;
const STOP_MS = 2 * DAY_MS;

export interface ExpiryGuardPorts {
  readonly horizons: HorizonStore;
  readonly expiry: TableExpiry;
  readonly clock: { now(): number };
  /** False: the archive was switched off. What was stored for it to take would expire, so nothing does, and none is late. */
  readonly archives?: boolean;
  readonly report: (problem: string, error: unknown) => void;
}

/** To be called as often as one likes; looks once an hour. Returns how many horizons are late. */
export function createExpiryGuard(ports: ExpiryGuardPorts): () => Promise<number> {
  const { horizons, expiry, clock, archives = true, report } = ports;
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  let late = 0;
  const look = async (nowMs: number): Promise<void> => {
    late = 0;
    let worstMs = 0;
    let isRunning = false;
    for await (const { merchantId, dayMs } of horizons.horizons()) {
      // What cannot be read may be behind by any time.
      const ms = dayMs === null ? Number.POSITIVE_INFINITY : lateMs({ merchantId, dayMs }, nowMs);
      worstMs = Math.max(worstMs, ms);
      if (ms >= LATE_MS) late += 1;
      isRunning ||= merchantId === SCHEDULE;
    }
    if (!archives) late = 0;
    else if (!isRunning) await noteSchedule({ horizons, clock });
    const isOn = await expiry.isOn();
    if (isOn && worstMs >= STOP_MS) {
      if (archives)
        report(
          'the archive is late: the tables delete nothing until it has caught up',
          new Error(`${late} horizons`),
        );
      await expiry.turn(false);
    }
    // Also where one of the tables is on: another may have been restored.
    else if (worstMs < LATE_MS) await expiry.turn(true);
  };
  return async () => {
    const nowMs = clock.now();
    if (nowMs < lookedAtMs + EVERY_MS) return late;
    lookedAtMs = nowMs;
    try {
      await look(nowMs);
    } catch (error) {
      report('expiry could not be looked after', error);
    }
    return late;
  };
}

/** The schedule of the archive has run. */
export async function noteSchedule({
  horizons,
  clock,
}: Pick<ExpiryGuardPorts, 'clock'> & {
  readonly horizons: Pick<HorizonStore, 'horizon' | 'moveHorizon'>;
}): Promise<void> {
  const seen = await horizons.horizon(SCHEDULE);
  const dayMs = floorTo(clock.now(), DAY_MS) - 7 * DAY_MS;
  if (seen?.dayMs !== dayMs) await horizons.moveHorizon(seen, { merchantId: SCHEDULE, dayMs });
}
