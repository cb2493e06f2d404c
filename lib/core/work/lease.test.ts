// Goal: of many workers one has a record at a time, a dead one loses it, and an overtaken one writes nothing. Method: any
// interleaving of workers that take, die, wait and write, over one record with conditional writes.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isHeld, isSameTaking, type Leased, takeLease, writeWhileHeld } from './lease.ts';
import { Outage } from './outage.ts';

const LEASE = { ms: 100 };
const FREE: Leased & { readonly id: string } = { id: 'a', attempts: 0, leaseUntilMs: null };

describe('a lease', () => {
  it('is held until its end, and free at its end', () => {
    const held = takeLease(FREE, LEASE, 1_000);
    expect(held).toEqual({ id: 'a', attempts: 1, leaseUntilMs: 1_100 });
    expect([1_000, 1_099, 1_100].map((nowMs) => isHeld(held, nowMs))).toEqual([true, true, false]);
    expect(isHeld(FREE, 0)).toBe(false);
    expect(isHeld({}, 0)).toBe(false);
  });

  it('is told from the one before it', () => {
    const first = takeLease(FREE, LEASE, 0);
    expect(isSameTaking({ ...first, leaseUntilMs: null }, first)).toBe(true);
    expect(isSameTaking(takeLease(first, LEASE, 100), first)).toBe(false);
  });
});

interface Stored {
  readonly version: number;
  readonly record: Leased & { readonly writtenBy?: number };
}

function recordOf() {
  let stored: Stored = { version: 1, record: { attempts: 0, leaseUntilMs: null } };
  return {
    now: () => stored,
    put: (record: Stored['record'], seen: Stored): Promise<boolean> => {
      if (seen.version !== stored.version) return Promise.resolve(false);
      stored = { version: seen.version + 1, record };
      return Promise.resolve(true);
    },
  };
}

describe('writeWhileHeld', () => {
  it('lets only the worker write that took the record last, however they are interleaved', async () => {
    const steps = fc.array(
      fc.record({
        worker: fc.integer({ min: 0, max: 3 }),
        does: fc.constantFrom('take' as const, 'write' as const, 'note' as const),
        waitMs: fc.integer({ min: 0, max: 120 }),
      }),
      { maxLength: 40 },
    );
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const store = recordOf();
        const held = new Map<number, Stored>();
        let nowMs = 0;
        let last: number | undefined;
        for (const { worker, does, waitMs } of all) {
          nowMs += waitMs;
          const found = store.now();
          // Others may change the record without taking it.
          if (does === 'note') await store.put({ ...found.record }, found);
          if (does === 'take' && !isHeld(found.record, nowMs)) {
            const record = takeLease(found.record, LEASE, nowMs);
            expect(await store.put(record, found)).toBe(true);
            held.set(worker, { record, version: found.version + 1 });
            last = worker;
          }
          const mine = held.get(worker);
          if (does !== 'write' || mine === undefined) continue;
          const isWritten = await writeWhileHeld({
            what: 'a record',
            seen: mine,
            read: () => Promise.resolve(store.now()),
            isMine: ({ record }) => isSameTaking(record, mine.record),
            write: (seen) => store.put({ ...seen.record, writtenBy: worker, leaseUntilMs: null }, seen),
          });
          expect(isWritten).toBe(worker === last);
          if (isWritten) held.set(worker, store.now());
        }
      }),
    );
  });

  it('reads first where nothing was seen, and writes nothing where the record is gone', async () => {
    const write = () => Promise.reject(new Error('not to be written'));
    const read = () => Promise.resolve(null);
    expect(await writeWhileHeld({ what: 'a record', read, isMine: () => true, write })).toBe(false);
  });

  it('ends as an outage where others keep writing', async () => {
    const read = () => Promise.resolve('a');
    const written = writeWhileHeld({
      what: 'a record',
      read,
      isMine: () => true,
      write: () => Promise.resolve(false),
    });
    await expect(written).rejects.toThrow(Outage);
  });
});
