// What the stores beside the records must do: messages, links, the audit log, codes, slugs, health, threads.
import { describe, expect, it } from 'vitest';
import { derivedUuidv7 } from '#lib/helpdesk/domain/account/derived-id.ts';
import type { HelpdeskAuditEntry } from '#lib/helpdesk/domain/audit/entry.ts';
import type { SetAsideMail } from '#lib/helpdesk/domain/mail/set-aside.ts';
import { idAt, messageOf, newWorkspace, type OpenStores } from '#test/support/helpdesk-records.ts';

const ALL = { limit: 100, offset: 0 };

const entryOf = (workspaceId: string, atMs: number, id: string): HelpdeskAuditEntry => ({
  id,
  workspaceId,
  atMs,
  action: 'ticket.closed',
  actor: { type: 'system', id: 's', label: 's' },
  source: 'server',
  resourceType: null,
  resourceId: null,
  changes: null,
  metadata: null,
  ip: null,
  userAgent: null,
  requestId: null,
});

export function partsConformance(name: string, open: OpenStores): void {
  describe(`what goes with records, on ${name}`, () => {
    it('lists messages the oldest first, each once, each ticket its own', async () => {
      const { messages } = await open();
      const [ws, other] = [newWorkspace(), newWorkspace()];
      const ticket = idAt(1);
      const all = Array.from({ length: 12 }, (_, n) => messageOf(ws, ticket, n, '😀'.repeat(40_000)));
      await Promise.all([...all].reverse().map((message) => messages.putMessage(message)));
      await messages.putMessage(messageOf(ws, ticket, 3, 'written again'));
      await messages.putMessage(messageOf(ws, idAt(2), 3));
      expect(await messages.listMessages(ws, ticket, ALL)).toEqual({ messages: all, total: 12 });
      const page = await messages.listMessages(ws, ticket, { limit: 2, offset: 9 });
      expect(page).toEqual({ messages: all.slice(9, 11), total: 12 });
      expect(await messages.readMessage(ws, ticket, idAt(3))).toEqual(all[3]);
      expect(await messages.readMessage(other, ticket, idAt(3))).toBeNull();
      expect(await messages.listMessages(other, ticket, ALL)).toEqual({ messages: [], total: 0 });
      const erased = messageOf(ws, ticket, 3, '[erased]');
      await messages.replaceMessage(erased);
      expect(await messages.readMessage(ws, ticket, idAt(3))).toEqual(erased);
      await messages.removeMessages(ws, ticket);
      expect(await messages.listMessages(ws, ticket, ALL)).toEqual({ messages: [], total: 0 });
      expect((await messages.listMessages(ws, idAt(2), ALL)).total).toBe(1);
    });

    it('lists the tickets of a contact the newest first, and goes on behind any of them', async () => {
      const { contactTickets } = await open();
      const [ws, other] = [newWorkspace(), newWorkspace()];
      for (const n of [2, 1, 3, 2]) await contactTickets.link(ws, 'c', idAt(n));
      expect(await contactTickets.tickets(ws, 'c', 10)).toEqual([idAt(3), idAt(2), idAt(1)]);
      expect(await contactTickets.tickets(ws, 'c', 1, idAt(3))).toEqual([idAt(2)]);
      expect(await contactTickets.tickets(ws, 'c', 5, idAt(1))).toEqual([]);
      await contactTickets.unlink(ws, 'c', idAt(2));
      expect(await contactTickets.tickets(ws, 'c', 10, idAt(3))).toEqual([idAt(1)]);
      expect(await contactTickets.tickets(other, 'c', 10)).toEqual([]);
      expect(await contactTickets.tickets(ws, 'd', 10)).toEqual([]);
    });

    it('keeps entries of the audit log as they came first, by time and id', async () => {
      const { audit } = await open();
      const [ws, other] = [newWorkspace(), newWorkspace()];
      const entries = [
        entryOf(ws, 5, 'a'),
        entryOf(ws, 100, 'a'),
        entryOf(ws, 100, 'b'),
        entryOf(ws, 101, 'a'),
      ];
      for (const entry of entries) await audit.append(entry);
      await audit.append({ ...entryOf(ws, 5, 'a'), action: 'forged' });
      const newest = [...entries].reverse();
      expect(await audit.entries(ws, {}, 10)).toEqual(newest);
      expect(await audit.entries(ws, {}, 2)).toEqual(newest.slice(0, 2));
      expect(await audit.entries(ws, { before: { atMs: 100, id: 'b' } }, 10)).toEqual(newest.slice(2));
      expect(await audit.entries(ws, { fromMs: 100 }, 10)).toEqual(newest.slice(0, 3));
      expect(await audit.entries(ws, { fromMs: 5, toMs: 100 }, 10)).toEqual(newest.slice(3));
      expect(await audit.entries(ws, { toMs: 101, before: { atMs: 101, id: 'z' } }, 10)).toEqual(
        newest.slice(1),
      );
      expect(await audit.entries(ws, { fromMs: 200, toMs: 100 }, 10)).toEqual([]);
      expect(await audit.entries(other, {}, 10)).toEqual([]);
    });

    it('never gives a number twice, however many ask at once', async () => {
      const { codes } = await open();
      const [ws, other] = [newWorkspace(), newWorkspace()];
      const given = await Promise.all(Array.from({ length: 40 }, () => codes.next(ws)));
      expect([...given].sort((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, i) => i + 1));
      expect(await codes.next(other)).toBe(1);
    });

    it('lets one of many have a slug, and says so to it again', async () => {
      const { slugs } = await open();
      const ws = newWorkspace();
      const claims = await Promise.all(
        Array.from({ length: 8 }, (_, i) => slugs.claim(ws, 'größe-尺寸', `a${i}`)),
      );
      expect(claims.filter(Boolean)).toHaveLength(1);
      expect(await slugs.claim(ws, 'größe-尺寸', `a${claims.indexOf(true)}`)).toBe(true);
      expect(await slugs.claim(newWorkspace(), 'größe-尺寸', 'b')).toBe(true);
    });

    it('keeps mails that were put aside as they came first, the newest first', async () => {
      const { setAside } = await open();
      const [ws, other] = [newWorkspace(), newWorkspace()];
      // As the table keeps them for 30 days, their time is that of the test.
      const nowMs = Date.now();
      const mailOf = (n: number): SetAsideMail => ({
        id: derivedUuidv7(nowMs + n, ws),
        workspaceId: ws,
        reason: 'spam',
        from: { address: `jane${n}@customer.example`, name: null },
        customerEmail: null,
        subject: 'Broken lamp 😀',
        receivedAtMs: nowMs + n,
        originalKey: `inbound/${n}`,
        answersTicketId: null,
        ticketId: null,
      });
      const all = [0, 1, 2, 3].map(mailOf);
      await Promise.all(all.map((mail) => setAside.put(mail)));
      await setAside.put({ ...mailOf(1), reason: 'bulk' });
      const newest = [...all].reverse();
      expect(await setAside.list(ws, ALL)).toEqual({ mails: newest, total: 4 });
      expect(await setAside.list(ws, { limit: 2, offset: 1 })).toEqual({
        mails: newest.slice(1, 3),
        total: 4,
      });
      expect(await setAside.list(other, ALL)).toEqual({ mails: [], total: 0 });
      expect(await setAside.read(ws, mailOf(2).id)).toEqual(all[2]);
      expect(await setAside.read(other, mailOf(2).id)).toBeNull();
      const taken = { ...mailOf(2), ticketId: idAt(1) };
      await setAside.replace(taken);
      expect(await setAside.read(ws, mailOf(2).id)).toEqual(taken);
      await setAside.remove(taken);
      await setAside.replace(taken);
      expect(await setAside.read(ws, mailOf(2).id)).toBeNull();
      expect((await setAside.list(ws, ALL)).total).toBe(3);
    });

    it('keeps the health of a webhook and the ticket of a mail', async () => {
      const { health, threads } = await open();
      const [ws, other] = [newWorkspace(), newWorkspace()];
      const known = { failingSinceMs: 5, lastSuccessAtMs: null, lastFailureAtMs: 6 };
      expect(await health.readHealth(ws, 'w')).toBeNull();
      await health.putHealth(ws, 'w', known);
      expect(await health.readHealth(ws, 'w')).toEqual(known);
      expect(await health.readHealth(other, 'w')).toBeNull();
      // Of many who would move the end of its rest one does.
      expect(await health.moveRest(ws, 'w', 7, 9)).toBe(false);
      expect(await health.moveRest(ws, 'nobody', 7, 9)).toBe(false);
      await health.putHealth(ws, 'w', { ...known, restUntilMs: 7 });
      const moved = await Promise.all([9, 10, 11].map((toMs) => health.moveRest(ws, 'w', 7, toMs)));
      expect(moved.filter(Boolean)).toHaveLength(1);
      expect((await health.readHealth(ws, 'w'))?.restUntilMs).toBe(9 + moved.indexOf(true));
      expect(await health.moveRest(other, 'w', 9, 12)).toBe(false);
      const long = `<${'a'.repeat(5_000)}@example.org>`;
      await threads.remember(ws, long, idAt(1));
      await threads.remember(ws, long, idAt(2));
      expect(await threads.ticketOf(ws, long)).toBe(idAt(1));
      expect(await threads.ticketOf(other, long)).toBeNull();
      await threads.forget(ws, long);
      expect(await threads.ticketOf(ws, long)).toBeNull();
    });
  });
}
