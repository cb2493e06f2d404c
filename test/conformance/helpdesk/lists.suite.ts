// What every list must do: the newest first, pages of several states together, totals up to their bound, and nobody else's.
import { describe, expect, it } from 'vitest';
import { TICKET_STATES } from '#lib/helpdesk/domain/tickets/ticket.ts';
import { TOTAL_MAX } from '#lib/helpdesk/ports/stores.ts';
import {
  contactOf,
  deliveryOf,
  type FillTickets,
  idAt,
  newWorkspace,
  type OpenStores,
  runOf,
  stored,
  ticketOf,
} from '#test/support/helpdesk-records.ts';

const ALL = { limit: 100, offset: 0 };

export function listsConformance(name: string, open: OpenStores, fill: FillTickets): void {
  describe(`lists on ${name}`, () => {
    it('have tickets of several states as one list, in pages', async () => {
      const { tickets, lists } = await open();
      const [ws, other] = [newWorkspace(), newWorkspace()];
      const states = ['NEW', 'OPEN', 'DONE'] as const;
      for (let n = 0; n < 30; n++)
        await tickets.put(stored(ticketOf(ws, n, { state: states[n % 3] ?? 'NEW' })), null);
      await tickets.put(stored(ticketOf(other, 99)), null);
      const newest = Array.from({ length: 30 }, (_, i) => idAt(29 - i));
      expect(await lists.tickets(ws, TICKET_STATES, ALL)).toEqual({ ids: newest, total: 30 });
      const page = { limit: 7, offset: 10 };
      expect(await lists.tickets(ws, TICKET_STATES, page)).toEqual({ ids: newest.slice(10, 17), total: 30 });
      const ofTwo = newest.filter((_, i) => (29 - i) % 3 !== 2);
      expect(await lists.tickets(ws, ['NEW', 'OPEN'], page)).toEqual({ ids: ofTwo.slice(10, 17), total: 20 });
      expect(await lists.tickets(ws, ['NEW'], { limit: 5, offset: 8 })).toEqual({
        ids: [idAt(3), idAt(0)],
        total: 10,
      });
      expect(await lists.tickets(ws, ['OPEN'], { limit: 5, offset: 10_000 })).toEqual({ ids: [], total: 10 });
      expect(await lists.tickets(ws, [], ALL)).toEqual({ ids: [], total: 0 });
      expect(await lists.tickets(newWorkspace(), TICKET_STATES, ALL)).toEqual({ ids: [], total: 0 });
    });

    it('have tickets of several states oldest first, behind one of them', async () => {
      const { tickets, lists } = await open();
      const ws = newWorkspace();
      const states = ['DONE', 'REJECTED', 'OPEN'] as const;
      for (let n = 0; n < 9; n++)
        await tickets.put(
          stored(ticketOf(ws, n, { state: states[n % 3] ?? 'NEW', waitingSinceMs: null })),
          null,
        );
      const over = ['DONE', 'REJECTED'] as const;
      expect(await lists.oldestTickets(ws, over, 3)).toEqual([idAt(0), idAt(1), idAt(3)]);
      expect(await lists.oldestTickets(ws, over, 3, idAt(3))).toEqual([idAt(4), idAt(6), idAt(7)]);
      expect(await lists.oldestTickets(ws, over, 3, idAt(5))).toEqual([idAt(6), idAt(7)]);
      expect(await lists.oldestTickets(ws, over, 3, idAt(7))).toEqual([]);
    });

    it('have a ticket where it moved to', async () => {
      const { tickets, lists } = await open();
      const ws = newWorkspace();
      const record = ticketOf(ws, 1);
      await tickets.put(stored(record), null);
      const done = { ...record, state: 'DONE', waitingSinceMs: null } as const;
      await tickets.put(stored(done, { version: 2 }), 1);
      expect(await lists.tickets(ws, ['NEW'], ALL)).toEqual({ ids: [], total: 0 });
      expect(await lists.tickets(ws, ['DONE'], ALL)).toEqual({ ids: [record.id], total: 1 });
      expect(await lists.waitingTickets(ws, ['NEW', 'DONE'], ALL)).toEqual({ ids: [], total: 0 });
      await tickets.settle(record, 2, null);
      expect((await lists.tickets(ws, ['DONE'], ALL)).ids).toEqual([record.id]);
      await tickets.remove(record, 2);
      expect(await lists.tickets(ws, ['DONE'], ALL)).toEqual({ ids: [], total: 0 });
    });

    it('have who waits longest first', async () => {
      const { tickets, lists } = await open();
      const ws = newWorkspace();
      const since = [50, 9, null, 1_000, 9, 700_000_000_000];
      for (const [n, waitingSinceMs] of since.entries())
        await tickets.put(
          stored(ticketOf(ws, n, { waitingSinceMs, state: n % 2 === 0 ? 'NEW' : 'ESCALATED' })),
          null,
        );
      const states = ['NEW', 'ESCALATED'] as const;
      expect(await lists.waitingTickets(ws, states, ALL)).toEqual({
        ids: [idAt(1), idAt(4), idAt(0), idAt(3), idAt(5)],
        total: 5,
      });
      expect((await lists.waitingTickets(ws, states, { limit: 2, offset: 1 })).ids).toEqual([
        idAt(4),
        idAt(0),
      ]);
      expect((await lists.waitingTickets(ws, ['NEW'], ALL)).ids).toEqual([idAt(4), idAt(0)]);
    });

    it('have contacts by when they came, articles by status and deliveries by webhook', async () => {
      const { contacts, deliveries, articles, lists } = await open();
      const ws = newWorkspace();
      const made = [
        ['c', 100],
        ['a', 9],
        ['b', 100],
      ] as const;
      for (const [id, at] of made) await contacts.put(stored(contactOf(ws, id, at)), null);
      expect(await lists.contacts(ws, ALL)).toEqual({ ids: ['c', 'b', 'a'], total: 3 });
      for (const n of [1, 2, 3])
        await deliveries.put(stored(deliveryOf(ws, n === 2 ? 'other' : 'hook', n)), null);
      expect(await lists.deliveries(ws, 'hook', ALL)).toEqual({
        ids: [`${idAt(3)}.hook`, `${idAt(1)}.hook`],
        total: 2,
      });
      expect((await lists.deliveries(newWorkspace(), 'hook', ALL)).ids).toEqual([]);
      const article = {
        workspaceId: ws,
        title: 't',
        content: 'c',
        excerpt: null,
        tags: [],
        publishedAtMs: null,
      };
      for (const n of [1, 2])
        await articles.put(
          stored({
            ...article,
            id: idAt(n),
            slug: `s${n}`,
            status: n === 1 ? 'draft' : 'published',
            createdAtMs: n,
            updatedAtMs: n,
          }),
          null,
        );
      expect((await lists.articles(ws, ['draft', 'published', 'archived'], ALL)).ids).toEqual([
        idAt(2),
        idAt(1),
      ]);
      expect(await lists.articles(ws, ['draft'], ALL)).toEqual({ ids: [idAt(1)], total: 1 });
    });

    it('have runs by status, and of one ticket at once', async () => {
      const { runs, lists } = await open();
      const ws = newWorkspace();
      await runs.put(stored(runOf(ws, 1)), null);
      await runs.put(stored(runOf(ws, 2, { status: 'failed' })), null);
      await runs.put(stored(runOf(ws, 3, { ticketId: idAt(2) })), null);
      expect(await lists.runs(ws, { statuses: ['pending', 'failed'] }, ALL)).toEqual({
        ids: [idAt(3), idAt(2), idAt(1)],
        total: 3,
      });
      const ofOne = { statuses: ['pending', 'running', 'completed', 'failed'], ticketId: idAt(1) } as const;
      expect(await lists.runs(ws, ofOne, ALL)).toEqual({ ids: [idAt(2), idAt(1)], total: 2 });
      expect(await lists.runs(ws, { ...ofOne, statuses: ['pending'] }, ALL)).toEqual({
        ids: [idAt(1)],
        total: 1,
      });
      expect((await lists.runs(ws, ofOne, { limit: 1, offset: 1 })).ids).toEqual([idAt(1)]);
      await runs.remove({ workspaceId: ws, id: idAt(2) }, 1);
      expect((await lists.runs(ws, ofOne, ALL)).ids).toEqual([idAt(1)]);
      expect((await lists.runs(newWorkspace(), ofOne, ALL)).ids).toEqual([]);
    });

    it('count up to ten thousand and then stop', async () => {
      const { lists } = await open();
      const ws = newWorkspace();
      const numbers = Array.from({ length: TOTAL_MAX + 1 }, (_, n) => n);
      const id = (n: number): string => `019b${String(n).padStart(8, '0')}`;
      await fill(numbers.map((n) => stored(ticketOf(ws, n, { id: id(n), state: n === 0 ? 'DONE' : 'NEW' }))));
      expect((await lists.tickets(ws, ['NEW'], { limit: 1, offset: 0 })).total).toBe(TOTAL_MAX);
      const last = await lists.tickets(ws, ['NEW', 'DONE'], { limit: 2, offset: TOTAL_MAX - 1 });
      expect(last).toEqual({ ids: [id(1), id(0)], total: TOTAL_MAX });
      for (const countTo of [0, 1, 7_001]) {
        const counted = { ids: [id(TOTAL_MAX)], total: countTo };
        expect(await lists.tickets(ws, ['NEW', 'DONE'], { limit: 1, offset: 0, countTo })).toEqual(counted);
      }
      expect(await lists.ticketCounts(ws, 7_001)).toMatchObject({ NEW: 7_001, DONE: 1, OPEN: 0 });
      expect(await lists.ticketCounts(ws)).toEqual({
        ...Object.fromEntries(TICKET_STATES.map((state) => [state, 0])),
        NEW: TOTAL_MAX,
        DONE: 1,
      });
    });
  });
}
