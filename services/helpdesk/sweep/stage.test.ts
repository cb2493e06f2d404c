// Goal: every due record is handled, a snooze ends once and not before its time, and no record blocks another.
import { describe, expect, it } from 'vitest';
import { DUE_SHARDS } from '#lib/adapters/dynamodb/helpdesk/record-store.ts';
import type { OutboxEntry } from '#lib/helpdesk/domain/outbox.ts';
import type { TicketState } from '#lib/helpdesk/domain/tickets/ticket.ts';
import { drainPorts } from '#test/support/helpdesk-drain.ts';
import {
  contactOf,
  deliveryOf,
  idAt,
  mailOf,
  messageOf,
  runOf,
  stored,
  ticketOf,
} from '#test/support/helpdesk-records.ts';
import { runSweep } from './stage.ts';

const NOW_MS = Date.UTC(2026, 10, 21, 12);
const WS = 'm_one';

const snoozed = (n: number, untilMs: number, ws = WS) =>
  stored(ticketOf(ws, n, { state: 'SNOOZED', snoozedUntilMs: untilMs, waitingSinceMs: null }), {
    dueAtMs: untilMs,
    timerAtMs: untilMs,
  });

describe('a snooze', () => {
  it('ends at its time, once, and is told and recorded once, however many sweep', async () => {
    const { ports, memory } = drainPorts(NOW_MS);
    await memory.tickets.put(snoozed(1, NOW_MS + 90_000), null);
    expect((await runSweep(ports)).looks).toBe(0);
    ports.clock.advance(89_999);
    expect((await runSweep(ports)).woken).toBe(0);
    ports.clock.advance(1);
    const reports = await Promise.all([runSweep(ports), runSweep(ports), runSweep(ports)]);
    expect(reports.reduce((sum, { woken }) => sum + woken, 0)).toBe(1);
    ports.clock.advance(3_600_000);
    expect((await runSweep(ports)).looks).toBe(0);
    const [ticket] = memory.tickets.all();
    expect(ticket).toMatchObject({ version: 2, dueAtMs: null, outbox: [], record: { state: 'OPEN' } });
    expect(memory.audit.all().map(({ action, actor }) => [action, actor.type])).toEqual([
      ['ticket.unsnoozed', 'system'],
    ]);
  });

  it.each<[string, TicketState, number | null]>([
    ['was ended by hand', 'OPEN', null],
    ['was closed', 'DONE', null],
    ['was put off', 'SNOOZED', NOW_MS + 5_000],
  ])('that %s is left alone by its old timer, which goes', async (_, state, snoozedUntilMs) => {
    const { ports, memory } = drainPorts(NOW_MS);
    const record = ticketOf(WS, 1, { state, snoozedUntilMs });
    await memory.tickets.put(stored(record, { version: 3, dueAtMs: NOW_MS - 1 }), null);
    expect(await runSweep(ports)).toMatchObject({ looks: 1, woken: 0 });
    expect(memory.tickets.all()).toEqual([stored(record, { version: 3, dueAtMs: snoozedUntilMs })]);
    expect(memory.audit.all()).toEqual([]);
  });
});

