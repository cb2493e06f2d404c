// Connections. Guarantees: credentials are checked against the platform's own schema before anything is stored, stored
// encrypted, and their secrets never returned; nobody connects an experimental platform without saying so; every change
// is in the audit trail.

import { audit } from '#lib/core/audit-log/audit.ts';
import { etagOf } from '#lib/core/http/etag.ts';
import type { Handlers, Success } from '#lib/core/http/handler.ts';
import { withoutUndefined } from '#lib/core/values/without-undefined.ts';
import { servedVersions, versionOf } from '#lib/events/domain/connections/api-version.ts';
import { type Connection, pauseProbeMs } from '#lib/events/domain/connections/connection.ts';
import { KEPT_MAX_SEC } from '#lib/events/domain/deliveries/window.ts';
import { SEALED_FIELD_NAMES } from '#lib/events/domain/identity/identity.ts';
import { openCredentials } from '#lib/events/pipeline/connections/open-connection.ts';
import type { Platform } from '#lib/events/platforms/platform.ts';
import { accountOf, credentialFields } from '#lib/events/routes/platforms/credential-form.ts';
import type { INCIDENT_ROUTES } from '#lib/events/routes/platforms/incidents.ts';
import type {
  connectPlatform,
  listPlatforms,
  PLATFORM_ROUTES,
  updatePlatform,
} from '#lib/events/routes/platforms/platforms.ts';
import { connect } from '../connections/connect.ts';
import { markWaitingBuckets } from '../connections/disconnect.ts';
import { healthOf } from '../connections/health.ts';
import type { Moved } from '../connections/move-version.ts';
import { type ConnectionUpdate, updateConnection } from '../connections/update.ts';
import { distinct, versionNotices } from '../events/notice.ts';
import type { ApiPorts } from '../ports.ts';
import { iso } from '../wire-time.ts';
import { openTokens } from './platform-checks.ts';

type ConnectionView = Success<typeof connectPlatform>['body']['platform'];
type Change = Omit<ConnectionUpdate, 'ifMatch'>;
type AvailableView = Success<typeof listPlatforms>['body']['available'][number];

export function platformHandlers(
  ports: ApiPorts,
): Handlers<(typeof PLATFORM_ROUTES | typeof INCIDENT_ROUTES)[number]> {
  return {
    async listIncidents({ caller, query: { state } }) {
      // What only it needs is loaded by the first.
      const { incidentsOf } = await import('../connections/incidents.ts');
      const all = await incidentsOf(caller.merchantId, ports);
      const incidents = all.filter((one) => state === undefined || one.state === state);
      return { status: 200, body: { success: true, incidents } };
    },

    async listPlatforms({ caller }) {
      const every = await ports.config.everyConnection(caller.merchantId);
      const [views, healths] = await Promise.all([
        Promise.all(every.connections.map((connection) => viewOf(connection, ports))),
        healthOf(caller.merchantId, every, ports),
      ]);
      const platforms = views.flatMap((view, at) => {
        const health = healths[at];
        return health === undefined ? [] : [{ ...view, health }];
      });
      return { status: 200, body: { success: true, platforms, available: availableOf(ports) } };
    },

    async connectPlatform({ caller, body }) {
      const definition = ports.platforms.find(({ slug }) => slug === body.platform);
      // The body is of a platform that the release knows.
      if (definition === undefined) return { failure: 'platform_not_deployed' };
      if (definition.experimental === true && body.confirm_experimental !== true)
        return { failure: 'experimental_unconfirmed' };
      const connected = await connect(caller.merchantId, body, ports);
      if ('failure' in connected) return connected;
      const { connection, created } = connected;
      await audit(caller, created ? 'connection.create' : 'connection.update', connection.id, ports);
      const view = await viewOf(connection, ports);
      return { status: created ? 201 : 200, body: { success: true, platform: view } };
    },

    async updatePlatform({ caller, params, body, headers }) {
      const { api_version: version, ...rest } = body;
      const ifMatch = headers['if-match'];
      if (version !== undefined) {
        const { moveVersion } = await import('../connections/move-version.ts');
        const moved = await moveVersion({ ...caller, id: params.id }, { version, ifMatch }, ports, () =>
          openTokens(ports),
        );
        if ('failure' in moved) {
          if (moved.failure === 'version_refused')
            await audit(caller, 'connection.version_refused', params.id, ports);
          return moved;
        }
        if (moved.isSame !== true) await audit(caller, 'connection.version', moved.connection.id, ports);
        return await changedReply(moved, ports);
      }
      const change = { ...rest, ifMatch };
      const changed = await updateConnection(caller.merchantId, params.id, change, ports);
      if ('failure' in changed) return changed;
      await audit(caller, updateAction(body), changed.id, ports);
      return await changedReply({ connection: changed }, ports);
    },

    async disconnectPlatform({ caller, params }) {
      const connections = await ports.config.listConnections(caller.merchantId);
      const seen = connections.find(({ id }) => id === params.id);
      if (seen === undefined) return { failure: 'not_found' };
      const removal = { atMs: ports.clock.now(), account: await accountAt(seen, ports) };
      const removed = await ports.config.deleteConnection(caller.merchantId, params.id, removal);
      if (removed === null) return { failure: 'not_found' };
      await audit(caller, 'connection.delete', removed.id, ports);
      await markWaitingBuckets(removed, ports);
      return { status: 200, body: { success: true, id: removed.id } };
    },
  };
}

