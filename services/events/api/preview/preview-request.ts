// POST /v1/platforms/preview: the request an event would become. Guarantees: built by the code that sends; nobody is
// contacted and nothing is written; no secret is in the answer. A request is shown even where consent, age or a rule would
// withhold it (`warnings` says so): only what cannot be built has none (`errors` says why).
import type { z } from 'zod';
import { type Failure, refuse, type Success } from '#lib/core/http/handler.ts';
import { versionOf } from '#lib/events/domain/connections/api-version.ts';
import { type Connection, routedConnection } from '#lib/events/domain/connections/connection.ts';
import { connectionTarget } from '#lib/events/domain/connections/target.ts';
import type { IdentityLookups } from '#lib/events/domain/identity/lookups.ts';
import { rewritingRules } from '#lib/events/pipeline/rules/rewrite.ts';
import { decideVerdicts, type Verdict } from '#lib/events/pipeline/verdicts.ts';
import {
  type BuildContext,
  type HttpRequest,
  keepsTests,
  needsToken,
  type Platform,
  servedBy,
  type Unsendable,
} from '#lib/events/platforms/platform.ts';
import type { previewPlatform } from '#lib/events/routes/platforms/platform-checks.ts';
import { distinct, experimentalNotice, type Notice, pausedNotice, versionNotices } from '../events/notice.ts';
import { secretsOf, shownRequest } from '../events/shown-request.ts';
import { rulesText } from '../events/verdicts.ts';
import type { ApiPorts } from '../ports.ts';
import { type ChosenCredentials, chooseCredentials } from './credential-source.ts';
import { liftingFields, takenFields } from './missing-fields.ts';
import { type SubjectEvent, subjectEvent } from './subject-event.ts';
import { customNameNotice, issueNotices, withheldNotice } from './warnings.ts';

type PreviewBody = z.output<(typeof previewPlatform)['body']>;
type Preview = Success<typeof previewPlatform>['body'];

/** Stands in the place of a token that only the platform could issue; always masked. */
const TOKEN = 'preview-access-token';

export async function previewRequest(
  merchantId: string,
  body: PreviewBody,
  ports: ApiPorts,
): Promise<
  Preview | Failure<'not_found' | 'merchant_mismatch' | 'invalid_request' | 'personal_data_erased'>
> {
  const found = ports.platforms.find(({ slug }) => slug === body.platform);
  if (found === undefined) return refuse('platform', 'is not a platform');
  const connections = await ports.config.listConnections(merchantId);
  const chosen = await chooseCredentials(body, found, connections, ports);
  if ('failure' in chosen) return chosen;
  const platform = servedBy(found, chosen.credentials);
  const { connection } = chosen;
  const at =
    connection === undefined ? { id: 'preview', platform: platform.slug } : routedConnection(connection);
  const subject = await subjectEvent(body, merchantId, { platform, connection: at }, ports);
  if ('failure' in subject) return subject;

  const isOfPlatform = (one: Connection): boolean => one.platform === platform.slug;
  const built = build(subject, chosen, platform, ports);
  const verdict = verdictOf(subject, chosen, built, platform, ports);
  const lookups = await ports.lookups();
  return {
    success: true,
    platform: platform.slug,
    label: platform.label,
    credentials: chosen.origin,
    connection_id: connection?.id ?? null,
    event_id: subject.event.eventId,
    event_name: subject.original.name,
    api_version: versionOf(platform, connection).version,
    ...verdict,
    request:
      built.request === null
        ? null
        : shownRequest(built.request, [TOKEN, ...secretsOf(platform, chosen.credentials)]),
    warnings: distinct([
      ...aboutCredentials(chosen, platform, ports.clock.now()),
      ...aboutRouting(subject, connection ?? connections.find(isOfPlatform), platform, ports),
      ...aboutRules(subject, connectionTarget(at)),
      ...aboutEvent(subject),
      ...built.errors,
      ...missing(subject, chosen, built, platform, lookups),
    ]),
    errors: distinct(built.errors),
  };
}

interface Built {
  readonly request: HttpRequest | null;
  readonly context: BuildContext;
  readonly problem: Unsendable | null;
  readonly errors: readonly Notice[];
}

function build(
  { event }: SubjectEvent,
  { credentials, connection }: ChosenCredentials,
  platform: Platform,
  ports: ApiPorts,
): Built {
  const nowMs = ports.clock.now();
  const context: BuildContext = {
    test: event.test === true && keepsTests(platform, credentials),
    nowMs,
    nonce: ports.random.uuidv7(nowMs).replaceAll('-', ''),
    version: versionOf(platform, connection).version,
    ...(needsToken(platform, credentials, [event]) ? { accessToken: TOKEN } : {}),
  };
  const problem = platform.unsendable(event, credentials);
  if (problem !== null) {
    const notice = withheldNotice({ code: problem.verdict, detail: problem.detail }, event, platform);
    return { request: null, context, problem, errors: notice === null ? [] : [notice] };
  }
  try {
    return {
      request: platform.buildRequest([event], credentials, context),
      context,
      problem,
      errors: [],
    };
  } catch (error) {
    ports.report('a request could not be built for a preview', error, { platform: platform.slug });
    const message = `${platform.label} has no request for this event with these credentials.`;
    return { request: null, context, problem, errors: [{ code: 'not_buildable', message }] };
  }
}

