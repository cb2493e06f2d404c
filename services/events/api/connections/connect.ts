// POST /v1/platforms: a first connection, one more, or new credentials for one that is there. Guarantees: a connection is
// changed only by credentials for the destination it has, or where the caller says so; whatever else is connected stays as it
// is. Of requests at a time each sees what the others made.
import type { z } from 'zod';
import type { ErrorDetail } from '#lib/core/http/errors.ts';
import type { Failure } from '#lib/core/http/handler.ts';
import { withoutUndefined } from '#lib/core/values/without-undefined.ts';
import { CONFLICT, retryConflicts } from '#lib/core/work/retry-conflicts.ts';
import type { Connection, OwnRules } from '#lib/events/domain/connections/connection.ts';
import { openCredentials, sealCredentials } from '#lib/events/pipeline/connections/open-connection.ts';
import type { Platform } from '#lib/events/platforms/platform.ts';
import type { ConnectionChange } from '#lib/events/ports/connection-store.ts';
import { isSameDestination } from '#lib/events/routes/platforms/credential-form.ts';
import type { connectPlatform } from '#lib/events/routes/platforms/platforms.ts';
import type { ApiPorts } from '../ports.ts';

type Body = z.output<(typeof connectPlatform)['body']>;
type Ports = Pick<ApiPorts, 'config' | 'vault' | 'platforms' | 'clock' | 'random' | 'report'>;

export interface Connected {
  readonly connection: Connection;
  readonly created: boolean;
}

const TRIES_MAX = 32;

export async function connect(
  merchantId: string,
  body: Body,
  ports: Ports,
): Promise<Connected | Failure<'connection_limit' | 'already_connected'>> {
  const { platform: slug, credentials, name } = body;
  const { config, vault, clock, random } = ports;
  const platform = ports.platforms.find((one) => one.slug === slug);
  const sealedCredentials = await sealCredentials(vault, merchantId, slug, credentials);
  const newId = `con_${random.uuidv7(clock.now())}`;
  const draft = {
    merchantId,
    platform: slug,
    newId,
    name: name ?? platform?.label ?? slug,
    sealedCredentials,
    own: ownOf(body),
  };
  return await retryConflicts({ what: 'a connection', triesMax: TRIES_MAX }, async () => {
    const nowMs = clock.now();
    if (body.another === true) {
      const added = await config.addConnection(draft, nowMs);
      return added === null ? { failure: 'connection_limit' } : { connection: added, created: true };
    }
    const there = (await config.listConnections(merchantId)).filter((one) => one.platform === slug);
    if (there.length === 0) {
      const made = await config.createConnection(draft, nowMs);
      return made === null ? CONFLICT : { connection: made, created: true };
    }
    const same = await sameDestination(there, platform, credentials, ports);
    const seen = same ?? (body.replace === true ? there[0] : undefined);
    if (seen === undefined) return { failure: 'already_connected', details: there.map(connectedAs) };
    const change = {
      ...(name === undefined ? {} : { name }),
      ...changedRules(body),
      sealedCredentials,
      pause: null,
    };
    const changed = await config.changeConnection(seen, change, nowMs);
    return changed === null ? CONFLICT : { connection: changed, created: false };
  });
}

/** Null and absent are the same of a connection that is made. */
const ownOf = ({ events, consent }: Pick<Body, 'events' | 'consent'>): OwnRules => ({
  ...(events == null ? {} : { events }),
  ...(consent == null ? {} : { consent }),
});

/** Of one that is there what is absent stays. */
export const changedRules = ({
  events,
  consent,
}: Pick<Body, 'events' | 'consent'>): Pick<ConnectionChange, 'events' | 'consent'> => ({
  ...withoutUndefined({ events, consent }),
});

const connectedAs = ({ id, name }: Connection): ErrorDetail => ({
  path: 'platform',
  message: `is connected as ${id} (${name})`,
});

/** The one whose destination these credentials are for; one whose stored ones cannot be opened is left alone. */
async function sameDestination(
  connections: readonly Connection[],
  platform: Platform | undefined,
  credentials: Readonly<Record<string, unknown>>,
  { vault, report }: Ports,
): Promise<Connection | undefined> {
  if (platform === undefined) return undefined;
  for (const connection of connections) {
    try {
      const stored = (await openCredentials(vault, connection, platform)) as Readonly<
        Record<string, unknown>
      >;
      if (isSameDestination(platform, stored, credentials)) return connection;
    } catch (error) {
      report('credentials could not be opened', error, { connection: connection.id });
    }
  }
  return undefined;
}
