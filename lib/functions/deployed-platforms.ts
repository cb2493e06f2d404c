// The platforms of this deployment. To functions one that is left out is as one that the release does not know.
import type { Platform } from '../events/platforms/platform.ts';
import { PLATFORMS } from '../events/platforms/registry.ts';

/** `slugs`: the variable `PLATFORMS`; absent: all. */
export const deployedPlatforms = (slugs: readonly string[] | undefined): readonly Platform[] =>
  slugs === undefined ? PLATFORMS : PLATFORMS.filter(({ slug }) => slugs.includes(slug));
