// POST /v1/platforms/:id/test: one made-up event in the platform's test mode, over the transport that delivers. Guarantees:
// nothing is sent where the platform would count it; whatever the platform says is a result, not a failure of ours; the
// connection is neither paused nor resumed by it; no secret is in the answer.

import type { ErrorDetail } from '#lib/core/http/errors.ts';
import type { Failure, Success } from '#lib/core/http/handler.ts';
import { withoutUndefined } from '#lib/core/values/without-undefined.ts';
import { versionOf } from '#lib/events/domain/connections/api-version.ts';
import type { Connection } from '#lib/events/domain/connections/connection.ts';
import type { Outcome } from '#lib/events/domain/deliveries/delivery.ts';
import type { OutgoingEvent } from '#lib/events/domain/privacy/outgoing-event.ts';
import type { Tokens } from '#lib/events/pipeline/connections/access-tokens.ts';
import { callConnection } from '#lib/events/pipeline/connections/call-connection.ts';
import { type OpenConnection, openCredentials } from '#lib/events/pipeline/connections/open-connection.ts';
import { maskSecrets } from '#lib/events/platforms/mask.ts';
import {
  type HttpRequest,
  type HttpResult,
  type Platform,
  servedBy,
} from '#lib/events/platforms/platform.ts';
import { redactMessage } from '#lib/events/platforms/redact.ts';
import { credentialFields } from '#lib/events/routes/platforms/credential-form.ts';
import type { testPlatform } from '#lib/events/routes/platforms/platform-checks.ts';
import { distinct, experimentalNotice, type Notice, pausedNotice, versionNotices } from '../events/notice.ts';
import { type ShownRequest, secretsOf, shownRequest } from '../events/shown-request.ts';
import type { ApiPorts } from '../ports.ts';
import { testEvent } from './test-event.ts';

type TestResult = Success<typeof testPlatform>['body'];
type Refusal = Failure<'not_found' | 'test_mode_unavailable'>;

/** A request for a token and one for the event must both end within the function's own time. */
const TIMEOUT_MAX_MS = 12_000;
/** What may help whoever reads a refusal, and is about neither a person nor a secret. */
const SHOWN_HEADERS = ['content-type', 'retry-after', 'date', 'x-fb-trace-id', 'x-request-id'];

export async function sendTest(
  merchantId: string,
  connectionId: string,
  ports: ApiPorts,
  tokens: Tokens,
): Promise<TestResult | Refusal> {
  const connections = await ports.config.listConnections(merchantId);
  const connection = connections.find(({ id }) => id === connectionId);
  return connection === undefined
    ? { failure: 'not_found' }
    : await testConnection(connection, ports, tokens);
}

/** As it is given, stored like that or not. */
export async function testConnection(
  connection: Connection,
  ports: ApiPorts,
  tokens: Tokens,
): Promise<TestResult | Failure<'test_mode_unavailable'>> {
  const { merchantId } = connection;
  const found = ports.platforms.find(({ slug }) => slug === connection.platform);
  if (found === undefined)
    return unavailable([{ path: 'platform', message: `${connection.platform} is not a platform any more` }]);
  const opened = await open(connection, found, ports);
  const platform = 'problem' in opened ? found : servedBy(found, opened.credentials);
  const nowMs = ports.clock.now();
  const eventId = `millrace-test-${ports.random.uuidv7(nowMs)}`;
  const start = {
    success: true as const,
    platform: platform.slug,
    connection_id: connection.id,
    api_version: versionOf(platform, connection).version,
  };
  const nothingSent = { latency_ms: null, request: null, response: null } as const;
  const warnings = distinct(warningsOf(connection, platform, nowMs));
  if ('problem' in opened) {
    const outcomes = [{ event_id: eventId, outcome: 'auth', ...opened.problem }];
    return {
      ...start,
      ...nothingSent,
      ok: false,
      event_id: eventId,
      stage: 'credentials',
      outcomes,
      warnings,
    };
  }
  const { credentials } = opened;
  const missing = missingForTests(platform, credentials);
  if (missing !== null) return unavailable([missing]);
  const parts = { merchantId, eventId, nowMs, lookups: await ports.lookups() };
  const event = testEvent(platform, credentials, parts);
  if (event === null)
    return unavailable([{ path: 'credentials', message: `${platform.label} takes none of the test events` }]);
  const sent = await send(event, opened, withinReach(platform), ports, tokens);
  return {
    ...start,
    ...nothingSent,
    event_id: eventId,
    event_name: event.name,
    ...sent,
    warnings,
  };
}

const unavailable = (details: readonly ErrorDetail[]): Failure<'test_mode_unavailable'> => ({
  failure: 'test_mode_unavailable',
  details,
});

