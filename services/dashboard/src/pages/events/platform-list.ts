// The platforms there are and the connections to them, as several pages need them.
import { type Answer, useAsk } from '../../app/api.tsx';

export type PlatformList = Answer<'listPlatforms'>;
export type Connection = PlatformList['platforms'][number];
export type AvailablePlatform = PlatformList['available'][number];

export const usePlatforms = (everyMs = 0) => useAsk('listPlatforms', {}, { everyMs });

/** Of a platform, by its slug, or of one connection, by its id; what is unknown is said as it is. */
export function labelOf(list: PlatformList | undefined, name: string): string {
  const connection = list?.platforms.find(({ id }) => id === name);
  if (connection !== undefined) return `${labelOf(list, connection.platform)} · ${connection.name}`;
  if (list !== undefined && isConnection(name)) return 'a removed connection';
  return list?.available.find(({ platform }) => platform === name)?.label ?? name;
}

/** As opposed to the slug of a platform. */
export const isConnection = (name: string): boolean => name.startsWith('con_');

type Names = readonly (readonly [name: string, label: string])[];

/** After each platform with several connections each of these: a request names either. */
export const namedIn = (list: PlatformList | undefined, platforms: Names): Names =>
  platforms.flatMap(([slug, label]) => {
    const own = (list?.platforms ?? []).filter(({ platform }) => platform === slug);
    return [
      [slug, label] as const,
      ...(own.length < 2 ? [] : own.map(({ id }) => [id, labelOf(list, id)] as const)),
    ];
  });

interface Counted {
  readonly platform: string;
  readonly connection_id: string | null;
  readonly connection_name?: string | undefined;
  readonly removed_at?: string | undefined;
}

/** Of a platform with several connections each, by the name a list of events is filtered by; those removed since among them. */
export function linesOf<One extends Counted>(
  list: PlatformList | undefined,
  slug: string,
  connections: readonly One[],
): readonly (One & { readonly name: string; readonly label: string })[] {
  const own = connections.filter(({ platform }) => platform === slug);
  if (own.length < 2) return [];
  return own.map((one) => {
    const removed = one.removed_at === undefined ? '' : ' (removed)';
    const label = `${labelOf(list, slug)} · ${one.connection_name ?? ''}${removed}`;
    return { ...one, name: one.connection_id ?? '', label };
  });
}

/** Slug and label of each platform that is connected. */
export const connectedIn = (list: PlatformList | undefined): Names =>
  [...new Set(list?.platforms.map(({ platform }) => platform))].map((slug) => [slug, labelOf(list, slug)]);

/** Slug and label of each platform there is. */
export const availableIn = (list: PlatformList | undefined): Names =>
  (list?.available ?? []).map(({ platform, label }) => [platform, label]);
