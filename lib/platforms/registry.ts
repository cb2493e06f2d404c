// The platforms there are. Adding one is one line here and one folder beside this file; nothing counts them.
import ga4 from './ga4/index.ts';
import meta from './meta/index.ts';
import type { Platform } from './platform.ts';
import tiktok from './tiktok/index.ts';

/** In the order every table shows them. Credentials are opaque here: parse them with `platform.credentials` first. */
export const PLATFORMS: readonly Platform[] = [common(meta), common(ga4), common(tiktok)];

const BY_SLUG: ReadonlyMap<string, Platform> = new Map(
  PLATFORMS.map((platform) => [platform.slug, platform]),
);

/** The platform of this slug; undefined when there is none. */
export function platformBySlug(slug: string): Platform | undefined {
  return BY_SLUG.get(slug);
}

/** The credential type ends here: who holds a `Platform` may only pass it what its own schema returned. */
function common<Credentials>(platform: Platform<Credentials>): Platform {
  return platform as unknown as Platform;
}
