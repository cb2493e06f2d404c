// Instead of node:timers/promises.
import { currentRegion } from './region.ts';

export const setTimeout = (ms: number): Promise<void> => currentRegion().pause(ms);
