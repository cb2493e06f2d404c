import * as z from 'zod';
import type { StoredAs } from '#lib/core/record/stored-type.ts';

export const STORED_PLATFORM_PAUSE = z.looseObject({
  /** Slug. */
  platform: z.string(),
  atMs: z.number(),
  /** As the audit trail names callers; so of who ended it. */
  by: z.string(),
  reason: z.string(),
  endedAtMs: z.number().exactOptional(),
  endedBy: z.string().exactOptional(),
});
/** An operator keeps a platform's deliveries back, of all merchants. The last one of each platform is kept. */
export type PlatformPause = StoredAs<typeof STORED_PLATFORM_PAUSE>;

/** The one that holds. */
export const pauseOf = (pauses: readonly PlatformPause[], slug: string): PlatformPause | undefined =>
  pauses.find(({ platform, endedAtMs }) => platform === slug && endedAtMs === undefined);
