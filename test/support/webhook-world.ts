// Webhooks under virtual time: the real stage over stores in memory, a queue with delays, a sweep each minute, as many
// invocations side by side as there are slots, and receivers that answer after a while or not at all.

import type { Pointer } from '#lib/helpdesk/domain/pointer.ts';
import { webhookOf } from '#test/support/helpdesk-records.ts';
import { createVault } from '../../lib/adapters/vault/vault.ts';
import type { HttpRequest, HttpResult } from '../../lib/core/ports/transport.ts';
import { newWebhookSecret, secretContext, secretHint } from '../../lib/core/webhooks/signature.ts';
import type { Delivery } from '../../lib/helpdesk/domain/webhooks/delivery.ts';
import { deliveriesOf } from '../../lib/helpdesk/domain/webhooks/event.ts';
import type { Webhook, WebhookHealth } from '../../lib/helpdesk/domain/webhooks/webhook.ts';
import type { DisabledFigure, WebhookPorts } from '../../services/helpdesk/webhooks/ports.ts';
import { createWebhookStage } from '../../services/helpdesk/webhooks/stage.ts';
import { createTimeline } from '../simulation/timeline.ts';
import { createMemoryDataKeys } from './memory/config-stores.ts';
import { PLAIN_WRAPPER } from './memory/event-vault.ts';
import { memoryHelpdesk } from './memory/helpdesk.ts';
import { createMemoryQueue } from './memory/queue.ts';
import { createSeededRandom } from './memory/random.ts';

export const WORKSPACE = 'ws-1';
export const T0 = Date.UTC(2026, 10, 20, 12, 0, 0);

/** What a receiver says, and after how long. */
export interface Reply {
  readonly afterMs: number;
  readonly result: HttpResult;
}
export interface Sent {
  readonly atMs: number;
  readonly request: HttpRequest;
}

export const answers = (
  status: number,
  { afterMs = 50, headers = {} }: { afterMs?: number; headers?: Record<string, string> } = {},
): Reply => ({ afterMs, result: { kind: 'response', status, headers, body: '' } });
export const silence: Reply = {
  afterMs: 15_000,
  result: { kind: 'failure', code: 'timeout', maybeDelivered: true, message: 'no answer within 15000 ms' },
};

export function openWebhookWorld({ slots = 5, seed = 'webhooks' } = {}) {
  const random = createSeededRandom(seed);
  const timeline = createTimeline(T0, random.fork('timeline'));
  const clock = { now: () => timeline.now() };
  const stores = memoryHelpdesk();
  const deliveries = createMemoryQueue<Pointer>({ clock, visibilitySec: 540 });
  const others = { send: async () => undefined };
  const vault = createVault({ wrapper: PLAIN_WRAPPER, keys: createMemoryDataKeys(), clock });
  const receivers = new Map<string, (sent: Sent) => Reply>();
  const sent: Sent[] = [];
  const told: DisabledFigure[] = [];
  const problems: unknown[] = [];
  const ports: WebhookPorts = {
    stores,
    deliveries,
    runs: others,
    mails: others,
    tasks: others,
    vault,
    transport: {
      send: (request) => {
        const one = { atMs: clock.now(), request };
        sent.push(one);
        const { afterMs, result } = receivers.get(request.url)?.(one) ?? answers(404);
        return new Promise((resolve) =>
          timeline.after(afterMs, () => resolve({ ...result, latencyMs: afterMs })),
        );
      },
    },
    clock,
    random,
    report: (problem, error) => void problems.push([problem, error]),
    countDisabled: (figure) => void told.push(figure),
  };

  const addWebhook = async (url: string, over: Partial<Webhook> = {}) => {
    const id = random.uuidv7(clock.now());
    const secret = newWebhookSecret(() => random.next());
    const sealed = await vault.seal(WORKSPACE, secretContext(id), secret);
    const webhook: Webhook = {
      ...webhookOf(id),
      url,
      secrets: [{ sealed, hint: secretHint(secret), expiresAtMs: null }],
      createdAtMs: clock.now(),
      updatedAtMs: clock.now(),
      ...over,
    };
    await setWebhooks((webhooks) => [...webhooks, webhook]);
    return { webhook, secret };
  };
  const webhooks = async (): Promise<readonly Webhook[]> =>
    (await stores.webhooks.read(WORKSPACE, WORKSPACE))?.record.webhooks ?? [];
  const setWebhooks = async (next: (webhooks: readonly Webhook[]) => readonly Webhook[]) => {
    const stored = await stores.webhooks.read(WORKSPACE, WORKSPACE);
    const record = { id: WORKSPACE, workspaceId: WORKSPACE, webhooks: next(await webhooks()) };
    const version = (stored?.version ?? 0) + 1;
    await stores.webhooks.put({ record, version, outbox: [], dueAtMs: null }, stored?.version ?? null);
  };

  /** As draining an outbox does: a row for each webhook that wants it, and its pointer. */
  const happen = async (only?: readonly Webhook[]): Promise<readonly Delivery[]> => {
    const atMs = clock.now();
    const id = random.uuidv7(atMs);
    const event = { id, type: 'ticket.created', atMs, version: 1, data: '{"ticket":{"id":"é"}}' } as const;
    const rows = deliveriesOf(WORKSPACE, event, { webhooks: only ?? (await webhooks()) });
    for (const record of rows) {
      await stores.deliveries.put({ record, version: 1, outbox: [], dueAtMs: atMs + 60_000 }, null);
      const body = { workspaceId: WORKSPACE, id: record.id };
      await deliveries.send([{ body, groupId: record.webhookId }]);
    }
    return rows;
  };
  const row = async (id: string): Promise<Delivery> => {
    const stored = await stores.deliveries.read(WORKSPACE, id);
    if (stored === null) throw new Error(`there is no delivery ${id}`);
    return stored.record;
  };
  const health = (webhook: Webhook): Promise<WebhookHealth | null> =>
    stores.health.readHealth(WORKSPACE, webhook.id);

  const isAllOver = (): boolean => stores.deliveries.all().every(({ record }) => record.status !== 'pending');
  const world = {
    timeline,
    clock,
    stores,
    deliveries,
    vault,
    receivers,
    sent,
    told,
    problems,
    ports,
    random,
  };
  return {
    ...world,
    addWebhook,
    webhooks,
    setWebhooks,
    happen,
    row,
    health,
    /** Runs slots and sweeps until every delivery is over, or `done` holds. */
    run: async (done: () => boolean = isAllOver, stepsMax = 1_000_000) => {
      startSlots(world, createWebhookStage(ports), slots);
      sweepEachMinute(world);
      await timeline.run(done, stepsMax);
    },
  };
}

