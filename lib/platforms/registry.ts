// The platforms there are. Adding one is one line here and one folder beside this file; nothing counts them.
import amazon from './amazon/index.ts';
import ga4 from './ga4/index.ts';
import googleAds from './google-ads/index.ts';
import klaviyo from './klaviyo/index.ts';
import linkedin from './linkedin/index.ts';
import meta from './meta/index.ts';
import microsoft from './microsoft/index.ts';
import pinterest from './pinterest/index.ts';
import type { Platform } from './platform.ts';
import reddit from './reddit/index.ts';
import snapchat from './snapchat/index.ts';
import tiktok from './tiktok/index.ts';
import x from './x/index.ts';

/** In the order every table shows them. Credentials are opaque here: parse them with `platform.credentials` first. */
export const PLATFORMS: readonly Platform[] = [
  common(meta),
  common(googleAds),
  common(ga4),
  common(tiktok),
  common(snapchat),
  common(pinterest),
  common(linkedin),
  common(reddit),
  common(x),
  common(microsoft),
  common(amazon),
  common(klaviyo),
];

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
