// Platforms and connections that a request names. Guarantees: another merchant's connection is like one that never was.
import { type Failure, refuse } from '#lib/core/http/handler.ts';
import type { RoutingSnapshot } from '#lib/events/domain/connections/connection.ts';
import type { Platform } from '#lib/events/platforms/platform.ts';
import { isConnectionId } from '#lib/events/routes/platforms/connection-names.ts';

/** Says of each name that is neither a platform nor a connection of the merchant why not; null where all are. */
export function unknownNames(
  names: readonly string[],
  { connections }: Pick<RoutingSnapshot, 'connections'>,
  platforms: readonly Pick<Platform, 'slug'>[],
  accepts: {
    readonly unconnected?: boolean;
    readonly removed?: readonly string[];
    /** Of the field with the list. */
    readonly path?: string;
  } = {},
): Failure<'invalid_request'> | null {
  const details = names.flatMap((name, index) => {
    const problem = problemOf(name);
    return problem === null ? [] : [{ path: `${accepts.path ?? 'platforms'}.${index}`, message: problem }];
  });
  return details.length === 0 ? null : { failure: 'invalid_request', details };

  function problemOf(name: string): string | null {
    if (accepts.removed?.includes(name) || connections.some(({ id }) => id === name)) return null;
    if (isConnectionId(name)) return `there is no connection ${name}`;
    if (!platforms.some(({ slug }) => slug === name)) return `there is no platform ${name}`;
    const isThere = accepts.unconnected === true || connections.some(({ platform }) => platform === name);
    return isThere ? null : `${name} is not connected`;
  }
}

/** `known`: the merchant's connections, those that were removed as well. */
export const unknownConnection = (
  id: string | undefined,
  known: readonly { readonly id: string }[],
): Failure<'invalid_request'> | null =>
  id === undefined || known.some((one) => one.id === id)
    ? null
    : refuse('connection_id', `there is no connection ${id}`);