type World = Pick<
  ReturnType<typeof openWebhookWorld>,
  'timeline' | 'clock' | 'stores' | 'deliveries' | 'problems'
>;

/** Invocations that take ten messages each, as many at a time as there are slots, in the order they were sent. */
function startSlots(
  { timeline, clock, deliveries, problems }: World,
  stage: ReturnType<typeof createWebhookStage>,
  slots: number,
): void {
  let busy = 0;
  let wakeAtMs = Number.POSITIVE_INFINITY;
  const take = (): void => {
    while (busy < slots) {
      const messages = deliveries.receive(10);
      if (messages.length === 0) break;
      busy += 1;
      void stage(messages)
        .then(({ failedIndexes }) => {
          messages.forEach(({ receipt }, index) => {
            if (!failedIndexes.includes(index)) deliveries.remove(receipt);
          });
        })
        .catch((error: unknown) => void problems.push(error))
        .finally(() => {
          busy -= 1;
          timeline.after(0, take);
        });
    }
    wake();
  };
  const wake = (): void => {
    const nextMs = Math.max(deliveries.nextVisibleAtMs() ?? Number.POSITIVE_INFINITY, clock.now() + 1);
    if (busy === slots || nextMs === Number.POSITIVE_INFINITY) return;
    if (wakeAtMs > clock.now() && wakeAtMs <= nextMs) return;
    wakeAtMs = nextMs;
    timeline.at(nextMs, take);
  };
  const { send } = deliveries;
  Object.assign(deliveries, {
    send: async (...args: Parameters<typeof send>) => {
      await send(...args);
      timeline.after(0, wake);
    },
  });
  timeline.after(0, take);
}

/** As the sweep does: pointers of what is due are sent again. */
function sweepEachMinute({ timeline, clock, stores, deliveries }: World): void {
  const sweep = async (): Promise<void> => {
    const isDue = stores.deliveries.all().some(({ dueAtMs }) => dueAtMs !== null && dueAtMs < clock.now());
    if (!isDue) return;
    for (let shard = 0; shard < stores.due.shards; shard++)
      for await (const { kind, workspaceId, id } of stores.due.due(shard, clock.now(), 1_000))
        if (kind === 'delivery') await deliveries.send([{ body: { workspaceId, id }, groupId: id }]);
  };
  const tick = (): void => {
    void sweep();
    timeline.after(60_000, tick);
  };
  timeline.after(60_000, tick);
}
