// A request with an Idempotency-Key whose process has a fault at its n-th call of a store or queue, repeated by its client once
// the lease has ended, while the first attempt is dead, failed, or stands still and goes on later. The oracle is the same request
// without a fault: what is there afterwards is counted alike. Through the whole API, because keys, handlers and commits have to
// agree. Exhaustive: each call there is, each fault; no chance, no clock but the manual one.
import { createVault } from '../../lib/adapters/vault/vault.ts';
import { IDEMPOTENCY_LEASE_MS, type IdempotencyStore } from '../../lib/core/http/idempotency.ts';
import type { Vault } from '../../lib/core/ports/vault.ts';
import type { HelpdeskStores } from '../../lib/helpdesk/ports/stores.ts';
import type { HelpdeskApiPorts } from '../../services/helpdesk/api/ports.ts';
import { runSweep } from '../../services/helpdesk/sweep/stage.ts';
import { type Desk, type DeskReply, MINE, NOW, openHelpdesk, UNKNOWN_ID } from '../contract/helpdesk-host.ts';
import { createManualClock } from '../support/memory/clock.ts';
import { createMemoryDataKeys } from '../support/memory/config-stores.ts';
import { PLAIN_WRAPPER } from '../support/memory/event-vault.ts';
import { type MemoryHelpdesk, memoryHelpdesk } from '../support/memory/helpdesk.ts';
import { createMemoryIdempotencyStore } from '../support/memory/idempotency-store.ts';
import { createMemoryQueue } from '../support/memory/queue.ts';
import { createSeededRandom } from '../support/memory/random.ts';
import { FAULTS, type Fault, processOf } from './helpdesk-crashes.ts';

export interface Repeated {
  readonly path: string;
  readonly body: unknown;
  /** Done before; what it returns takes the place of `:id` in path and body. */
  readonly before?: (desk: Desk) => Promise<string>;
}

type Kept = HelpdeskStores & { readonly idempotency: IdempotencyStore };
/** What the processes' stores do differently. */
export type RepeatMutant = (stores: Kept) => Kept;

export interface Tried {
  readonly points: number;
  readonly findings: readonly string[];
}

const KEY = { 'idempotency-key': 'again' };

/** Applications are dear to build: these are built once, and see the stores of the point that is tried. */
export async function openRepeats() {
  // One table of keys: what one process sealed another opens.
  const keys = createMemoryDataKeys();
  const vault = () => createVault({ wrapper: PLAIN_WRAPPER, keys, clock: createManualClock(NOW) });
  const healthy = await openSeat('healthy', vault());
  const dying = await openSeat('dying', vault());
  const later = await openSeat('later', vault());
  const seats = { healthy, dying, later };
  return async (request: Repeated, mutant: RepeatMutant = (stores) => stores): Promise<Tried> => {
    const expected = await undisturbed(request, seats);
    const findings: string[] = [];
    let points = 0;
    for (const fault of FAULTS)
      for (let at = 0; ; at++) {
        const tried = await tryPoint(request, { at, fault, mutant }, seats);
        if (!tried.isHit) break;
        points += 1;
        const wrong = [...tried.wrong];
        if (tried.counts !== expected) wrong.push(`there is ${tried.counts} in place of ${expected}`);
        findings.push(...wrong.map((one) => `POST ${request.path}, ${fault} at call ${at}: ${one}`));
      }
    return { points, findings };
  };
}

/** A process that serves the API: whose stores, queues and clock are those of the moment. */
async function openSeat(seed: string, vault: Vault) {
  let now: Seated = freshWorld();
  const desk = await openHelpdesk({ ...lateBound(() => now), vault, random: createSeededRandom(seed) });
  const sit = (on: Seated): void => {
    now = on;
  };
  return { desk, sit };
}

type Seat = Awaited<ReturnType<typeof openSeat>>;
type Seats = Readonly<Record<'healthy' | 'dying' | 'later', Seat>>;
type Seated = Pick<HelpdeskApiPorts, 'stores' | 'idempotency' | 'clock' | Queues>;
type Queues = 'deliveries' | 'runs' | 'mails' | 'tasks';

/** Members of what `of` returns at each call, at any depth. */
function lateBound<T extends object>(of: () => T): T {
  return new Proxy({} as T, {
    ownKeys: () => Reflect.ownKeys(of()),
    getOwnPropertyDescriptor: (_target, name) => {
      const value: unknown = member(of, name);
      return { configurable: true, enumerable: true, value };
    },
    get: (_target, name) => member(of, name),
  });
}

function member<T extends object>(of: () => T, name: string | symbol): unknown {
  const there: unknown = Reflect.get(of(), name);
  if (typeof there === 'function')
    return (...args: unknown[]): unknown => {
      const target = of();
      return Reflect.apply(Reflect.get(target, name) as () => unknown, target, args);
    };
  return typeof there === 'object' && there !== null
    ? lateBound(() => Reflect.get(of(), name) as object)
    : there;
}

function freshWorld() {
  const clock = createManualClock(NOW);
  const stores = memoryHelpdesk();
  const idempotency = createMemoryIdempotencyStore();
  const queue = () => createMemoryQueue<{ workspaceId: string; id: string; kind: string }>({ clock });
  return { clock, stores, idempotency, deliveries: queue(), runs: queue(), mails: queue(), tasks: queue() };
}
type World = ReturnType<typeof freshWorld>;

