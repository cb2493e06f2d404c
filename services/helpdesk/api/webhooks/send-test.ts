// Sends one test event to a webhook while the caller waits. Guarantees: one attempt of five seconds, also for an
// inactive webhook, never repeated; the caller learns only whether the receiver took it, not its answer; it is listed
// among the deliveries.
import { callWebhook } from '#lib/core/webhooks/call.ts';
import type { Delivery } from '#lib/helpdesk/domain/webhooks/delivery.ts';
import type { Webhook } from '#lib/helpdesk/domain/webhooks/webhook.ts';
import { messageIdOf, openSecrets } from '#lib/helpdesk/work/webhook-call.ts';
import type { HelpdeskApiPorts } from '../ports.ts';

const TEST_TIMEOUT_MS = 5_000;

/** True when the receiver took it. */
export async function sendTest(
  workspaceId: string,
  webhook: Webhook,
  test: { readonly event: string; readonly payload: Readonly<Record<string, unknown>> },
  ports: HelpdeskApiPorts,
): Promise<boolean> {
  const { clock, random, stores, report } = ports;
  const atMs = clock.now();
  const eventId = random.uuidv7(atMs);
  // Version 0 is below every record's: receivers that keep the newest version ignore it.
  const payload = JSON.stringify({
    type: test.event,
    timestamp: new Date(atMs).toISOString(),
    account_id: workspaceId,
    data: test.payload,
    version: 0,
  });
  const secrets = await openSecrets(workspaceId, webhook, ports);
  const transport = await ports.webhooks.transport();
  const call = { url: webhook.url, secrets, id: messageIdOf(eventId), body: payload };
  const outcome = await callWebhook(call, { transport, clock }, TEST_TIMEOUT_MS);
  const record: Delivery = {
    id: `${eventId}.${webhook.id}`,
    workspaceId,
    webhookId: webhook.id,
    eventId,
    type: test.event,
    payload,
    status: 'test',
    attempts: 1,
    lastStatus: outcome.status,
    lastError: outcome.error,
    lastLatencyMs: outcome.latencyMs,
    nextAttemptAtMs: null,
    createdAtMs: atMs,
    updatedAtMs: clock.now(),
  };
  try {
    await stores.deliveries.put({ record, version: 1, outbox: [], dueAtMs: null }, null);
  } catch (error) {
    // It was sent: an error would make the caller send another one.
    report('a test of a webhook was sent and not written down', error);
  }
  return outcome.isDelivered;
}