describe('a sweep', () => {
  it('carries out what a writer that died left behind, and leaves the timer', async () => {
    const { ports, memory } = drainPorts(NOW_MS);
    const message = messageOf(WS, idAt(1), 2);
    const outbox: OutboxEntry[] = [{ kind: 'message', message }];
    const untilMs = NOW_MS + 500_000;
    const record = ticketOf(WS, 1, { state: 'SNOOZED', snoozedUntilMs: untilMs });
    await memory.tickets.put(stored(record, { outbox, dueAtMs: NOW_MS - 1, timerAtMs: untilMs }), null);
    expect(await runSweep(ports)).toMatchObject({ looks: 1, drained: 1, failed: 0 });
    expect(memory.messages.all()).toEqual([message]);
    expect(memory.tickets.all()).toEqual([stored(record, { dueAtMs: untilMs, timerAtMs: untilMs })]);
  });

  it('tells the workers of what is due, and later each time', async () => {
    const { ports, memory } = drainPorts(NOW_MS);
    const due = { dueAtMs: NOW_MS - 1 };
    await memory.runs.put(stored(runOf(WS, 1, { createdAtMs: NOW_MS - 60_000 }), due), null);
    await memory.runs.put(stored(runOf(WS, 2, { status: 'completed' }), due), null);
    const delivery = { ...deliveryOf(WS, 'hook', 3), nextAttemptAtMs: NOW_MS - 60_000 };
    await memory.deliveries.put(stored(delivery, due), null);
    await memory.deliveries.put(stored({ ...deliveryOf(WS, 'hook', 4), status: 'failed' }, due), null);
    const times: number[] = [];
    for (let minute = 0; minute < 200; minute++) {
      const before = ports.runs.sent.length;
      await runSweep(ports);
      if (ports.runs.sent.length > before) times.push(minute);
      ports.clock.advance(60_000);
    }
    expect(times.slice(0, 7)).toEqual([0, 1, 3, 7, 15, 31, 63]);
    expect(new Set(ports.runs.sent.map(({ body }) => JSON.stringify(body)))).toEqual(
      new Set([JSON.stringify({ workspaceId: WS, id: idAt(1) })]),
    );
    expect(ports.deliveries.sent.at(-1)).toEqual({
      body: { workspaceId: WS, id: `${idAt(3)}.hook` },
      groupId: 'hook',
    });
    expect(memory.runs.all().map(({ dueAtMs }) => dueAtMs === null)).toEqual([false, true]);
    expect(memory.deliveries.all().map(({ dueAtMs }) => dueAtMs === null)).toEqual([false, true]);
  });

  it('leaves what a queue did not take as it is, and tells the other queues', async () => {
    const { ports, memory, problems } = drainPorts(NOW_MS);
    const due = { dueAtMs: NOW_MS - 1 };
    await memory.runs.put(stored(runOf(WS, 1), due), null);
    await memory.deliveries.put(stored(deliveryOf(WS, 'hook', 3), due), null);
    const away = {
      send: async () => {
        throw new Error('away');
      },
    };
    await runSweep({ ...ports, runs: away });
    expect(ports.deliveries.sent).toHaveLength(1);
    expect(problems).toEqual(['pointers of what is due were not all taken by their queue']);
    expect(memory.runs.all()[0]?.dueAtMs).toBe(NOW_MS - 1);
  });

  it('puts off a record that cannot be read, and one that cannot be carried out, and looks after the others', async () => {
    const { ports, memory, problems, unreadable } = drainPorts(NOW_MS);
    await memory.tickets.put(snoozed(1, NOW_MS - 3), null);
    await memory.tickets.put(snoozed(2, NOW_MS - 2), null);
    memory.tickets.spoil({ workspaceId: WS, id: idAt(1) });
    const outbox: OutboxEntry[] = [{ kind: 'message', message: messageOf(WS, 'broken', 2) }];
    await memory.contacts.put(stored(contactOf(WS, 'c', 1), { outbox, dueAtMs: NOW_MS - 4 }), null);
    const putMessage = async () => {
      throw new Error('away');
    };
    const stores = { ...memory, messages: { ...memory.messages, putMessage } };
    const report = await runSweep({ ...ports, stores });
    expect(report).toMatchObject({ looks: 3, woken: 1, failed: 2 });
    expect(unreadable).toEqual([`ticket/${idAt(1)}`]);
    expect(problems).toEqual(['a record that is due could not be looked after']);
    const dueAt = memory.tickets.all().map(({ dueAtMs }) => dueAtMs);
    expect(dueAt).toEqual([NOW_MS + 3_600_000, null]);
    expect(memory.contacts.all()[0]).toMatchObject({ outbox, dueAtMs: NOW_MS + 60_000 });
  });

  it('wakes a thousand of one workspace in one go, and some of everybody before that', async () => {
    const { ports, memory } = drainPorts(NOW_MS);
    for (let n = 0; n < 1_000; n++) await memory.tickets.put(snoozed(n, NOW_MS - 5_000 + n, 'large'), null);
    for (let w = 0; w < 20; w++) await memory.tickets.put(snoozed(1, NOW_MS - 1, `small${w}`), null);
    const order: string[] = [];
    const put: typeof memory.tickets.put = async (stored, expected) => {
      order.push(stored.record.workspaceId);
      return await memory.tickets.put(stored, expected);
    };
    const stores = { ...memory, tickets: { ...memory.tickets, put } };
    expect(await runSweep({ ...ports, stores })).toMatchObject({ looks: 1_020, woken: 1_020, failed: 0 });
    const last = order.findLastIndex((workspace) => workspace.startsWith('small'));
    expect(last).toBeLessThan(25 * DUE_SHARDS + 20);
    expect(memory.audit.all()).toHaveLength(1_020);
  });

  it('ends in its time', async () => {
    const { ports, memory } = drainPorts(NOW_MS);
    for (let n = 0; n < 500; n++) await memory.tickets.put(snoozed(n, NOW_MS - 1_000 + n, 'large'), null);
    const read: typeof memory.tickets.read = async (...key) => {
      ports.clock.advance(5_000);
      return await memory.tickets.read(...key);
    };
    const stores = { ...memory, tickets: { ...memory.tickets, read } };
    expect((await runSweep({ ...ports, stores })).looks).toBeLessThanOrEqual(25 * DUE_SHARDS);
  });

  it('tells a worker once in a sweep, also of what stays due', async () => {
    const { ports, memory } = drainPorts(NOW_MS);
    for (let n = 0; n < 200; n++)
      await memory.mails.put(stored(mailOf(WS, n), { dueAtMs: NOW_MS - 1 }), null);
    expect((await runSweep(ports)).pointed).toBe(200);
    expect(new Set(ports.mails.sent.map(({ body }) => body.id)).size).toBe(200);
    expect(ports.mails.sent).toHaveLength(200);
  });

  it('clears what is due and means nothing', async () => {
    const { ports, memory } = drainPorts(NOW_MS);
    await memory.contacts.put(stored(contactOf(WS, 'c', 1), { dueAtMs: NOW_MS - 1 }), null);
    expect(await runSweep(ports)).toMatchObject({ looks: 1, failed: 0 });
    expect(memory.contacts.all()[0]?.dueAtMs).toBeNull();
  });
});
