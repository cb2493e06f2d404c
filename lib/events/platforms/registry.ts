// The platforms there are. Adding one is one folder beside this file and one line in registered.ts; nothing counts them.
import type { Platform } from './platform.ts';
import * as registered from './registered.ts';

/**
 * By slug, the order in which every table shows them. The credential type ends here: who holds a `Platform` may only
 * pass it what its own schema returned; parse with `platform.credentials` first.
 */
export const PLATFORMS: readonly Platform[] = Object.values(registered)
  .map((platform) => platform as unknown as Platform)
  .sort((one, other) => (one.slug < other.slug ? -1 : 1));

const BY_SLUG: ReadonlyMap<string, Platform> = new Map(
  PLATFORMS.map((platform) => [platform.slug, platform]),
);

/** The platform of this slug; undefined when there is none. */
export function platformBySlug(slug: string): Platform | undefined {
  return BY_SLUG.get(slug);
}
