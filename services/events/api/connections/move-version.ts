// PATCH /v1/platforms/:id with `api_version`: the connection's requests are for another version of its platform's API from now on.
// Guarantees: where the platform has a test mode, the version is tried in it first, with the credentials that are stored; refused or
// not answered, the connection stays as it was; what is written is what was tried. Where it has none, the answer says so and how to go back.
import { isVersionRefusal } from '#lib/client/trouble-words.ts';
import type { ErrorDetail } from '#lib/core/http/errors.ts';
import { etagOf, meetsIfMatch } from '#lib/core/http/etag.ts';
import { type Failure, refuse, type Success } from '#lib/core/http/handler.ts';
import { servedVersions, versionOf } from '#lib/events/domain/connections/api-version.ts';
import type { Connection } from '#lib/events/domain/connections/connection.ts';
import type { Tokens } from '#lib/events/pipeline/connections/access-tokens.ts';
import type { testPlatform } from '#lib/events/routes/platforms/platform-checks.ts';
import type { updatePlatform } from '#lib/events/routes/platforms/platforms.ts';
import { testConnection } from '../connection-test/send-test.ts';
import type { ApiPorts } from '../ports.ts';

type TestResult = Success<typeof testPlatform>['body'];
type Refusal = Failure<'not_found' | 'precondition_failed' | 'invalid_request' | 'version_refused'>;

export interface Moved {
  readonly connection: Connection;
  /** It had the version already. */
  readonly isSame?: true;
  readonly test?: TestResult;
  /** Where the platform has no test mode for these credentials. */
  readonly untried?: Untried;
}

type Untried = NonNullable<Success<typeof updatePlatform>['body']['untried']>;

interface Move {
  /** Null: the platform's own. */
  readonly version: string | null;
  readonly ifMatch: string | undefined;
}

export async function moveVersion(
  { merchantId, id }: { readonly merchantId: string; readonly id: string },
  { version, ifMatch }: Move,
  ports: ApiPorts,
  tokens: () => Promise<Tokens>,
): Promise<Moved | Refusal> {
  const seen = (await ports.config.listConnections(merchantId)).find((one) => one.id === id);
  if (seen === undefined) return { failure: 'not_found' };
  if (!meetsIfMatch(ifMatch, etagOf(seen.revision))) return { failure: 'precondition_failed' };
  const platform = ports.platforms.find(({ slug }) => slug === seen.platform);
  if (platform === undefined) return refuse('api_version', 'belongs to a platform that is no more');
  const nowMs = ports.clock.now();
  const served = servedVersions(platform, nowMs).map((one) => one.version);
  if (version !== null && !served.includes(version))
    return refuse('api_version', `must be one of ${platform.label}'s: ${served.join(', ')}`);
  const apiVersion = version === platform.api.version ? null : version;
  if (apiVersion === (seen.apiVersion ?? null)) return { connection: seen, isSame: true };
  const { apiVersion: _, ...own } = seen;
  const wanted: Connection = apiVersion === null ? own : { ...own, apiVersion };
  const [to, from] = [versionOf(platform, wanted).version, versionOf(platform, seen).version];
  const isOther = to !== from;
  const test = isOther ? await testConnection(wanted, ports, await tokens()) : undefined;
  const result = test === undefined || 'failure' in test ? undefined : test;
  if (result?.ok === false)
    return {
      failure: 'version_refused',
      details: result.outcomes.map(({ outcome, code, message }) => ({
        path: 'api_version',
        message: [outcome, code, message].filter((said) => said !== undefined).join(': '),
      })),
    };
  const isRepaired = result !== undefined || (isOther && isVersionRefusal(seen.failedCall?.code));
  const pause = seen.pausedReason === 'auth' && isRepaired ? { pause: null } : {};
  const connection = await ports.config.changeConnection(seen, { apiVersion, ...pause }, nowMs);
  if (connection === null) return { failure: 'precondition_failed' };
  if (result !== undefined) return { connection, test: result };
  if (test === undefined) return { connection };
  const why = 'details' in test ? test.details : [];
  const previous = served.includes(from) ? from : null;
  return { connection, untried: untriedMove(platform.label, { to, previous }, why) };
}

function untriedMove(
  label: string,
  { to, previous }: { readonly to: string; readonly previous: string | null },
  why: readonly ErrorDetail[],
): Untried {
  const reason = why.map(({ message }) => message).join('; ');
  const back = previous === null ? '' : `; api_version "${previous}" leads back, and they are sent`;
  const message = `Version ${to} was not tried (${reason}): the first events are its trial. If ${label} refuses the version, they wait, and an incident opens${back}.`;
  return { message, previous, incident: 'refused' };
}
