// How many replays the plans of a merchant store in a UTC day; large ones count as several, as events do. Guarantees: over all
// processes never more than the limit by more than a page for each plan that runs; a lease for each five hundred replays. A plan over
// it rests and is taken up by the sweep, the day after with what is left.
import { createLeasedWindow, type LeaseStore } from '#lib/core/work/leased-window.ts';
import { DAY_MS } from '#lib/core/work/time-slot.ts';
import type { ReplayPorts } from './ports.ts';

/** Of the limit, at a time. */
const SHARE = 500;

export const createDailyLimit = (store: LeaseStore, max: number): ReplayPorts['daily'] => ({
  window: createLeasedWindow(store, {
    windowMs: DAY_MS,
    free: () => 0,
    share: (limit) => Math.min(limit, SHARE),
  }),
  max,
});

/** False where the day has no room for so many. `own`: what the operator lets this merchant store instead. */
export async function hasRoom(
  merchantId: string,
  replays: number,
  { daily, clock }: Pick<ReplayPorts, 'daily' | 'clock'>,
  own?: number,
): Promise<boolean> {
  if (replays === 0) return true;
  // Under the bare id its browser events are leased, minute by minute.
  const id = `replays|${merchantId}`;
  return (await daily.window.take(id, replays, own ?? daily.max, clock.now())) === replays;
}