async function open(
  connection: Connection,
  platform: Platform,
  ports: ApiPorts,
): Promise<OpenConnection | { readonly problem: { readonly code: string; readonly message: string } }> {
  const parsed = platform.credentials.safeParse(await openCredentials(ports.vault, connection, platform));
  if (parsed.success) return { connection, credentials: parsed.data };
  const message = `What was entered is no longer enough for ${platform.label}: connect it again.`;
  return { problem: { code: 'credentials_outdated', message } };
}

/** Why this connection cannot be tested; null when it can. What is missing is found by adding it. */
function missingForTests(platform: Platform, credentials: unknown): ErrorDetail | null {
  if (platform.testable === undefined || platform.testable(credentials)) return null;
  const entered = credentials as Readonly<Record<string, unknown>>;
  const absent = credentialFields(platform).find(
    ({ name }) =>
      entered[name] === undefined && platform.testable?.({ ...entered, [name]: 'anything' }) === true,
  );
  return absent === undefined
    ? { path: 'id', message: `${platform.label} has no test mode: a test would be counted` }
    : {
        path: `credentials.${absent.name}`,
        message: `without ${absent.label} ${platform.label} would count a test: connect it again with one`,
      };
}

function withinReach(platform: Platform): Platform {
  const { limits } = platform;
  return { ...platform, limits: { ...limits, timeoutMs: Math.min(limits.timeoutMs, TIMEOUT_MAX_MS) } };
}

type Sent = Pick<TestResult, 'ok' | 'stage' | 'outcomes'> &
  Partial<Pick<TestResult, 'http_status' | 'latency_ms' | 'request' | 'response'>>;

async function send(
  event: OutgoingEvent,
  opened: OpenConnection,
  platform: Platform,
  ports: ApiPorts,
  tokens: Tokens,
): Promise<Sent> {
  const transport = await ports.transport();
  const called = await callConnection(
    opened,
    platform,
    tokens,
    async (accessToken) => {
      const nowMs = ports.clock.now();
      const request = platform.buildRequest([event], opened.credentials, {
        test: true,
        nowMs,
        nonce: ports.random.uuidv7(nowMs).replaceAll('-', ''),
        version: versionOf(platform, opened.connection).version,
        ...(accessToken === undefined ? {} : { accessToken }),
      });
      const result = await transport.send(request, { timeoutMs: platform.limits.timeoutMs });
      return { request, result, accessToken, outcomes: platform.readResponse(result, [event]) };
    },
    ({ outcomes }) => outcomes.every(({ kind }) => kind === 'auth'),
  );
  if ('noToken' in called) {
    const { kind, code, message } = called.noToken;
    const outcome = { kind, code, ...(message === undefined ? {} : { message }) };
    return { ok: false, stage: 'token', outcomes: [shownOutcome(event, outcome)] };
  }
  const { request, result, accessToken, outcomes } = called.result;
  const secrets = secretsOf(platform, opened.credentials);
  const all = accessToken === undefined ? secrets : [...secrets, accessToken];
  return {
    ok: outcomes.every(({ kind }) => kind === 'delivered' || kind === 'duplicate'),
    stage: 'event',
    ...(result.kind === 'response' ? { http_status: result.status } : {}),
    latency_ms: result.latencyMs,
    outcomes: outcomes.map((outcome) => shownOutcome(event, outcome)),
    request: shownRequest(request, all) satisfies ShownRequest,
    response: shownResponse(result, request, all),
  };
}

function shownOutcome(event: OutgoingEvent, outcome: Outcome): TestResult['outcomes'][number] {
  const { kind, code, message } = outcome;
  return { event_id: event.eventId, outcome: kind, ...withoutUndefined({ code, message }) };
}

/** Platforms repeat what they were sent: the answer is masked like the request, then redacted. */
function shownResponse(
  result: HttpResult,
  request: HttpRequest,
  secrets: readonly string[],
): TestResult['response'] {
  if (result.kind === 'failure') return null;
  const shown = Object.fromEntries(
    SHOWN_HEADERS.flatMap((name) => {
      const value = result.headers[name];
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
  const masked = maskSecrets({
    ...request,
    headers: shown,
    body: result.body,
    secrets: [...request.secrets, ...secrets],
  });
  return { headers: masked.headers, body: redactMessage(masked.body) ?? '' };
}

function warningsOf(connection: Connection, platform: Platform, nowMs: number): readonly Notice[] {
  return [
    ...(connection.status === 'paused' ? [pausedNotice(connection, 'a test does not resume it')] : []),
    ...(platform.experimental === true ? [experimentalNotice(platform)] : []),
    ...versionNotices(platform, connection, nowMs),
  ];
}
