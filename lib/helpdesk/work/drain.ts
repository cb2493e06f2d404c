// Carries out the effects in a record's outbox, then empties the outbox.
// Guarantees: each effect is a conditional write (put if absent, or update by version), so several processes may drain
// the same record, any number of times; the outbox is emptied only after all effects are done; a pointer that the queue
// did not take costs a minute, because its row is due.
// Throws if an effect failed: the record stays due, and the next drain repeats all effects.
import type { Clock, Random } from '../../core/ports/clock.ts';
import type { MessageSender } from '../../core/ports/queue.ts';
import type { OutboxEntry, Stored } from '../domain/outbox.ts';
import type { Pointer } from '../domain/pointer.ts';
import type { HelpdeskStores, RecordStore } from '../ports/stores.ts';
import { ensureContact } from './effects/contact.ts';
import { type DeliveryPorts, sendToWebhooks } from './effects/deliveries.ts';
import { ensureErasure } from './effects/erase.ts';
import { ensureMail } from './effects/mail.ts';
import { ensureRun } from './effects/run.ts';

export interface DrainPorts {
  readonly stores: HelpdeskStores;
  readonly deliveries: MessageSender<Pointer>;
  readonly runs: MessageSender<Pointer>;
  readonly mails: MessageSender<Pointer>;
  readonly tasks: MessageSender<Pointer & { readonly kind: string }>;
  readonly clock: Clock;
  readonly random: Random;
  readonly report: (problem: string, error: unknown) => void;
  /** Waits between tries of a write that lost; without it the next one follows at once. */
  readonly pause?: (ms: number) => Promise<void>;
}

/** Resolves when all effects are done and the outbox is empty, emptied by this call or by another process. */
export async function carryOut<R extends Pointer>(
  store: RecordStore<R>,
  stored: Stored<R>,
  ports: DrainPorts,
): Promise<void> {
  const { record, version, outbox, timerAtMs = null } = stored;
  const { workspaceId } = record;
  const deliveryPorts = { ...ports, webhooks: rememberWebhooks(workspaceId, ports) };
  const outcomes = await Promise.allSettled(
    outbox.map((entry) => perform(workspaceId, entry, deliveryPorts)),
  );
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  await store.settle(record, version, timerAtMs);
  // Outboxes of records written on the way come last: callers who wait for this record need not wait for those.
  await Promise.all(outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value?.() : null)));
}

/** Drains the outboxes of records that were written on the way; undefined if none were. */
type Rest = (() => Promise<unknown>) | undefined;

/** One read of the webhooks for all events of an outbox; no read if it has no event. */
function rememberWebhooks(workspaceId: string, { stores }: DrainPorts): DeliveryPorts['webhooks'] {
  let reading: ReturnType<DeliveryPorts['webhooks']> | undefined;
  return () => {
    reading ??= stores.webhooks
      .read(workspaceId, workspaceId)
      .then((stored) => stored?.record ?? { webhooks: [] });
    return reading;
  };
}

async function perform(workspaceId: string, entry: OutboxEntry, ports: DeliveryPorts): Promise<Rest> {
  const { stores } = ports;
  switch (entry.kind) {
    case 'message':
      await stores.messages.putMessage(entry.message);
      return;
    case 'audit':
      await stores.audit.append(entry.entry);
      return;
    case 'search':
      await stores.search.change(workspaceId, entry);
      return;
    case 'event':
      await sendToWebhooks(workspaceId, entry.event, ports);
      return;
    case 'contact': {
      const created = await ensureContact(workspaceId, entry, ports);
      return created === null ? undefined : () => finish(stores.contacts, created, ports);
    }
    case 'run': {
      const superseded = await ensureRun(workspaceId, entry, ports);
      return () => Promise.all(superseded.map((run) => finish(stores.runs, run, ports)));
    }
    case 'mail':
      await ensureMail(workspaceId, entry, ports);
      return;
    case 'erase':
      await ensureErasure(workspaceId, entry, ports);
      return;
  }
}

/** Drains a record that was written on the way. That record is due itself, so its failure does not fail this one. */
async function finish<R extends Pointer>(
  store: RecordStore<R>,
  stored: Stored<R>,
  ports: DrainPorts,
): Promise<void> {
  try {
    await carryOut(store, stored, ports);
  } catch (error) {
    ports.report('what follows from a record was not all carried out, and is tried again', error);
  }
}
