// The platforms there are and the connections to them, as several pages need them.
import { type Answer, useAsk } from '../../app/api.tsx';

export type PlatformList = Answer<'listPlatforms'>;
export type Connection = PlatformList['platforms'][number];
export type AvailablePlatform = PlatformList['available'][number];

export const usePlatforms = (everyMs = 0) => useAsk('listPlatforms', {}, { everyMs });

/** The platform's label, or its slug if the label is unknown. */
export const labelOf = (list: PlatformList | undefined, slug: string): string =>
  list?.available.find(({ platform }) => platform === slug)?.label ?? slug;

/** Slug and label of each platform that is connected. */
export const connectedIn = (list: PlatformList | undefined): readonly (readonly [string, string])[] =>
  [...new Set(list?.platforms.map(({ platform }) => platform))].map((slug) => [slug, labelOf(list, slug)]);

/** Slug and label of each platform there is. */
export const availableIn = (list: PlatformList | undefined): readonly (readonly [string, string])[] =>
  (list?.available ?? []).map(({ platform, label }) => [platform, label]);
