// The interfaces of platforms by name: what a platform has besides its own is named after both, as in `ga4_data_manager`.
import { interfacesOf, type Platform } from '../../lib/events/platforms/platform.ts';
import { PLATFORMS } from '../../lib/events/platforms/registry.ts';

export interface Interface {
  readonly name: string;
  readonly platform: Platform;
  /** The folder of its worked examples. */
  readonly examples: string;
}

export const INTERFACES: readonly Interface[] = PLATFORMS.flatMap((own) =>
  interfacesOf(own).map((platform) =>
    platform === own
      ? { name: own.slug, platform, examples: own.slug }
      : { name: `${own.slug}_${own.other?.name}`, platform, examples: `${own.slug}_other` },
  ),
);
