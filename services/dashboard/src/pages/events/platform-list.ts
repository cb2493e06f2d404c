// The platforms there are and the connections to them, as several pages need them.
import { type Client, useAsk } from '../../app/api.tsx';

export type PlatformList = Awaited<ReturnType<Client['listPlatforms']>>['body'];
export type Connection = PlatformList['platforms'][number];
export type AvailablePlatform = PlatformList['available'][number];

export const PLATFORMS_KEY = ['platforms'] as const;

export const usePlatforms = (everyMs = 0) =>
  useAsk(PLATFORMS_KEY, (client, signal) => client.listPlatforms({}, { signal }), { everyMs });

/** The platform's label, or its slug if the label is unknown. */
export const labelOf = (list: PlatformList | undefined, slug: string): string =>
  list?.available.find(({ platform }) => platform === slug)?.label ?? slug;
