import { describe, expect, it } from 'vitest';
import { RUN_STATUSES, type RunStatus } from '#lib/helpdesk/domain/runs/run.ts';
import { type Desk, errorOf, MINE, openHelpdesk, THEIRS, UNKNOWN_ID } from '#test/contract/helpdesk-host.ts';

interface Shown {
  readonly id: string;
  readonly ticket_id: string;
  readonly status: string;
  readonly trigger: string;
  readonly error: string | null;
}
const list = async (desk: Desk, query = '') => {
  const reply = await desk.ask('GET', `/api/v1/runs${query}`);
  expect(reply.status, reply.text).toBe(200);
  return reply.body as { readonly runs: readonly Shown[]; readonly total: number; readonly limit: number };
};

async function setStatus(desk: Desk, id: string, status: RunStatus): Promise<void> {
  const stored = await desk.stores.runs.read(MINE, id);
  if (stored === null) throw new Error('no run');
  await desk.stores.runs.put({ ...stored, record: { ...stored.record, status }, version: 9 }, stored.version);
}

describe('runs', () => {
  it('are made by what customers write, and listed by conversation and status, newest first', async () => {
    const desk = await openHelpdesk();
    const tickets = [];
    for (let i = 0; i < 4; i++) {
      tickets.push(await desk.ticket());
      desk.clock.advance(1);
    }
    const all = await list(desk);
    expect([all.total, all.limit, all.runs.length]).toEqual([4, 20, 4]);
    expect(all.runs.map(({ ticket_id: id }) => id)).toEqual(tickets.toReversed());
    expect(all.runs.every(({ trigger }) => trigger === 'message')).toBe(true);
    for (const [i, status] of RUN_STATUSES.entries()) await setStatus(desk, all.runs[i]?.id ?? '', status);
    for (const [i, status] of RUN_STATUSES.entries())
      expect((await list(desk, `?status=${status}`)).runs.map(({ id }) => id)).toEqual([all.runs[i]?.id]);
    expect((await list(desk, `?ticket_id=${tickets[1]}`)).runs.length).toBe(1);
    expect((await list(desk, `?ticket_id=${tickets[1]}&status=failed`)).runs).toEqual([]);
    expect((await list(desk, `?ticket_id=${UNKNOWN_ID}`)).total).toBe(0);
    expect((await list(desk, '?limit=1&offset=3')).runs.map(({ id }) => id)).toEqual([all.runs[3]?.id]);
  });

  it('are asked for by hand, and take the place of one that waits', async () => {
    const desk = await openHelpdesk();
    const ticket_id = await desk.ticket();
    const [first] = (await list(desk)).runs;
    desk.clock.advance(10);
    const reply = await desk.call('/api/v1/runs', {
      method: 'POST',
      token: desk.session('member'),
      body: { ticket_id },
    });
    expect([reply.status, reply.body]).toMatchObject([
      201,
      { ticket_id, status: 'pending', trigger: 'manual' },
    ]);
    const { id } = reply.body as Shown;
    expect(reply.headers.location).toBe(`/api/v1/runs/${id}`);
    const read = await desk.ask('GET', `/api/v1/runs/${id}`);
    expect(read.body).toEqual(reply.body);
    const known = await desk.ask('GET', `/api/v1/runs/${id}`, {
      headers: { 'if-none-match': String(read.headers.etag) },
    });
    expect(known.status).toBe(304);
    expect((await desk.ask('GET', `/api/v1/runs/${first?.id}`)).body).toMatchObject({
      status: 'failed',
      error: 'superseded',
    });
    expect(desk.runs.receive(10).map(({ body }) => body.id)).toContain(id);
    expect((await desk.shown(ticket_id)).status).toBe('pending');
    expect((await desk.shown(ticket_id)).message_count).toBe(1);
  });

  it('are made once for one Idempotency-Key', async () => {
    const desk = await openHelpdesk();
    const request = { body: { ticket_id: await desk.ticket() }, headers: { 'idempotency-key': 'k' } };
    const [one, two] = [
      await desk.ask('POST', '/api/v1/runs', request),
      await desk.ask('POST', '/api/v1/runs', request),
    ];
    expect([two?.text, (await list(desk)).total]).toEqual([one?.text, 2]);
  });

  it('of another workspace are not found', async () => {
    const desk = await openHelpdesk();
    const ticket_id = await desk.ticket();
    const [run] = (await list(desk)).runs;
    const { key } = await desk.keyFor(undefined, THEIRS);
    const refused = await desk.call('/api/v1/runs', { method: 'POST', key, body: { ticket_id } });
    expect([refused.status, errorOf(refused)]).toEqual([404, 'Conversation not found']);
    expect(errorOf(await desk.call(`/api/v1/runs/${run?.id}`, { key }))).toBe('Run not found');
    const listed = await desk.call(`/api/v1/runs?ticket_id=${ticket_id}`, { key });
    expect(listed.body).toMatchObject({ total: 0, runs: [] });
    expect((await list(desk)).total).toBe(1);
  });

  it('asked for many times at once are one, and another one after what the customer wrote next', async () => {
    const desk = await openHelpdesk();
    const ticket_id = await desk.ticket();
    const [first] = (await list(desk)).runs;
    await setStatus(desk, first?.id ?? '', 'completed');
    desk.clock.advance(10);
    const askFor = async () => {
      const reply = await desk.ask('POST', '/api/v1/runs', { body: { ticket_id } });
      expect([reply.status, reply.headers.location]).toEqual([
        201,
        `/api/v1/runs/${(reply.body as Shown).id}`,
      ]);
      return (reply.body as Shown).id;
    };
    const ids = await Promise.all(Array.from({ length: 5 }, askFor));
    expect([new Set(ids).size, (await list(desk)).total]).toEqual([1, 2]);
    const requests = desk.stores.audit.all().filter(({ action }) => action === 'run.requested');
    expect(requests).toHaveLength(1);
    await setStatus(desk, ids[0] ?? '', 'running');
    expect(await askFor()).toBe(ids[0]);
    desk.clock.advance(10);
    await desk.ask('POST', '/api/v1/messages', { body: { ticket_id, body: 'And?', author: 'customer' } });
    const again = await askFor();
    expect(again).not.toBe(ids[0]);
    await setStatus(desk, again, 'failed');
    const before = (await list(desk)).total;
    await askFor();
    expect((await list(desk)).total).toBe(before + 1);
  });

  it.each(['status=done', 'ticket_id=7', 'limit=0', 'limit=101', 'offset=10001', 'state=failed'])(
    'refuse %s',
    async (query) => {
      const desk = await openHelpdesk();
      expect((await desk.ask('GET', `/api/v1/runs?${query}`)).status).toBe(400);
    },
  );
});