async function sweepAll(world: World, { desk }: Seat): Promise<void> {
  for (let minute = 0; minute < 3; minute++) {
    world.clock.advance(61_000);
    await runSweep({ ...desk.ports, quarantine: () => undefined });
  }
}

async function undisturbed(request: Repeated, { healthy }: Seats): Promise<string> {
  const world = freshWorld();
  healthy.sit(world);
  const client = await prepared(request, healthy.desk);
  // Ids are in the order of time.
  world.clock.advance(1_000);
  const wanted = await client.ask(client.body, healthy.desk);
  if (wanted.status >= 300) throw new Error(`${request.path}: ${wanted.status} ${wanted.text}`);
  await sweepAll(world, healthy);
  return JSON.stringify(countsOf(world.stores));
}

interface Point {
  readonly at: number;
  readonly fault: Fault;
  readonly mutant: RepeatMutant;
}

async function tryPoint(request: Repeated, { at, fault, mutant }: Point, { healthy, dying, later }: Seats) {
  const world = freshWorld();
  const { clock, idempotency, stores: memory } = world;
  healthy.sit(world);
  const client = await prepared(request, healthy.desk);
  // Ids are in the order of time.
  world.clock.advance(1_000);
  const kept: Kept = mutant({ ...memory, idempotency });
  const process = processOf({ ...healthy.desk.ports, ...world, stores: kept }, at, fault);
  const own = process.ports.stores as Kept;
  dying.sit({ ...world, ...process.ports, stores: own, idempotency: own.idempotency });
  later.sit({ ...world, stores: kept, idempotency: kept.idempotency });
  const first = await process.run(() => client.ask(client.body, dying.desk));

  clock.advance(IDEMPOTENCY_LEASE_MS + 1_000);
  const second = await client.ask(client.body, later.desk);
  process.release();
  if (fault === 'stall' || fault === 'stall-long') await process.ended();
  await sweepAll(world, healthy);
  const third = await client.ask(client.body, later.desk);
  const other = await client.ask(otherBody(client.body as object), later.desk);

  const wrong: string[] = [];
  const said = [first, second, third].filter(isReply);
  for (const { status, text } of said) if (status >= 300 && status < 500) wrong.push(`${status} ${text}`);
  if (second.status >= 300) wrong.push(`the repetition was answered ${second.status} ${second.text}`);
  const answers = new Set(said.filter(({ status }) => status < 300).map(({ text }) => text));
  if (answers.size !== 1) wrong.push(`answered ${[...answers].join(' and ')}`);
  if (third.headers['idempotent-replayed'] !== 'true') wrong.push('the answer was not replayed');
  if (other.status !== 422) wrong.push(`another body was answered ${other.status}`);
  return { isHit: process.isHit(), wrong, counts: JSON.stringify(countsOf(memory)) };
}

/** One that the route takes as well. */
function otherBody(body: object): object {
  const text = ['reason', 'body', 'message', 'content', 'name', 'action'].find((name) => name in body);
  if (text !== undefined) return { ...body, [text]: `${Reflect.get(body, text)}.again` };
  if ('url' in body) return { ...body, description: 'another' };
  if ('ticket_id' in body) return { ...body, ticket_id: UNKNOWN_ID };
  return { ...body, unknown: true };
}

const isReply = (outcome: DeskReply | Error | 'stopped'): outcome is DeskReply =>
  outcome !== 'stopped' && 'status' in outcome;

async function prepared({ path, body, before }: Repeated, healthy: Desk) {
  const hook = { url: 'https://hooks.example/', events: ['*'] };
  await healthy.ask('POST', '/api/webhooks', { body: hook });
  const id = (await before?.(healthy)) ?? '';
  const filled: unknown = JSON.parse(JSON.stringify(body).replaceAll(':id', id));
  const ask = (sent: unknown, desk: Desk): Promise<DeskReply> =>
    desk.ask('POST', path.replace(':id', id), { headers: KEY, body: sent });
  return { body: filled, ask };
}

/** How many of each there are, and what is left to be done. */
function countsOf(memory: MemoryHelpdesk) {
  const { tickets, contacts, articles, webhooks, runs, deliveries, mails, messages, audit } = memory;
  const hooks = webhooks.all().flatMap(({ record }) => record.webhooks);
  return {
    tickets: tickets.all().length,
    messages: messages.all().length,
    counted: tickets.all().reduce((sum, { record }) => sum + record.messageCount, 0),
    contacts: contacts.all().length,
    articles: articles.all().length,
    hooks: [hooks.length, hooks.flatMap(({ secrets }) => secrets).length],
    runs: runs.all().length,
    deliveries: deliveries
      .all()
      .map(({ record }) => record.type)
      .sort(),
    mails: mails.all().length,
    audit: audit
      .all()
      .filter(({ workspaceId }) => workspaceId === MINE)
      .map(({ action }) => action)
      .sort(),
    undone: [...tickets.all(), ...contacts.all(), ...articles.all()].filter(({ outbox }) => outbox.length > 0)
      .length,
  };
}
