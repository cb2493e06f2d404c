// What every due index must do: tell what is due of every workspace, whatever the others have.
import { describe, expect, it } from 'vitest';
import type { DueRecord, HelpdeskStores } from '#lib/helpdesk/ports/stores.ts';
import {
  accountOf,
  contactOf,
  deliveryOf,
  type FillTickets,
  idAt,
  inChunks,
  mailOf,
  newWorkspace,
  type OpenStores,
  runOf,
  stored,
  ticketOf,
} from '#test/support/helpdesk-records.ts';

async function dueOf(
  { due }: HelpdeskStores,
  beforeMs: number,
  perWorkspace = 100,
): Promise<readonly DueRecord[]> {
  const found: DueRecord[] = [];
  for (let shard = 0; shard < due.shards; shard++)
    for await (const record of due.due(shard, beforeMs, perWorkspace)) found.push(record);
  return found;
}

const of = (found: readonly DueRecord[], ws: string) => found.filter(({ workspaceId }) => workspaceId === ws);
const names = (found: readonly DueRecord[]) => found.map(({ kind, id }) => `${kind}/${id}`).sort();

export function dueConformance(name: string, open: OpenStores, fill: FillTickets): void {
  describe(`what is due on ${name}`, () => {
    it('is told before its time by nobody, and of every kind', async () => {
      const stores = await open();
      const ws = newWorkspace();
      const { tickets, contacts, runs, deliveries, accounts, webhooks, mails } = stores;
      await tickets.put(stored(ticketOf(ws, 1), { dueAtMs: 1_000 }), null);
      await tickets.put(stored(ticketOf(ws, 2), { dueAtMs: 2_000 }), null);
      await tickets.put(stored(ticketOf(ws, 3)), null);
      await contacts.put(stored(contactOf(ws, 'c', 1), { dueAtMs: 10 }), null);
      await runs.put(stored(runOf(ws, 4), { dueAtMs: 10 }), null);
      await deliveries.put(stored(deliveryOf(ws, 'w', 5), { dueAtMs: 10 }), null);
      await accounts.put(stored(accountOf(ws), { dueAtMs: 10 }), null);
      await webhooks.put(stored({ id: ws, workspaceId: ws, webhooks: [] }, { dueAtMs: 10 }), null);
      await mails.put(stored(mailOf(ws, 6), { dueAtMs: 10 }), null);
      const found = of(await dueOf(stores, 1_001), ws);
      expect(names(found)).toEqual(
        [
          `account/${ws}`,
          'contact/c',
          `delivery/${idAt(5)}.w`,
          `mail/${idAt(6)}`,
          `run/${idAt(4)}`,
          `ticket/${idAt(1)}`,
          `webhooks/${ws}`,
        ].sort(),
      );
      expect(found.find(({ kind }) => kind === 'ticket')?.dueAtMs).toBe(1_000);
      expect(names(of(await dueOf(stores, 1_000), ws))).not.toContain(`ticket/${idAt(1)}`);
    });

    it('is told no more once it is settled, and later once it is put off', async () => {
      const stores = await open();
      const ws = newWorkspace();
      const record = ticketOf(ws, 1);
      await stores.tickets.put(stored(record, { dueAtMs: 1_000 }), null);
      const [seen] = of(await dueOf(stores, 5_000), ws);
      if (seen === undefined) throw new Error('nothing is due');
      expect(await stores.due.putOff(seen, 9_000)).toBe(true);
      expect(await stores.due.putOff(seen, 10_000)).toBe(false);
      expect(of(await dueOf(stores, 5_000), ws)).toEqual([]);
      expect(of(await dueOf(stores, 9_001), ws)).toEqual([{ ...seen, dueAtMs: 9_000 }]);
      expect(await stores.tickets.read(ws, record.id)).toEqual(stored(record, { dueAtMs: 9_000 }));
      await stores.tickets.settle(record, 1, null);
      expect(of(await dueOf(stores, 90_000), ws)).toEqual([]);
      expect(await stores.due.putOff({ ...seen, dueAtMs: 9_000 }, 10_000)).toBe(false);
      expect(of(await dueOf(stores, 90_000), ws)).toEqual([]);
    });

    it('is told of everybody although one has five thousand', async () => {
      const stores = await open();
      const [large, ...small] = Array.from({ length: 12 }, newWorkspace);
      const numbers = Array.from({ length: 5_000 }, (_, n) => n);
      await fill(numbers.map((n) => stored(ticketOf(large ?? '', n), { dueAtMs: 100 + n })));
      for (const ws of small)
        await inChunks([1, 2, 3], (n) =>
          stores.tickets.put(stored(ticketOf(ws, n), { dueAtMs: 50_000 }), null),
        );
      const found = await dueOf(stores, 60_000, 20);
      for (const ws of small) expect(of(found, ws)).toHaveLength(3);
      const ofLarge = of(found, large ?? '');
      expect(ofLarge).toHaveLength(20 * stores.due.shards);
      // The longest due of each shard.
      expect(Math.max(...ofLarge.map(({ dueAtMs }) => dueAtMs))).toBeLessThan(100 + 500);
    });
  });
}
