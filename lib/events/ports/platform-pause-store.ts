import type { PlatformPause } from '../domain/connections/paused-platform.ts';

export interface PlatformPauseStore {
  /** A consistent read. */
  platformPauses(): Promise<readonly PlatformPause[]>;
  /** The one that holds then, and whether this call began it. */
  pausePlatform(pause: PlatformPause): Promise<{ readonly pause: PlatformPause; readonly isNew: boolean }>;
  /** The one that this call ended; null where there was none. */
  resumePlatform(slug: string, atMs: number, by: string): Promise<PlatformPause | null>;
}
