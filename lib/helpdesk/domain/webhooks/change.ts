// What may happen to a webhook by hand, as data, and how it is shown. Guarantees: nothing that does not change anything makes
// another version; a secret that was replaced signs for a day more.
import type { AuditedFields } from '../audit/audit.ts';
import { iso } from '../wire-views.ts';
import type { Delivery } from './delivery.ts';
import { healthOf } from './health.ts';
import type { Webhook, WebhookHealth } from './webhook.ts';

/** How long a replaced secret signs. */
export const OVERLAP_MS = 24 * 3_600_000;
/** Secrets that sign at a time: every one of them is in the header of every request. */
export const SECRETS_MAX = 10;

type SealedSecret = Omit<Webhook['secrets'][number], 'expiresAtMs'>;

/** Fields as a caller gives them; those that are absent stay. */
export interface WebhookPatch {
  readonly url?: string | undefined;
  readonly events?: readonly string[] | undefined;
  readonly description?: string | null | undefined;
  readonly active?: boolean | undefined;
}

/** The fields of a webhook in the audit log. Its URL may have a token and is hidden. */
export const AUDITED_WEBHOOK: AuditedFields<Webhook> = {
  shown: ['events', 'active', 'disabledReason'],
  hidden: ['url', 'description'],
};

export function newWebhook(
  id: string,
  given: Required<WebhookPatch>,
  secret: SealedSecret,
  atMs: number,
): Webhook {
  const active = given.active ?? true;
  return {
    id,
    url: given.url ?? '',
    events: eventList(given.events ?? ['*']),
    description: described(given.description ?? null),
    active,
    disabledReason: active ? null : 'manual',
    secrets: [{ ...secret, expiresAtMs: null }],
    createdAtMs: atMs,
    updatedAtMs: atMs,
  };
}

/** The very same webhook where nothing is different. */
export function patched(webhook: Webhook, patch: WebhookPatch, atMs: number): Webhook {
  const { url = webhook.url, active = webhook.active, description = webhook.description } = patch;
  const events = patch.events === undefined ? webhook.events : eventList(patch.events);
  const next: Webhook = {
    ...webhook,
    url,
    events,
    description: described(description),
    active,
    disabledReason: active ? null : (webhook.disabledReason ?? 'manual'),
  };
  if (JSON.stringify(next) === JSON.stringify(webhook)) return webhook;
  const isAnother = url !== webhook.url || (active && !webhook.active);
  return { ...next, ...(isAnother ? { judgedFromMs: atMs } : {}), updatedAtMs: atMs };
}

/** Null where too many secrets sign already. */
export function withNewSecret(webhook: Webhook, secret: SealedSecret, atMs: number): Webhook | null {
  const untilMs = atMs + OVERLAP_MS;
  const live = webhook.secrets
    .filter(({ expiresAtMs }) => expiresAtMs === null || expiresAtMs > atMs)
    .map((old) => ({ ...old, expiresAtMs: old.expiresAtMs ?? untilMs }));
  if (live.length >= SECRETS_MAX) return null;
  return { ...webhook, secrets: [{ ...secret, expiresAtMs: null }, ...live], updatedAtMs: atMs };
}

export function webhookView(webhook: Webhook, known: WebhookHealth | null) {
  const { failingSinceMs, lastSuccessAtMs, lastFailureAtMs } = healthOf(webhook, known);
  return {
    id: webhook.id,
    url: webhook.url,
    events: [...webhook.events],
    description: webhook.description,
    active: webhook.active,
    disabled_reason: webhook.disabledReason,
    failing_since: timeOrNull(failingSinceMs),
    last_success_at: timeOrNull(lastSuccessAtMs),
    last_failure_at: timeOrNull(lastFailureAtMs),
    secret_hint: webhook.secrets[0]?.hint ?? '',
    created_at: iso(webhook.createdAtMs),
    updated_at: iso(webhook.updatedAtMs),
  };
}

/** Without its body: that is the receiver's. */
export const deliveryView = (delivery: Delivery) => ({
  id: delivery.id,
  webhook_id: delivery.webhookId,
  event_id: delivery.eventId,
  type: delivery.type,
  status: delivery.status,
  attempts: delivery.attempts,
  last_status: delivery.lastStatus,
  last_error: delivery.lastError,
  last_latency_ms: delivery.lastLatencyMs,
  next_attempt_at: timeOrNull(delivery.nextAttemptAtMs),
  created_at: iso(delivery.createdAtMs),
  updated_at: iso(delivery.updatedAtMs),
});

const timeOrNull = (ms: number | null): string | null => (ms === null ? null : iso(ms));

/** Each kind once; all of them are `*`. */
const eventList = (events: readonly string[]): readonly string[] =>
  events.includes('*') ? ['*'] : [...new Set(events)];

const described = (description: string | null): string | null => (description === '' ? null : description);
