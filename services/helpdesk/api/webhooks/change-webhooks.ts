// Changes of a workspace's webhooks: all of them are one record, so that their number is exact.
import { auditEntry, type FieldChanges, type RequestFacts } from '#lib/helpdesk/domain/audit/audit.ts';
import type { Webhook, WebhookList } from '#lib/helpdesk/domain/webhooks/webhook.ts';
import { type Change, change } from '#lib/helpdesk/work/commit.ts';
import type { HelpdeskApiPorts } from '../ports.ts';

/** The change of one webhook. */
export interface WebhookChange<T> {
  readonly action: 'created' | 'updated' | 'deleted' | 'secret_rotated' | 'tested';
  readonly webhookId: string;
  /** All webhooks of the workspace after the change. */
  readonly webhooks: readonly Webhook[];
  readonly changes?: FieldChanges | null;
  readonly result: T;
}

/**
 * `decide` is called again if another process wrote the record in the meantime; a decision with only a `result` changes
 * nothing.
 */
export async function changeWebhooks<T>(
  by: RequestFacts,
  decide: (webhooks: readonly Webhook[]) => WebhookChange<T> | { readonly result: T },
  ports: HelpdeskApiPorts,
): Promise<T> {
  const { merchantId: workspaceId } = by.caller;
  const atMs = ports.clock.now();
  const entryId = ports.random.uuidv7(atMs);
  return await change<WebhookList, T>(
    ports.stores.webhooks,
    { workspaceId, id: workspaceId },
    (stored): Change<WebhookList, T> => {
      const decision = decide(stored?.record.webhooks ?? []);
      if (!('action' in decision)) return { result: decision.result };
      const { action, webhookId, webhooks, changes = null, result } = decision;
      const entry = auditEntry(
        by,
        { action: `webhook.${action}`, resourceType: 'webhook', resourceId: webhookId, changes },
        { id: entryId, atMs },
      );
      const record = { ...stored?.record, id: workspaceId, workspaceId, webhooks };
      return { record, outbox: [{ kind: 'audit', entry }], result };
    },
    ports,
  );
}

export async function findWebhook(
  workspaceId: string,
  id: string,
  { stores }: Pick<HelpdeskApiPorts, 'stores'>,
): Promise<Webhook | null> {
  const stored = await stores.webhooks.read(workspaceId, workspaceId);
  return stored?.record.webhooks.find((webhook) => webhook.id === id) ?? null;
}
