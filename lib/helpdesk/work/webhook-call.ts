// One attempt to reach a webhook. Guarantees: signed with each live secret at every attempt, so that the signed time is
// the attempt's; of the answer only status and `Retry-After` are read; never rejects.
import type { Clock } from '../../core/ports/clock.ts';
import type { HttpResult, Transport } from '../../core/ports/transport.ts';
import type { Vault } from '../../core/ports/vault.ts';
import { secretContext, signedHeaders } from '../../core/webhooks/signature.ts';
import type { AttemptOutcome } from '../domain/webhooks/delivery-attempt.ts';
import type { Webhook } from '../domain/webhooks/webhook.ts';

/** How webhooks name their sender. */
export const WEBHOOK_USER_AGENT = 'Helpdesk-Webhooks/1';

/** Those that sign, the newest first. Throws where the vault does. */
export async function openSecrets(
  workspaceId: string,
  webhook: Pick<Webhook, 'id' | 'secrets'>,
  { vault, clock }: { readonly vault: Pick<Vault, 'open'>; readonly clock: Clock },
): Promise<readonly string[]> {
  const nowMs = clock.now();
  const live = webhook.secrets.filter(({ expiresAtMs }) => expiresAtMs === null || expiresAtMs > nowMs);
  return await Promise.all(
    live.map(({ sealed }) => vault.open(workspaceId, secretContext(webhook.id), sealed)),
  );
}

export async function callWebhook(
  { url, secrets, eventId, body }: WebhookCall,
  { transport, clock }: { readonly transport: Transport; readonly clock: Clock },
  timeoutMs: number,
): Promise<AttemptOutcome> {
  // The same to each webhook.
  const id = `msg_${eventId.replaceAll('-', '')}`;
  const headers = signedHeaders({ id, atMs: clock.now(), body, secrets });
  const result = await transport.send({ method: 'POST', url, headers, body, secrets }, { timeoutMs });
  return outcomeOf(result, result.latencyMs, clock.now());
}

export interface WebhookCall {
  readonly url: string;
  readonly secrets: readonly string[];
  readonly eventId: string;
  /** JSON text. */
  readonly body: string;
}

function outcomeOf(result: HttpResult, latencyMs: number, nowMs: number): AttemptOutcome {
  if (result.kind === 'failure')
    return { isDelivered: false, status: null, error: result.code, latencyMs, retryAfterMs: null };
  const { status, headers } = result;
  const isDelivered = status >= 200 && status < 300;
  return {
    isDelivered,
    status,
    error: isDelivered ? null : `http_${status}`,
    latencyMs,
    retryAfterMs: retryAfterMs(headers['retry-after'], nowMs),
  };
}

/** Seconds, or a date; null where it is neither, or is over. */
function retryAfterMs(value: string | undefined, nowMs: number): number | null {
  const text = value?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  const atMs = /^[A-Za-z]{3}, .* GMT$/.test(text) ? Date.parse(text) : Number.NaN;
  return atMs > nowMs ? atMs - nowMs : null;
}