/** What would become of the event if it came in now with these credentials: what has become of a stored one is no part of it. */
function verdictOf(
  subject: SubjectEvent,
  { origin, connection }: ChosenCredentials,
  { problem }: Built,
  platform: Platform,
  ports: ApiPorts,
): Pick<Preview, 'verdict' | 'subject' | 'explanation'> {
  const decided = verdictNow(subject, platform, ports);
  if (decided.code !== 'pending') return notSent(decided, subject, platform);
  if (origin === 'sample') return notSent({ code: 'not_connected' }, subject, platform);
  const { suppressed } = subject;
  if (problem !== null)
    return notSent(
      suppressed === undefined ? { code: problem.verdict, detail: problem.detail } : { code: 'suppressed' },
      subject,
      platform,
    );
  if (connection?.status === 'paused')
    return {
      verdict: 'connection_paused',
      ...(connection.pausedReason === undefined ? {} : { subject: connection.pausedReason }),
      explanation: 'It would wait: the connection is paused.',
    };
  const without = suppressed === undefined ? '' : ', without its person, who was erased or objected';
  return { verdict: 'pending', explanation: `It would be sent to ${platform.label}${without}.` };
}

function notSent(
  verdict: Verdict,
  { original }: SubjectEvent,
  platform: Platform,
): Pick<Preview, 'verdict' | 'subject' | 'explanation'> {
  const because = withheldNotice(verdict, original, platform)?.message;
  return {
    verdict: verdict.code,
    ...(verdict.detail === undefined ? {} : { subject: verdict.detail }),
    explanation: `It would not be sent.${because === undefined ? '' : ` ${because}`}`,
  };
}

/** As if the platform were connected. */
function verdictNow(
  { original, routing, suppressed }: SubjectEvent,
  platform: Platform,
  ports: ApiPorts,
): Verdict {
  const [connection] = routing.connections;
  const target = connection === undefined ? platform.slug : connectionTarget(connection);
  const decided = (event: typeof original): Verdict =>
    decideVerdicts({ ...event, receivedAtMs: ports.clock.now() }, routing, [platform])[target] ?? {
      code: 'pending',
    };
  const bare = decided(original);
  if (suppressed === undefined) return bare;
  // What would keep it back in any case is said first.
  const whole = decided(suppressed.whole);
  if (whole.code !== 'pending') return whole;
  return suppressed.how === 'not_sent' || bare.code !== 'pending' ? { code: 'suppressed' } : bare;
}

function aboutCredentials(
  { origin, connection }: ChosenCredentials,
  platform: Platform,
  nowMs: number,
): readonly Notice[] {
  const sample = {
    code: 'sample_credentials',
    field: 'credentials',
    message: `${platform.label} is not connected and no credentials were given: the request shows samples in their place.`,
  };
  return [
    ...(origin === 'sample' ? [sample] : []),
    ...(platform.experimental === true ? [experimentalNotice(platform)] : []),
    ...versionNotices(platform, connection, nowMs),
  ];
}

/** What would withhold the event if it were sent now, beginning with the connection itself. */
function aboutRouting(
  subject: SubjectEvent,
  connection: Connection | undefined,
  platform: Platform,
  ports: ApiPorts,
): readonly Notice[] {
  const { original: event } = subject;
  const verdict = verdictNow(subject, platform, ports);
  const notices = [
    connection === undefined ? withheldNotice({ code: 'not_connected' }, event, platform) : null,
    connection?.status === 'paused' ? pausedNotice(connection, 'deliveries wait') : null,
    withheldNotice(verdict, event, platform),
  ];
  return notices.filter((notice) => notice !== null);
}

function aboutRules({ original }: SubjectEvent, target: string): readonly Notice[] {
  const ids = rewritingRules(target, original.rewrites);
  return ids.length === 0 ? [] : [{ code: 'changed_by_rules', message: rulesText(ids) }];
}

function aboutEvent({ event, plainValuesGone }: SubjectEvent): readonly Notice[] {
  const custom = customNameNotice(event);
  const gone = {
    code: 'plain_values_gone',
    field: 'user_data',
    message: 'The platform takes plain values about the person, and those of this event are not kept.',
  };
  return [
    ...issueNotices(event.issues),
    ...(custom === null ? [] : [custom]),
    ...(plainValuesGone ? [gone] : []),
  ];
}

function missing(
  { event }: SubjectEvent,
  { credentials }: ChosenCredentials,
  { request, context, problem }: Built,
  platform: Platform,
  lookups: IdentityLookups,
): readonly Notice[] {
  if (request !== null)
    return takenFields(event, request.body, platform, { credentials, context }, lookups).map((field) => ({
      code: 'recommended_field_missing',
      field,
      message: `${platform.label} takes ${field}, and the event has none it could use.`,
    }));
  if (problem?.verdict !== 'invalid') return [];
  const fields = liftingFields(event, problem, platform, credentials, lookups);
  const help = fields.length === 0 ? '' : ` Any of these would do: ${fields.join(', ')}.`;
  const message = `${platform.label} requires ${problem.detail}.${help}`;
  return [{ code: 'required_field_missing', field: problem.detail, message }];
}
