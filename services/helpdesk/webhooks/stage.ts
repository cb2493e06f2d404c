// The queue of deliveries: reads the rows, sends what is due, writes down how it went. Guarantees: a delivery whose webhook is gone
// or disabled is cancelled when it comes up; to one webhook an invocation has few requests under way, so that a receiver which
// does not answer holds up no other; a pointer that came too early, or for what is over, costs a read.
import { inParallel } from '../../../lib/adapters/concurrency/in-parallel.ts';
import type { BatchResult, Received } from '../../../lib/core/ports/queue.ts';
import { readiness, webhookIdOf } from '../../../lib/helpdesk/domain/delivery-attempt.ts';
import type { Webhook } from '../../../lib/helpdesk/domain/webhook.ts';
import { openSecrets } from '../../../lib/helpdesk/work/webhook-call.ts';
import { cancel, deliverOne } from './deliver.ts';
import type { DeliveryPointer } from './message.ts';
import type { WebhookPorts } from './ports.ts';
import { createDowns, type Downs, openReceiver } from './receiver.ts';

/** Messages of an invocation: each may be of another webhook, and none waits for another. */
const GROUPS_AT_ONCE = 10;
/** Requests under way to one webhook. */
const SENDS_AT_ONCE = 4;
/** Requests under way in all. */
export const REQUESTS_MAX = GROUPS_AT_ONCE * SENDS_AT_ONCE;

export type WebhookStage = (messages: readonly Received<DeliveryPointer>[]) => Promise<BatchResult>;

export function createWebhookStage(ports: WebhookPorts): WebhookStage {
  const downs = createDowns();
  return async (messages) => {
    const failed = new Set<number>();
    await inParallel(groupsOf(messages), GROUPS_AT_ONCE, async (group) => {
      try {
        const ids = await runGroup(group, ports, downs);
        for (const { id, index } of group.pointers) if (ids.has(id)) failed.add(index);
      } catch (error) {
        for (const { index } of group.pointers) failed.add(index);
        ports.report('deliveries of a webhook failed', error);
      }
    });
    return { failedIndexes: [...failed].sort((a, b) => a - b) };
  };
}

/** What one invocation has for one webhook. */
interface Group {
  readonly workspaceId: string;
  readonly webhookId: string;
  readonly pointers: { readonly id: string; readonly index: number }[];
}

function groupsOf(messages: readonly Received<DeliveryPointer>[]): readonly Group[] {
  const groups = new Map<string, Group>();
  messages.forEach(({ body: { workspaceId, id } }, index) => {
    const webhookId = webhookIdOf(id);
    // No row has such an id.
    if (webhookId === null) return;
    const name = JSON.stringify([workspaceId, webhookId]);
    const group = groups.get(name) ?? { workspaceId, webhookId, pointers: [] };
    groups.set(name, group);
    group.pointers.push({ id, index });
  });
  return [...groups.values()];
}

/** The ids that failed. */
async function runGroup(
  { workspaceId, webhookId, pointers }: Group,
  ports: WebhookPorts,
  downs: Downs,
): Promise<ReadonlySet<string>> {
  const { stores, clock } = ports;
  const ids = [...new Set(pointers.map(({ id }) => id))];
  const [rows, list] = await Promise.all([
    stores.deliveries.readMany(workspaceId, ids),
    stores.webhooks.read(workspaceId, workspaceId),
  ]);
  const nowMs = clock.now();
  const webhook = list?.record.webhooks.find(({ id }) => id === webhookId);
  const isOpen = webhook?.active === true;
  const wanted = rows.filter(({ record }) => {
    const state = readiness(record, nowMs);
    return state === 'ready' || (!isOpen && state === 'early');
  });
  if (wanted.length === 0) return new Set();
  const work = isOpen
    ? await sending(workspaceId, webhook, ports, downs)
    : (row: (typeof rows)[number]) =>
        cancel(row, webhook === undefined ? 'webhook_deleted' : 'webhook_disabled', ports);
  const failed = new Set<string>();
  await inParallel(wanted, SENDS_AT_ONCE, async (row) => {
    try {
      await work(row);
    } catch (error) {
      failed.add(row.record.id);
      ports.report('a delivery to a webhook failed', error);
    }
  });
  return failed;
}

async function sending(workspaceId: string, webhook: Webhook, ports: WebhookPorts, downs: Downs) {
  const [receiver, secrets] = await Promise.all([
    openReceiver(workspaceId, webhook, ports, downs),
    openSecrets(workspaceId, webhook, ports),
  ]);
  return (row: Parameters<typeof deliverOne>[0]) => deliverOne(row, receiver, secrets, ports);
}
