// Incidents for webhooks of the merchant that want them: when one begins and when it is over, signed as events are. Guarantees: at
// least once, with one id for all attempts, by the retry table of the specification; what a webhook does not take holds up no other.
import { createHash } from 'node:crypto';
import * as z from 'zod';
import { INCIDENT_WORDS, troubleWords } from '#lib/client/trouble-words.ts';
import { callWebhook } from '#lib/core/webhooks/call.ts';
import { written } from '#lib/core/work/long-task.ts';
import { WEBHOOK_RETRY, waitAfter } from '#lib/core/work/retry-policy.ts';
import {
  type IncidentLimit,
  isOpen,
  type KeptIncident,
  type UnsentNews,
  withUnsent,
} from '#lib/events/domain/connections/incident.ts';
import { platformOf, TARGETS_MAX } from '#lib/events/domain/connections/target.ts';
import { openCredentials } from '#lib/events/pipeline/connections/open-connection.ts';
import { platformBySlug } from '#lib/events/platforms/registry.ts';
import type { TaskPorts } from './ports.ts';

const WEBHOOK = 'webhook';
/** Of its credentials, what is needed here, where incidents are wanted. */
const LISTENER = z.looseObject({
  url: z.string(),
  secret: z.string(),
  authorization: z.string().optional(),
  incidents: z.literal(true),
});
const TIMEOUT_MS = 10_000;
const UNSENT_MAX = 50;
const PLACES = Array.from({ length: TARGETS_MAX }, (_, n) => (n === 0 ? WEBHOOK : `${WEBHOOK}#${n + 1}`));

/** The incident with what is to be sent of it now, to each webhook that is connected. */
export async function withNews(incident: KeptIncident, ports: TaskPorts): Promise<KeptIncident> {
  const { config, clock } = ports;
  const places = await webhooksOf(incident.merchantId, config);
  if (places.length === 0) return incident;
  const type = isOpen(incident) ? 'incident.opened' : 'incident.closed';
  const id = `msg_${createHash('sha256').update(`${incident.name}/${type}`).digest('base64url').slice(0, 27)}`;
  const nowMs = clock.now();
  const body = JSON.stringify({ type, timestamp: iso(nowMs), data: dataOf(incident) });
  const news = places.map((place): UnsentNews => ({ id, place, body, attempts: 0, dueMs: nowMs }));
  return withUnsent(incident, [...(incident.unsent ?? []), ...news].slice(-UNSENT_MAX));
}

/** The places of those that take anything now. */
export async function webhooksOf(
  merchantId: string,
  config: TaskPorts['config'],
): Promise<readonly string[]> {
  const at = await config.connectionsOf(merchantId);
  return PLACES.filter((place) => at(place)?.status === 'active');
}

/** Sends what is due of it; what was not taken is due again, or given up after the last attempt. */
export async function sendNews(incident: KeptIncident, ports: TaskPorts): Promise<KeptIncident> {
  const nowMs = ports.clock.now();
  const { unsent = [] } = incident;
  if (!unsent.some(({ dueMs }) => dueMs <= nowMs)) return incident;
  const left = await Promise.all(
    unsent.map(async (news) =>
      news.dueMs > nowMs ? [news] : await attempt(incident.merchantId, news, ports),
    ),
  );
  // Where another process has written it, that one sends them again.
  return (await written(withUnsent(incident, left.flat()), ports.incidents.writeIncident)) ?? incident;
}

/** What is left of it: nothing once it was taken, or is not wanted. */
async function attempt(
  merchantId: string,
  news: UnsentNews,
  ports: TaskPorts,
): Promise<readonly UnsentNews[]> {
  const { config, vault, clock, report } = ports;
  const connection = await config.connection(merchantId, news.place);
  if (connection?.status !== 'active') return [];
  const opened = LISTENER.safeParse(
    await openCredentials(vault, connection, platformBySlug(connection.platform)),
  );
  if (!opened.success) return [];
  const { url, secret, authorization } = opened.data;
  const call = { url, secrets: [secret], authorization, id: news.id, body: news.body };
  const outcome = await callWebhook(call, { transport: await ports.transport(), clock }, TIMEOUT_MS);
  if (outcome.isDelivered) return [];
  const attempts = news.attempts + 1;
  const waitMs = waitAfter(WEBHOOK_RETRY, { attempts, random: 0.5, askedMs: outcome.retryAfterMs ?? 0 });
  if (waitMs !== null) return [{ ...news, attempts, dueMs: clock.now() + waitMs }];
  report('a webhook was not told of an incident', new Error(outcome.error ?? 'no answer'));
  return [];
}

/** As `GET /v1/incidents` has it, but for figures that are counted when it is asked. */
function dataOf({ merchantId, name, kind, subject, connectionId, ...incident }: KeptIncident) {
  const { sinceMs, untilMs, closesAtMs, used, limit, lastError } = incident;
  const platform = kind === 'limit' ? null : platformOf(subject);
  const label = platform === null ? null : (platformBySlug(platform)?.label ?? platform);
  const words =
    kind === 'limit'
      ? INCIDENT_WORDS[subject as IncidentLimit]
      : kind === 'window'
        ? INCIDENT_WORDS.window
        : troubleWords(kind, lastError);
  const what = label === null ? words.what : `${label} ${words.what}`;
  return {
    ...{ id: name, merchant_id: merchantId, state: untilMs === undefined ? 'open' : 'over', kind },
    ...{ platform, label, connection_id: connectionId ?? null },
    ...{ since: iso(sinceMs), until: untilMs === undefined ? null : iso(untilMs) },
    window_closes_at: closesAtMs === undefined ? null : iso(closesAtMs),
    limit: kind === 'limit' ? { name: subject, used: used ?? null, of: limit ?? null } : null,
    last_error:
      lastError === undefined
        ? null
        : {
            at: iso(lastError.atMs),
            http_status: lastError.status,
            code: lastError.code,
            message: lastError.message,
          },
    ...{ what: `${what}.`, what_to_do: untilMs === undefined ? words.todo : null },
  };
}

const iso = (ms: number): string => new Date(ms).toISOString();
