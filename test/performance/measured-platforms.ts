// Which platforms a measurement connects: the same ones release after release, whatever is added to the registry, or its
// figures would tell of the platforms and not of the pipeline.
import { PLATFORMS } from '../../lib/events/platforms/registry.ts';

/** What "3 platforms" means in every published figure and budget. */
export const THREE_PLATFORMS = ['meta', 'ga4', 'tiktok'] as const;

/** What "12 platforms" means. */
const TWELVE: readonly string[] = [
  ...THREE_PLATFORMS,
  ...['amazon', 'google_ads', 'klaviyo', 'linkedin', 'microsoft', 'pinterest', 'reddit', 'snapchat', 'x'],
];

/** Slugs of all platforms there are: these first, then the others in order of the registry. */
export const MEASURED_PLATFORMS: readonly string[] = [
  ...TWELVE,
  ...PLATFORMS.map(({ slug }) => slug).filter((slug) => !TWELVE.includes(slug)),
];
