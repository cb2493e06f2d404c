// Handles one due record: drains its outbox, ends a snooze that is over, or names the worker that needs a pointer.
// Guarantees: each step is a conditional write or a pointer, so two concurrent sweeps have the effect of one; a due
// time without a reason is removed.
import { ACCOUNT_CONFIG_DEFAULT } from '#lib/helpdesk/domain/account/config.ts';
import type { TaskKind } from '#lib/helpdesk/domain/job.ts';
import type { Stored } from '#lib/helpdesk/domain/outbox.ts';
import type { Pointer } from '#lib/helpdesk/domain/pointer.ts';
import { wokenTicket } from '#lib/helpdesk/domain/tickets/change.ts';
import type { Ticket } from '#lib/helpdesk/domain/tickets/ticket.ts';
import { timerOf } from '#lib/helpdesk/domain/tickets/transition.ts';
import type { DueRecord, RecordStore } from '#lib/helpdesk/ports/stores.ts';
import { change } from '#lib/helpdesk/work/commit.ts';
import { carryOut } from '#lib/helpdesk/work/drain.ts';
import { type Turn, turnOfAccount, turnOfDelivery, turnOfJob, turnOfMail, turnOfRun } from './decide.ts';
import type { SweepPorts } from './ports.ts';

/** The result of a look; `point`: send a pointer to a worker. */
export type Look =
  | { readonly kind: 'nothing' | 'drained' | 'woken' }
  | (Turn & {
      readonly kind: 'point';
      readonly queue: 'deliveries' | 'runs' | 'mails' | 'tasks';
      /** Of a job. */
      readonly jobKind?: TaskKind;
    });

const NOTHING: Look = { kind: 'nothing' };

/** Throws if the record cannot be read or its outbox cannot be drained. */
export async function lookAt(due: DueRecord, ports: SweepPorts): Promise<Look> {
  const { stores } = ports;
  switch (due.kind) {
    case 'ticket':
      return await lookAtTicket(due, ports);
    case 'contact':
      return await settled(stores.contacts, due, ports);
    case 'article':
      return await settled(stores.articles, due, ports);
    case 'account':
      return await settled(stores.accounts, due, ports, {
        queue: 'tasks',
        turn: turnOfAccount,
        kindOf: () => 'purge',
      });
    case 'webhooks':
      return await settled(stores.webhooks, due, ports);
    case 'run':
      return await settled(stores.runs, due, ports, { queue: 'runs', turn: turnOfRun });
    case 'delivery':
      return await settled(stores.deliveries, due, ports, { queue: 'deliveries', turn: turnOfDelivery });
    case 'mail':
      return await settled(stores.mails, due, ports, { queue: 'mails', turn: turnOfMail });
    case 'job':
      return await settled(stores.jobs, due, ports, {
        queue: 'tasks',
        turn: turnOfJob,
        kindOf: ({ kind }) => kind,
      });
  }
}

async function lookAtTicket(due: DueRecord, ports: SweepPorts): Promise<Look> {
  const { stores, clock, random } = ports;
  const stored = await stores.tickets.read(due.workspaceId, due.id);
  if (stored === null) return NOTHING;
  if (stored.outbox.length > 0) await carryOut(stores.tickets, stored, ports);
  const isWoken = await change(
    stores.tickets,
    due,
    (found) => {
      const atMs = clock.now();
      const woken =
        found === null
          ? null
          : wokenTicket(found, {
              atMs,
              newId: () => random.uuidv7(atMs),
              by: { workspaceId: due.workspaceId, system: 'snooze' },
              config: ACCOUNT_CONFIG_DEFAULT,
              mailDomain: null,
            });
      return woken === null ? { result: false } : { ...woken, result: true };
    },
    ports,
  );
  if (isWoken) return { kind: 'woken' };
  if (stored.outbox.length > 0) return { kind: 'drained' };
  await clearStale(stored, ports);
  return NOTHING;
}

/** Resets the timer of a snooze that was ended or moved. */
async function clearStale(stored: Stored<Ticket>, { stores, clock }: SweepPorts): Promise<void> {
  const timerAtMs = timerOf(stored.record);
  if (timerAtMs === null || timerAtMs > clock.now())
    await stores.tickets.settle(stored.record, stored.version, timerAtMs);
}

async function settled<R extends Pointer>(
  store: RecordStore<R>,
  due: DueRecord,
  ports: SweepPorts,
  worker?: {
    readonly queue: 'deliveries' | 'runs' | 'mails' | 'tasks';
    readonly turn: (record: R, nowMs: number) => Turn | null;
    readonly kindOf?: (record: R) => TaskKind;
  },
): Promise<Look> {
  const { workspaceId, id } = due;
  const stored = await store.read(workspaceId, id);
  if (stored === null) return NOTHING;
  if (stored.outbox.length > 0) {
    await carryOut(store, stored, ports);
    return { kind: 'drained' };
  }
  const turn = worker?.turn(stored.record, ports.clock.now()) ?? null;
  if (worker === undefined || turn === null) {
    await store.settle(stored.record, stored.version, null);
    return NOTHING;
  }
  const jobKind = worker.kindOf?.(stored.record);
  return { kind: 'point', queue: worker.queue, ...turn, ...(jobKind === undefined ? {} : { jobKind }) };
}
