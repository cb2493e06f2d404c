// Takes a webhook out of service, by what its receiver said or did not say. Guarantees: only the webhook that was tried, as it
// was tried: one that was changed meanwhile is judged by its next attempts; an entry in the audit log for each that was.
import { auditEntry } from '#lib/helpdesk/domain/audit/audit.ts';
import type { Webhook, WebhookList } from '#lib/helpdesk/domain/webhooks/webhook.ts';
import { type Change, change } from '#lib/helpdesk/work/commit.ts';
import type { WebhookPorts } from './ports.ts';

/** False where it is another one by now, or out of service already. */
export async function disableWebhook(
  workspaceId: string,
  tried: Webhook,
  reason: 'gone' | 'failing',
  ports: WebhookPorts,
): Promise<boolean> {
  const { stores, clock, random } = ports;
  const atMs = clock.now();
  const id = random.uuidv7(atMs);
  const isDisabled = await change(
    stores.webhooks,
    { workspaceId, id: workspaceId },
    (stored): Change<WebhookList, boolean> => {
      const list = stored?.record;
      const found = list?.webhooks.find((webhook) => webhook.id === tried.id);
      if (list === undefined || found === undefined || !isSame(found, tried)) return { result: false };
      const disabled: Webhook = { ...found, active: false, disabledReason: reason, updatedAtMs: atMs };
      const webhooks = list.webhooks.map((webhook) => (webhook === found ? disabled : webhook));
      const entry = auditEntry(
        { workspaceId, system: 'webhooks' },
        {
          action: 'webhook.disabled',
          resourceType: 'webhook',
          resourceId: tried.id,
          changes: { active: { from: true, to: false }, disabled_reason: { from: null, to: reason } },
        },
        { id, atMs },
      );
      return { record: { ...list, webhooks }, outbox: [{ kind: 'audit', entry }], result: true };
    },
    ports,
  );
  if (isDisabled)
    ports.countDisabled(
      { metric: 'webhook_disabled', value: 1, workspaceId, webhookId: tried.id, reason },
      'a webhook was disabled',
    );
  return isDisabled;
}

const isSame = (found: Webhook, tried: Webhook): boolean =>
  found.active && found.url === tried.url && found.judgedFromMs === tried.judgedFromMs;
