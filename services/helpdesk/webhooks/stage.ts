// The queue of deliveries: reads the rows, sends what is due, writes down how it went. Guarantees: a delivery whose webhook is gone
// or disabled is cancelled when it comes up; to one webhook an invocation has few requests under way, so that a receiver which
// does not answer holds up no other; a pointer that came too early, or for what is over, costs a read.
import { inParallel } from '#lib/adapters/concurrency/in-parallel.ts';
import type { Stage } from '#lib/adapters/concurrency/message-stage.ts';
import type { Received } from '#lib/core/ports/queue.ts';
import { createFailureStreaks, type FailureStreaks } from '#lib/core/work/circuit.ts';
import { UnreadableRecord } from '#lib/helpdesk/domain/account/unreadable-record.ts';
import type { Pointer } from '#lib/helpdesk/domain/pointer.ts';
import { readiness, webhookIdOf } from '#lib/helpdesk/domain/webhooks/delivery-attempt.ts';
import { wants } from '#lib/helpdesk/domain/webhooks/event.ts';
import { unreadableIds, type Webhook } from '#lib/helpdesk/domain/webhooks/webhook.ts';
import { openSecrets } from '#lib/helpdesk/work/webhook-call.ts';
import { cancel, deliverOne } from './deliver.ts';
import type { WebhookPorts } from './ports.ts';
import { openReceiver } from './receiver.ts';

/** Messages of an invocation: each may be of another webhook, and none waits for another. */
const GROUPS_AT_ONCE = 10;
/** Requests under way to one webhook. */
const SENDS_AT_ONCE = 4;
/** Requests under way in all. */
export const REQUESTS_MAX = GROUPS_AT_ONCE * SENDS_AT_ONCE;

export function createWebhookStage(ports: WebhookPorts): Stage<Pointer> {
  /** Attempts in a row that found a receiver down, by webhook: what this process saw. */
  const failureStreaks = createFailureStreaks();
  return async (messages) => {
    const failed = new Set<number>();
    await inParallel(groupsOf(messages), GROUPS_AT_ONCE, async (group) => {
      try {
        const ids = await runGroup(group, ports, failureStreaks);
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

function groupsOf(messages: readonly Received<Pointer>[]): readonly Group[] {
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
  failureStreaks: FailureStreaks,
): Promise<ReadonlySet<string>> {
  const { stores, clock } = ports;
  const ids = [...new Set(pointers.map(({ id }) => id))];
  const [rows, list] = await Promise.all([
    stores.deliveries.readMany(workspaceId, ids),
    stores.webhooks.read(workspaceId, workspaceId),
  ]);
  const nowMs = clock.now();
  const webhook = list?.record.webhooks.find(({ id }) => id === webhookId);
  // It was not deleted: what it is to get waits until it can be read.
  if (list !== null && webhook === undefined && unreadableIds(list.record).includes(webhookId))
    throw new UnreadableRecord('webhooks', { workspaceId, id: workspaceId }, `webhook ${webhookId}`);
  const isOpen = webhook?.active === true;
  const wanted = rows.filter(({ record }) => {
    const state = readiness(record, nowMs);
    return state === 'ready' || (!isOpen && state === 'early');
  });
  if (wanted.length === 0) return new Set();
  const send = isOpen ? await sending(workspaceId, webhook, ports, failureStreaks) : null;
  const work = async (row: (typeof rows)[number]): Promise<unknown> => {
    if (send === null || webhook === undefined)
      return await cancel(row, webhook === undefined ? 'webhook_deleted' : 'webhook_disabled', ports);
    const isUnwanted = row.record.isUnasked === true && !wants(webhook, row.record.type);
    return await (isUnwanted ? cancel(row, 'not_subscribed', ports) : send(row));
  };
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

async function sending(
  workspaceId: string,
  webhook: Webhook,
  ports: WebhookPorts,
  failureStreaks: FailureStreaks,
) {
  const [receiver, secrets] = await Promise.all([
    openReceiver(workspaceId, webhook, ports, failureStreaks),
    openSecrets(workspaceId, webhook, ports),
  ]);
  return (row: Parameters<typeof deliverOne>[0]) => deliverOne(row, receiver, secrets, ports);
}
