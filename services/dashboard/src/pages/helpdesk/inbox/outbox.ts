// The agent's actions that the helpdesk does not have yet: each is shown at once, sent after five seconds, and can be
// undone until then.
// Guarantees: actions on one ticket are sent one after the other; a failed one stays with its text until it is repeated
// or undone; a repetition is the same request. It survives page changes within the dashboard, so that the actions are
// sent.
import type { ApiError } from '#lib/client/client.ts';
import type { HelpdeskClient } from '#lib/client/helpdesk-client.ts';
import { createStore } from '../store.ts';
import { type Act, send, versionOf } from './acts.ts';
import type { Ticket } from './conversation.ts';

export const UNDO_MS = 5_000;

export interface Deed {
  readonly id: string;
  readonly ticket: Ticket;
  readonly act: Act;
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
  readonly done: (deed: Deed) => void;
}

export const deeds = createStore<readonly Deed[]>([]);

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

const find = (id: string): Deed | undefined => deeds.get().find((deed) => deed.id === id);
const update = (id: string, change: Partial<Deed>): void =>
  deeds.set(deeds.get().map((deed) => (deed.id === id ? { ...deed, ...change } : deed)));
const remove = (id: string): void => deeds.set(deeds.get().filter((deed) => deed.id !== id));

/** Another person changed the ticket meanwhile. */
export const isRefusal = (error: unknown): boolean => (error as Partial<ApiError> | null)?.status === 412;

/** Runs once, even if it was pressed several times before the next render. */
export function act(ticket: Ticket, what: Act, id: string = crypto.randomUUID()): void {
  const same = JSON.stringify(what);
  const isBegun = (deed: Deed): boolean =>
    deed.state === 'waiting' && deed.ticket.id === ticket.id && JSON.stringify(deed.act) === same;
  if (deeds.get().some(isBegun)) return;
  deeds.set([...deeds.get(), { id, ticket, act: what, state: 'waiting', round: 0 }]);
  timers.set(
    id,
    setTimeout(() => sendNow(id), UNDO_MS),
  );
}

/** The undone action, or undefined if it is too late. */
export function takeBack(id: string): Deed | undefined {
  const deed = find(id);
  if (deed === undefined || deed.state === 'running') return undefined;
  clearTimeout(timers.get(id));
  timers.delete(id);
  remove(id);
  return deed;
}

export const lastWaiting = (): Deed | undefined => deeds.get().findLast(({ state }) => state === 'waiting');

export function sendNow(id: string): void {
  const deed = find(id);
  if (deed === undefined || deed.state === 'running') return;
  clearTimeout(timers.get(id));
  timers.delete(id);
  update(id, { state: 'running' });
  const before = chains.get(deed.ticket.id) ?? Promise.resolve();
  const mine = before.then(() => carryOut(id));
  chains.set(deed.ticket.id, mine);
}

/** Repeats the action for the current version, although another person changed the ticket. */
export async function insist(id: string): Promise<void> {
  const deed = find(id);
  if (deed?.state !== 'refused' || ports === undefined) return;
  update(id, { state: 'running' });
  try {
    const ticket = await versionOf(ports.helpdesk, deed.ticket.id);
    update(id, { ticket, state: 'waiting', round: deed.round + 1 });
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
  const deed = find(id);
  if (deed === undefined || ports === undefined) return;
  const { ticket, act: what, round } = deed;
  if (deeds.get().some((one) => isBefore(one, deed))) {
    update(id, { state: 'failed', error: new Error('What was done before it has not gone through.') });
    return;
  }
  try {
    // The message keeps its key: it is written once, for any number of tries to close the ticket with it.
    const key = what.kind === 'message' || round === 0 ? id : `${id}-${round}`;
    const version = await send(ports.helpdesk, { ticket, act: what, key, ifMatch: latest(ticket.etag) });
    if (version !== null && version !== latest(ticket.etag)) successors.set(latest(ticket.etag), version);
    changed.add(ticket.id);
    ports.done(deed);
    await ports.refresh(ticket.id).catch(() => undefined);
    remove(id);
  } catch (error) {
    update(id, { state: isRefusal(error) ? 'refused' : 'failed', error });
    await ports.refresh(ticket.id).catch(() => undefined);
  }
}

const isBefore = (one: Deed, deed: Deed): boolean =>
  one.ticket.id === deed.ticket.id &&
  (one.state === 'failed' || one.state === 'refused') &&
  deeds.get().indexOf(one) < deeds.get().findIndex(({ id }) => id === deed.id);
