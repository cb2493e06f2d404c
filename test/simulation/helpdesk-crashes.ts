// A process of the helpdesk that dies, fails or stalls at any one of its writes, and the oracle that says what must be there
// afterwards. The oracle is the list of commits: a conditional put that was taken. Whatever an outbox of those names must be there
// once, whatever none names must not.
import type { MessageSender } from '../../lib/core/ports/queue.ts';
import type { OutboxEntry } from '../../lib/helpdesk/domain/outbox.ts';
import type { HelpdeskStores, RecordStore } from '../../lib/helpdesk/ports/stores.ts';
import type { DrainPorts } from '../../lib/helpdesk/work/drain.ts';

/**
 * `kill-before`, `kill-after`: the process ends at the write. `fail-before`, `fail-after`: the write throws, done or not.
 * `stall`: this write and all that follow wait until `release`; `stall-long`: until all others are done with it.
 */
export const FAULTS = [
  'kill-before',
  'kill-after',
  'fail-before',
  'fail-after',
  'stall',
  'stall-long',
] as const;
export type Fault = (typeof FAULTS)[number];

export interface Process {
  readonly ports: DrainPorts;
  /** Resolves with what the work did: its result, its error, or that the process died or stands still. */
  run<T>(work: (ports: DrainPorts) => Promise<T>): Promise<T | Error | 'stopped'>;
  /** True once the write with the fault was reached. */
  readonly isHit: () => boolean;
  /** Conditional writes of tickets and contacts that were done. */
  readonly taken: () => number;
  /** Lets a stalled process go on. */
  release(): void;
  /** What was begun, once it has ended; for a process that was released. */
  readonly ended: () => Promise<unknown>;
}

/** Reads among them: what dies between two writes may die at a read. */
const CALLS: ReadonlySet<string> = new Set([
  'read',
  'readMany',
  'runs',
  'put',
  'settle',
  'remove',
  'putMessage',
  'replaceMessage',
  'removeMessages',
  'link',
  'unlink',
  'change',
  'append',
  'putOff',
  'send',
  'next',
  'claim',
  'begin',
  'finish',
  'release',
]);

/** A process whose `at`-th write, from 0, or whose first one of this store and name, has the fault. */
export function processOf(
  ports: DrainPorts,
  at: number | 'tickets.put' | 'contacts.put',
  fault: Fault,
): Process {
  let writes = 0;
  let isHit = false;
  let taken = 0;
  let stop: (why: 'stopped') => void = () => undefined;
  const stopped = new Promise<'stopped'>((resolve) => {
    stop = resolve;
  });
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let isDead = false;
  let isStalled = false;
  let ended: Promise<unknown> = Promise.resolve();
  const never = new Promise<never>(() => undefined);
  const die = (): Promise<never> => {
    isDead = true;
    stop('stopped');
    return never;
  };

  const guarded = async (called: string, write: () => Promise<unknown>): Promise<unknown> => {
    if (isDead) return await never;
    if (isStalled) await released;
    const number = writes++;
    if (isHit || (number !== at && called !== at)) return await write();
    isHit = true;
    switch (fault) {
      case 'kill-before':
        return await die();
      case 'kill-after':
        await write();
        return await die();
      case 'fail-before':
        throw new Error('failed');
      case 'fail-after':
        await write();
        throw new Error('failed, although it was written');
      case 'stall':
      case 'stall-long':
        isStalled = true;
        stop('stopped');
        await released;
        isStalled = false;
        return await write();
    }
  };
  const guard = <T extends object>(store: string, of: T): T =>
    new Proxy(of, {
      get: (target, name, self) => {
        const member: unknown = Reflect.get(target, name, self);
        if (typeof member !== 'function') return member;
        const call = (...args: unknown[]): unknown => Reflect.apply(member, target, args) as unknown;
        if (!CALLS.has(String(name))) return (...args: unknown[]) => (isDead ? never : call(...args));
        return (...args: unknown[]) =>
          guarded(`${store}.${String(name)}`, async () => {
            const result: unknown = await call(...args);
            if (name === 'put' && result === true && (store === 'tickets' || store === 'contacts'))
              taken += 1;
            return result;
          });
      },
    });
  const stores = Object.fromEntries(
    Object.entries(ports.stores).map(([name, store]) => [name, guard(name, store as object)]),
  ) as unknown as HelpdeskStores;
  const queue = <Body>(sender: MessageSender<Body>): MessageSender<Body> => guard('queue', sender);
  const own: DrainPorts = {
    ...ports,
    stores,
    deliveries: queue(ports.deliveries),
    runs: queue(ports.runs),
    mails: queue(ports.mails),
    tasks: queue(ports.tasks),
  };
  return {
    ports: own,
    run: async (work) => {
      const done = work(own).catch((error: unknown) => (error instanceof Error ? error : new Error()));
      ended = done;
      return await Promise.race([done, stopped]);
    },
    isHit: () => isHit,
    taken: () => taken,
    release,
    ended: () => ended,
  };
}

/** One commit of a record, as its writer put it. */
export interface Commit {
  readonly kind: 'ticket' | 'contact' | 'run';
  readonly id: string;
  readonly version: number;
  readonly outbox: readonly OutboxEntry[];
}

/** Stores that note each put that was taken. */
export function noteCommits(stores: HelpdeskStores): {
  readonly stores: HelpdeskStores;
  readonly commits: readonly Commit[];
} {
  const commits: Commit[] = [];
  const noted = <R extends { readonly id: string }>(
    kind: Commit['kind'],
    store: RecordStore<R>,
  ): RecordStore<R> => ({
    ...store,
    put: async (stored, expected) => {
      const isTaken = await store.put(stored, expected);
      const { record, version, outbox } = stored;
      if (isTaken) commits.push({ kind, id: record.id, version, outbox });
      return isTaken;
    },
  });
  return {
    commits,
    stores: {
      ...stores,
      tickets: noted('ticket', stores.tickets),
      contacts: noted('contact', stores.contacts),
      runs: noted('run', stores.runs),
    },
  };
}
