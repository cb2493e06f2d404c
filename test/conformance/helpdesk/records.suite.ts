// What every store of records must do: one writer of many wins, a late one changes nothing, and no workspace sees another's.
import { describe, expect, it } from 'vitest';
import {
  accountOf,
  contactOf,
  idAt,
  messageOf,
  newWorkspace,
  type OpenStores,
  runOf,
  stored,
  ticketOf,
} from '#test/support/helpdesk-records.ts';

export function recordsConformance(name: string, open: OpenStores): void {
  describe(`records on ${name}`, () => {
    it('are read as they were written, with outbox, due time and timer', async () => {
      const { tickets } = await open();
      const ws = newWorkspace();
      const subject = 'Grüße 👩‍👩‍👧‍👦 \u0000 \ufffe 中文 العربية';
      const record = ticketOf(ws, 1, { subject, customerName: '' });
      const outbox = [
        { kind: 'message', message: messageOf(ws, record.id, 2, '😀'.repeat(50_000)) },
      ] as const;
      const first = stored(record, { outbox, dueAtMs: 60_000, timerAtMs: 90_000 });
      expect(await tickets.put(first, null)).toBe(true);
      expect(await tickets.read(ws, record.id)).toEqual(first);
      expect(await tickets.readMany(ws, [idAt(9), record.id, idAt(1), idAt(8)])).toEqual([first, first]);
      expect(await tickets.readMany(ws, [])).toEqual([]);
    });

    it('are read in the order asked for, more than one request holds', async () => {
      const { tickets } = await open();
      const ws = newWorkspace();
      const records = Array.from({ length: 130 }, (_, i) => stored(ticketOf(ws, i)));
      await Promise.all(records.map((one) => tickets.put(one, null)));
      const ids = records.map(({ record }) => record.id).reverse();
      expect((await tickets.readMany(ws, ids)).map(({ record }) => record.id)).toEqual(ids);
    });

    it('are made by one of many, and moved on by one of many who saw the same version', async () => {
      const { tickets } = await open();
      const ws = newWorkspace();
      const tries = Array.from({ length: 8 }, (_, i) => ticketOf(ws, 1, { subject: `try ${i}` }));
      const born = await Promise.all(tries.map((record) => tickets.put(stored(record), null)));
      expect(born.filter(Boolean)).toHaveLength(1);
      const moved = await Promise.all(tries.map((record) => tickets.put(stored(record, { version: 2 }), 1)));
      expect(moved.filter(Boolean)).toHaveLength(1);
      expect(await tickets.read(ws, idAt(1))).toEqual(
        stored(tries[moved.indexOf(true)] ?? ticketOf(ws, 1), { version: 2 }),
      );
      expect(await tickets.put(stored(ticketOf(ws, 1)), null)).toBe(false);
      expect(await tickets.put(stored(ticketOf(ws, 1), { version: 2 }), 1)).toBe(false);
      expect(await tickets.put(stored(ticketOf(ws, 2), { version: 2 }), 1)).toBe(false);
      expect(await tickets.read(ws, idAt(2))).toBeNull();
    });

    it('are settled in the version that was carried out, and in no later one', async () => {
      const { tickets } = await open();
      const ws = newWorkspace();
      const record = ticketOf(ws, 1);
      const entry = { kind: 'message', message: messageOf(ws, record.id, 2) } as const;
      await tickets.put(stored(record, { outbox: [entry], dueAtMs: 60_000, timerAtMs: 90_000 }), null);
      expect(await tickets.settle(record, 1, 90_000)).toBe(true);
      expect(await tickets.read(ws, record.id)).toEqual(
        stored(record, { dueAtMs: 90_000, timerAtMs: 90_000 }),
      );
      const second = stored(record, { version: 2, outbox: [entry], dueAtMs: 120_000 });
      expect(await tickets.put(second, 1)).toBe(true);
      expect(await tickets.settle(record, 1, null)).toBe(false);
      expect(await tickets.read(ws, record.id)).toEqual(second);
      expect(await tickets.settle(record, 2, null)).toBe(true);
      expect(await tickets.settle(record, 2, null)).toBe(true);
      expect(await tickets.read(ws, record.id)).toEqual(stored(record, { version: 2 }));
      expect(await tickets.settle({ workspaceId: ws, id: idAt(7) }, 1, null)).toBe(false);
    });

    it('keep an outbox that is written while another one is settled', async () => {
      const { tickets } = await open();
      for (let round = 0; round < 10; round++) {
        const ws = newWorkspace();
        const record = ticketOf(ws, 1);
        const entry = { kind: 'message', message: messageOf(ws, record.id, 2) } as const;
        await tickets.put(stored(record, { outbox: [entry], dueAtMs: 1 }), null);
        const next = stored(record, { version: 2, outbox: [entry, entry], dueAtMs: 2 });
        await Promise.all([
          tickets.settle(record, 1, null),
          tickets.put(next, 1),
          tickets.settle(record, 1, null),
        ]);
        expect(await tickets.read(ws, record.id)).toEqual(next);
      }
    });

    it('are removed in the version that was seen, and may be made again', async () => {
      const { contacts } = await open();
      const ws = newWorkspace();
      const record = contactOf(ws, idAt(1), 1);
      await contacts.put(stored(record), null);
      await contacts.put(stored(record, { version: 2 }), 1);
      expect(await contacts.remove(record, 1)).toBe(false);
      expect(await contacts.remove(record, 2)).toBe(true);
      expect(await contacts.remove(record, 2)).toBe(false);
      expect(await contacts.read(ws, record.id)).toBeNull();
      expect(await contacts.put(stored(record), null)).toBe(true);
    });

    it('belong to their workspace and kind: the same id elsewhere is another record', async () => {
      const { tickets, contacts, runs, accounts, webhooks } = await open();
      const [mine, theirs] = [newWorkspace(), newWorkspace()];
      const record = ticketOf(mine, 1);
      await tickets.put(stored(record), null);
      expect(await tickets.read(theirs, record.id)).toBeNull();
      expect(await tickets.readMany(theirs, [record.id])).toEqual([]);
      expect(await tickets.settle({ workspaceId: theirs, id: record.id }, 1, 5)).toBe(false);
      expect(await tickets.remove({ workspaceId: theirs, id: record.id }, 1)).toBe(false);
      expect(await contacts.read(mine, record.id)).toBeNull();
      expect(await tickets.put(stored(ticketOf(theirs, 1)), null)).toBe(true);
      expect(await runs.put(stored(runOf(mine, 1)), null)).toBe(true);
      const full = stored(accountOf(mine));
      const list = stored({ id: mine, workspaceId: mine, webhooks: [] });
      expect(await accounts.put(full, null)).toBe(true);
      expect(await webhooks.put(list, null)).toBe(true);
      expect(await accounts.read(mine, mine)).toEqual(full);
      expect(await webhooks.readMany(mine, [mine])).toEqual([list]);
      expect(await accounts.read(theirs, theirs)).toBeNull();
      expect(await tickets.read(mine, record.id)).toEqual(stored(record));
    });
  });
}
