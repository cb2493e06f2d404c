// Deletes tickets that have been closed for longer than the workspace's retention. Guarantees: only tickets that are
// DONE or REJECTED at that moment; bounded steps, each of which may be lost: the account stays due until a pass found
// nothing more, and is due again a day later. Off unless the workspace set `retention_days`.
import { DAY_MS } from '#lib/core/work/time-slot.ts';
import { accountConfigOf } from '#lib/helpdesk/domain/account/config.ts';
import type { Stored } from '#lib/helpdesk/domain/outbox.ts';
import type { Ticket, TicketState } from '#lib/helpdesk/domain/tickets/ticket.ts';
import { carryOut } from '#lib/helpdesk/work/drain.ts';
import { pointTo } from '#lib/helpdesk/work/effects/point-to.ts';
import type { TaskPorts } from './ports.ts';
import { removeTicket } from './remove-ticket.ts';

const OVER: readonly TicketState[] = ['DONE', 'REJECTED'];
/** Longer than a step, so that no second worker begins in the meantime. */
const STEP_MS = 120_000;
const TICKETS_AT_ONCE = 50;

export async function purgeWorkspace(workspaceId: string, endMs: number, ports: TaskPorts): Promise<void> {
  const { stores, clock } = ports;
  const account = await stores.accounts.read(workspaceId, workspaceId);
  if (account === null) return;
  if (account.outbox.length > 0) await carryOut(stores.accounts, account, ports);
  const days = accountConfigOf(account.record).retentionDays;
  const settle = (dueAtMs: number | null) => stores.accounts.settle(account.record, account.version, dueAtMs);
  if (days === null) {
    await settle(null);
    return;
  }
  if (!(await settle(clock.now() + STEP_MS))) return;
  const isDone = await purgeBefore(workspaceId, clock.now() - days * DAY_MS, endMs, ports);
  if (isDone) {
    await settle(clock.now() + DAY_MS);
    return;
  }
  await pointTo(ports.tasks, { workspaceId, kind: 'purge', id: workspaceId }, workspaceId, ports.report);
}

/**
 * False if time ran out. Ids are in the order of time: a ticket created after the limit cannot have been closed before
 * it.
 */
async function purgeBefore(
  workspaceId: string,
  beforeMs: number,
  endMs: number,
  ports: TaskPorts,
): Promise<boolean> {
  const { stores, clock } = ports;
  for (let after: string | undefined; ; ) {
    const ids = await stores.lists.oldestTickets(workspaceId, OVER, TICKETS_AT_ONCE, after);
    for (const ticket of await stores.tickets.readMany(workspaceId, ids)) {
      if (clock.now() >= endMs) return false;
      if (ticket.record.createdAtMs >= beforeMs) return true;
      if (isKeptNoLonger(ticket, beforeMs)) await removeTicket(ticket, ports);
    }
    after = ids.at(-1);
    if (ids.length < TICKETS_AT_ONCE) return true;
  }
}

const isKeptNoLonger = ({ record }: Stored<Ticket>, beforeMs: number): boolean =>
  OVER.includes(record.state) && record.closedAtMs !== null && record.closedAtMs < beforeMs;
