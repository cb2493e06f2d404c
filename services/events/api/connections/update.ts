// PATCH /v1/platforms/:id: changes what is named of a connection, on the condition that nobody changed it since it was read.
// Guarantees: of two changes at a time both are there afterwards, or one is refused (If-Match); credentials are checked as a
// whole before they take over; the connection keeps its id, so that what waits for it goes out with the new ones.
import type { z } from 'zod';
import type { ErrorDetail } from '#lib/core/http/errors.ts';
import { etagOf, meetsIfMatch } from '#lib/core/http/etag.ts';
import type { Failure } from '#lib/core/http/handler.ts';
import { detailsOf, issueText } from '#lib/core/http/issue-text.ts';
import { CONFLICT, retryConflicts } from '#lib/core/work/retry-conflicts.ts';
import type { Connection } from '#lib/events/domain/connections/connection.ts';
import { openCredentials, sealCredentials } from '#lib/events/pipeline/connections/open-connection.ts';
import type { ConnectionChange } from '#lib/events/ports/connection-store.ts';
import { credentialFields } from '#lib/events/routes/platforms/credential-form.ts';
import type { updatePlatform } from '#lib/events/routes/platforms/platforms.ts';
import type { ApiPorts } from '../ports.ts';
import { changedRules } from './connect.ts';

export type ConnectionUpdate = z.output<(typeof updatePlatform)['body']> & {
  readonly ifMatch: string | undefined;
};

/** Of so many that change one connection at a time, each is through by then. */
const TRIES_MAX = 32;

type Ports = Pick<ApiPorts, 'config' | 'vault' | 'platforms' | 'clock'>;

export async function updateConnection(
  merchantId: string,
  id: string,
  update: ConnectionUpdate,
  ports: Ports,
): Promise<Connection | Failure<'not_found' | 'precondition_failed' | 'invalid_request'>> {
  return await retryConflicts({ what: 'a connection', triesMax: TRIES_MAX }, async () => {
    const connections = await ports.config.listConnections(merchantId);
    const seen = connections.find((connection) => connection.id === id);
    if (seen === undefined) return { failure: 'not_found' };
    if (!meetsIfMatch(update.ifMatch, etagOf(seen.revision))) return { failure: 'precondition_failed' };
    const entered = await enteredAfter(seen, update, ports);
    if ('problems' in entered) return { failure: 'invalid_request', details: entered.problems };
    const change: ConnectionChange = {
      ...(update.name === undefined ? {} : { name: update.name }),
      ...pauseAfter(seen, update),
      ...changedRules(update),
      ...entered,
    };
    return (await ports.config.changeConnection(seen, change, ports.clock.now())) ?? CONFLICT;
  });
}

/** A pause that somebody asked for is not ended by new credentials; the platform's refusal of the old ones is. */
function pauseAfter(
  { pausedReason }: Connection,
  { status, credentials }: ConnectionUpdate,
): Pick<ConnectionChange, 'pause'> {
  if (status === 'paused') return pausedReason === 'manual' ? {} : { pause: 'manual' };
  const isRepaired = credentials !== undefined && pausedReason === 'auth';
  return status === 'active' || isRepaired ? { pause: null } : {};
}

interface Refused {
  readonly problems: readonly ErrorDetail[];
}

/** What was entered and what is to be another, as one, sealed anew; nothing where neither is named. */
async function enteredAfter(
  seen: Connection,
  { settings, credentials }: ConnectionUpdate,
  { platforms, vault }: Ports,
): Promise<Pick<ConnectionChange, 'sealedCredentials'> | Refused> {
  if (settings === undefined && credentials === undefined) return {};
  const given = [...named('settings', settings), ...named('credentials', credentials)];
  const platform = platforms.find(({ slug }) => slug === seen.platform);
  if (platform === undefined)
    return {
      problems: given.map(({ path }) => ({ path, message: 'belongs to a platform that is no more' })),
    };
  const fields = new Map(credentialFields(platform).map((field) => [field.name, field]));
  const problems = given.flatMap(({ bag, field, path }): ErrorDetail[] => {
    const known = fields.get(field);
    if (known === undefined) return [{ path, message: `is no field of ${platform.label}` }];
    if (bag === 'settings')
      return known.secret ? [{ path, message: 'is a secret: name it in credentials, not in settings' }] : [];
    const isTwice = Object.hasOwn(settings ?? {}, field);
    return isTwice ? [{ path, message: 'stands in settings as well' }] : [];
  });
  if (problems.length > 0) return { problems };
  const stored = Object.entries(
    (await openCredentials(vault, seen, platform)) as Readonly<Record<string, unknown>>,
  );
  const merged = [...stored, ...given.map(({ field, value }) => [field, value] as const)];
  const whole = Object.fromEntries([...new Map(merged)].filter(([, value]) => value !== null));
  const parsed = platform.credentials.safeParse(whole, { error: issueText });
  if (!parsed.success)
    return {
      problems: detailsOf(parsed.error.issues).map(({ path, message }) => ({
        path: pathOf(path, given),
        message,
      })),
    };
  return { sealedCredentials: await sealCredentials(vault, seen.merchantId, seen.platform, parsed.data) };
}

interface Given {
  readonly bag: 'settings' | 'credentials';
  readonly field: string;
  readonly path: string;
  readonly value: unknown;
}

const named = (bag: Given['bag'], values: Readonly<Record<string, unknown>> = {}): Given[] =>
  Object.entries(values).map(([field, value]) => ({ bag, field, path: `${bag}.${field}`, value }));

/** Where the caller has named it, or would have to. */
function pathOf(path: string, given: readonly Given[]): string {
  const [field = ''] = path.split('.');
  const bag = given.find((one) => one.field === field)?.bag ?? 'credentials';
  return path === '' ? bag : `${bag}.${path}`;
}