async function changedReply(
  { connection, test, untried }: Moved,
  ports: ApiPorts,
): Promise<Success<typeof updatePlatform>> {
  const platform = await viewOf(connection, ports);
  return {
    status: 200,
    body: { ...{ success: true, platform }, ...withoutUndefined({ test, untried }) },
    headers: { etag: etagOf(connection.revision) },
  };
}

function consentView({ consent }: Connection): ConnectionView['consent'] {
  if (consent === undefined) return null;
  const { require, countries } = consent;
  return { require: [...require], ...(countries === undefined ? {} : { countries: [...countries] }) };
}

/** What stays readable of where it sent to. */
async function accountAt(connection: Connection, ports: ApiPorts): Promise<string | undefined> {
  const platform = ports.platforms.find(({ slug }) => slug === connection.platform);
  const credentials = await shownCredentials(connection, platform, ports);
  return platform === undefined || credentials === null ? undefined : accountOf(platform, credentials);
}

/** As the audit trail calls it. */
function updateAction({ credentials, status, ...rest }: Change): string {
  if (Object.values(rest).some((value) => value !== undefined)) return 'connection.update';
  if (credentials !== undefined) return status === undefined ? 'connection.rotate' : 'connection.update';
  return status === 'paused' ? 'connection.pause' : 'connection.resume';
}

async function viewOf(connection: Connection, ports: ApiPorts): Promise<ConnectionView> {
  const platform = ports.platforms.find(({ slug }) => slug === connection.platform);
  const credentials = await shownCredentials(connection, platform, ports);
  const probeMs = pauseProbeMs(connection);
  const secrets = platform === undefined ? [] : credentialFields(platform).filter(({ secret }) => secret);
  const isSecret = (name: string): boolean => secrets.some((field) => field.name === name);
  // A platform that left the registry no longer says which of its fields are secret: then none is shown.
  const entries = platform === undefined ? [] : Object.entries(credentials ?? {});
  return {
    id: connection.id,
    platform: connection.platform,
    label: platform?.label ?? connection.platform,
    name: connection.name,
    status: connection.status,
    ...(connection.pausedReason === undefined ? {} : { paused_reason: connection.pausedReason }),
    ...(connection.pausedAtMs === undefined ? {} : { paused_at: iso(connection.pausedAtMs) }),
    ...(probeMs === undefined ? {} : { next_probe_at: iso(probeMs) }),
    version: connection.revision,
    ...versionView(connection, platform, ports.clock.now()),
    created_at: iso(connection.createdAtMs),
    updated_at: iso(connection.updatedAtMs),
    settings: credentials === null ? null : Object.fromEntries(entries.filter(([name]) => !isSecret(name))),
    secrets: entries.map(([name]) => name).filter(isSecret),
    events: connection.events === undefined ? null : [...connection.events],
    consent: consentView(connection),
  };
}

function versionView(
  connection: Connection,
  platform: Platform | undefined,
  nowMs: number,
): Pick<ConnectionView, 'api_version' | 'api_version_ends' | 'warnings'> {
  if (platform === undefined) return { api_version: connection.apiVersion ?? '', warnings: [] };
  const { version, sunset } = versionOf(platform, connection);
  return {
    api_version: version,
    ...(sunset === undefined ? {} : { api_version_ends: sunset }),
    warnings: distinct(versionNotices(platform, connection, nowMs)),
  };
}

/** Null, and reported, when the vault cannot open them: the list is worth showing without. */
async function shownCredentials(
  connection: Connection,
  platform: Platform | undefined,
  ports: ApiPorts,
): Promise<Readonly<Record<string, unknown>> | null> {
  try {
    return (await openCredentials(ports.vault, connection, platform)) as Record<string, unknown>;
  } catch (error) {
    ports.report('credentials could not be opened', error, { connection: connection.id });
    return null;
  }
}

function availableOf(ports: ApiPorts): AvailableView[] {
  return ports.platforms.map((platform) => ({
    platform: platform.slug,
    label: platform.label,
    api_version: platform.api.version,
    api_versions: servedVersions(platform, ports.clock.now()).map(({ version, sunset }) => ({
      version,
      ...(sunset === undefined ? {} : { ends: sunset }),
    })),
    docs: platform.api.docs,
    experimental: platform.experimental === true,
    unhashed_fields: platform.sealedFields.map((field) => SEALED_FIELD_NAMES[field]),
    acceptance_window_sec: platform.limits.ageMaxSec === 0 ? KEPT_MAX_SEC : platform.limits.ageMaxSec,
    fields: credentialFields(platform).map((field) => ({ ...field })),
  }));
}
