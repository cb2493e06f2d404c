// The agent's actions that the helpdesk does not have yet: each is shown at once, sent after five seconds, and can be
// undone until then.
// Guarantees: actions on one ticket are sent one after the other; a failed one stays with its text until it is repeated
// or undone; a repetition is the same request. It survives page changes within the dashboard, so that the actions are
// sent.
import { isOvertaken } from '#dashboard/parts/problems.ts';
import type { HelpdeskClient } from '#lib/client/helpdesk-client.ts';
import { createStore } from '../store.ts';
import { type Action, send, versionOf } from './actions.ts';
import type { Ticket } from './conversation.ts';

export const UNDO_MS = 5_000;

export interface PendingAction {
  readonly id: string;
  readonly ticket: Ticket;
  readonly action: Action;
  /** `refused`: another person changed the ticket meanwhile. */
  readonly state: 'waiting' | 'running' | 'failed' | 'refused';
  /** The last failure; kept while it is retried. */
  readonly error?: unknown;
  /** A new key after each refusal, because the helpdesk stores an answer by its key. */
  readonly round: number;
}

export interface Ports {
  readonly helpdesk: HelpdeskClient;
  /** Resolves when the pages show the current state. */
  readonly refresh: (ticketId: string) => Promise<unknown>;
  readonly done: (pending: PendingAction) => void;
}

export const pendingActions = createStore<readonly PendingAction[]>([]);

/** Tickets that were changed successfully from here. */
const changed = new Set<string>();

export const isChangedHere = (ticketId: string): boolean => changed.has(ticketId);

const timers = new Map<string, ReturnType<typeof setTimeout>>();
/** The action of a ticket that is being sent. */
const chains = new Map<string, Promise<unknown>>();
/** A version the agent saw → the version that the agent's own action made of it. */
const successors = new Map<string, string>();
let ports: Ports | undefined;

export function attach(given: Ports): void {
  ports = given;
}

const find = (id: string): PendingAction | undefined =>
  pendingActions.get().find((pending) => pending.id === id);
const update = (id: string, change: Partial<PendingAction>): void =>
  pendingActions.set(
    pendingActions.get().map((pending) => (pending.id === id ? { ...pending, ...change } : pending)),
  );
const remove = (id: string): void =>
  pendingActions.set(pendingActions.get().filter((pending) => pending.id !== id));

/** Runs once, even if it was pressed several times before the next render. */
export function perform(ticket: Ticket, what: Action, id: string = crypto.randomUUID()): void {
  const same = JSON.stringify(what);
  const isBegun = (pending: PendingAction): boolean =>
    pending.state === 'waiting' && pending.ticket.id === ticket.id && JSON.stringify(pending.action) === same;
  if (pendingActions.get().some(isBegun)) return;
  pendingActions.set([...pendingActions.get(), { id, ticket, action: what, state: 'waiting', round: 0 }]);
  timers.set(
    id,
    setTimeout(() => sendNow(id), UNDO_MS),
  );
}

/** The undone action, or undefined if it is too late. */
export function takeBack(id: string): PendingAction | undefined {
  const pending = find(id);
  if (pending === undefined || pending.state === 'running') return undefined;
  clearTimeout(timers.get(id));
  timers.delete(id);
  remove(id);
  return pending;
}

export const lastWaiting = (): PendingAction | undefined =>
  pendingActions.get().findLast(({ state }) => state === 'waiting');

export function sendNow(id: string): void {
  const pending = find(id);
  if (pending === undefined || pending.state === 'running') return;
  clearTimeout(timers.get(id));
  timers.delete(id);
  update(id, { state: 'running' });
  const before = chains.get(pending.ticket.id) ?? Promise.resolve();
  const mine = before.then(() => carryOut(id));
  chains.set(pending.ticket.id, mine);
}

/** Repeats the action for the current version, although another person changed the ticket. */
export async function insist(id: string): Promise<void> {
  const pending = find(id);
  if (pending?.state !== 'refused' || ports === undefined) return;
  update(id, { state: 'running' });
  try {
    const ticket = await versionOf(ports.helpdesk, pending.ticket.id);
    update(id, { ticket, state: 'waiting', round: pending.round + 1 });
    sendNow(id);
  } catch (error) {
    update(id, { state: 'refused', error });
  }
}

function latest(etag: string): string {
  let known = etag;
  for (let next = successors.get(known); next !== undefined; next = successors.get(known)) known = next;
  return known;
}

async function carryOut(id: string): Promise<void> {
  const pending = find(id);
  if (pending === undefined || ports === undefined) return;
  const { ticket, action: what, round } = pending;
  if (pendingActions.get().some((one) => isBefore(one, pending))) {
    update(id, { state: 'failed', error: new Error('What was done before it has not gone through.') });
    return;
  }
  try {
    // The message keeps its key: it is written once, for any number of tries to close the ticket with it.
    const key = what.kind === 'message' || round === 0 ? id : `${id}-${round}`;
    const version = await send(ports.helpdesk, { ticket, action: what, key, ifMatch: latest(ticket.etag) });
    if (version !== null && version !== latest(ticket.etag)) successors.set(latest(ticket.etag), version);
    changed.add(ticket.id);
    ports.done(pending);
    await ports.refresh(ticket.id).catch(() => undefined);
    remove(id);
  } catch (error) {
    update(id, { state: isOvertaken(error) ? 'refused' : 'failed', error });
    await ports.refresh(ticket.id).catch(() => undefined);
  }
}

const isBefore = (one: PendingAction, pending: PendingAction): boolean =>
  one.ticket.id === pending.ticket.id &&
  (one.state === 'failed' || one.state === 'refused') &&
  pendingActions.get().indexOf(one) < pendingActions.get().findIndex(({ id }) => id === pending.id);
