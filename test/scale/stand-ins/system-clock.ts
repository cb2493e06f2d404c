// Instead of lib/adapters/clock/system-clock.ts: the region's time, and random from the seed of the run.
import type { Clock, Random } from '#lib/core/ports/clock.ts';
import { currentRegion } from './region.ts';

export const systemClock: Clock = { now: () => currentRegion().now() };

export const systemPause = (ms: number): Promise<void> => currentRegion().pause(ms);

export const systemRandom: Random = {
  next: () => currentRegion().random.next(),
  uuidv7: (nowMs) => currentRegion().random.uuidv7(nowMs),
};
