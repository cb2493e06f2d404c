// Goal: drafts, erasures and purges do on the table what they do in memory.

import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createHelpdeskStores } from '#lib/adapters/dynamodb/helpdesk/helpdesk-stores.ts';
import { contactIdOf } from '#lib/helpdesk/domain/contacts/contact-id.ts';
import { eraseJobId } from '#lib/helpdesk/domain/job.ts';
import { change } from '#lib/helpdesk/work/commit.ts';
import { createRunStage } from '#services/helpdesk/runs/stage.ts';
import { createTaskStage } from '#services/helpdesk/tasks/stage.ts';
import { accountOf, stored } from '#test/support/helpdesk-records.ts';
import { openWorkspaceOn, WORKSPACE } from '../../support/helpdesk-workspace.ts';
import { createMemoryDailyBudget } from '../../support/memory/assistant-stores.ts';
import { EMULATOR_ENV } from '../stores/config-table.ts';
import { type EmulatedHelpdesk, openHelpdeskTables } from './emulated-tables.ts';

let opened: EmulatedHelpdesk | undefined;
beforeAll(async () => {
  for (const [name, value] of Object.entries(EMULATOR_ENV)) vi.stubEnv(name, value);
  opened = await openHelpdeskTables();
});
afterAll(() => opened?.close());

const message = (kind: 'erase' | 'purge' | 'remove', id: string) => ({
  body: { workspaceId: WORKSPACE, kind, id },
  receiveCount: 1,
  sentAtMs: 0,
});

it('a draft is written, its contact erased and its ticket purged', async () => {
  if (opened === undefined) throw new Error('the tables are not open');
  const stores = createHelpdeskStores(opened.db, opened, Date.now, () => undefined);
  const host = openWorkspaceOn(stores, 'table');
  const article = await host.publish('Refunds', 'A refund for a broken kettle takes 30 days.');
  const written = await host.write('A refund for my broken kettle?', { subject: 'Kettle' });

  const load = async () => ({
    async *converse() {
      yield { kind: 'text', text: JSON.stringify({ reply: 'Send it.', article_ids: [article.id] }) } as const;
      yield { kind: 'end', reason: 'finished' } as const;
    },
  });
  const runs = createRunStage({
    ...host.ports,
    model: { provider: 'p', name: 'm', load },
    perDay: createMemoryDailyBudget(),
    limits: { requests: 10, tokens: 10_000 },
    deadline: () => new AbortController().signal,
  });
  await runs(host.queues.runs.receive(1));
  const run = (await stores.runs.read(WORKSPACE, written.runId))?.record;
  expect(run).toMatchObject({ status: 'completed', citations: [{ articleId: article.id }] });
  const noteId = run?.noteId ?? '';
  const note = await stores.messages.readMessage(WORKSPACE, written.ticketId, noteId);
  expect(note).toMatchObject({ body: 'Send it.', isInternal: true });

  const contactId = contactIdOf(WORKSPACE, 'ada@example.com');
  const atMs = host.clock.now();
  await change(
    stores.contacts,
    { workspaceId: WORKSPACE, id: contactId },
    (stored) =>
      stored === null
        ? { result: null }
        : {
            record: stored.record,
            outbox: [{ kind: 'erase', contactId, email: 'ada@example.com', atMs }],
            result: null,
          },
    host.ports,
  );
  const tasks = createTaskStage({ ...host.ports, originals: null });
  for (let pass = 0; pass < 2; pass++) {
    expect(await tasks([message('erase', eraseJobId(contactId))])).toEqual({ failedIndexes: [] });
    host.clock.advance(181_000);
  }
  expect(host.problems).toEqual([]);
  expect((await stores.jobs.read(WORKSPACE, eraseJobId(contactId)))?.record.status).toBe('done');
  expect(await stores.contacts.read(WORKSPACE, contactId)).toBeNull();
  const ticket = await stores.tickets.read(WORKSPACE, written.ticketId);
  expect(ticket?.record).toMatchObject({ subject: '[erased]', customerEmail: null, contactId: null });
  const page = await stores.messages.listMessages(WORKSPACE, written.ticketId, { limit: 10, offset: 0 });
  expect(page.messages.map(({ body }) => body)).toEqual(['[erased]', '[erased]']);
  expect((await stores.search.find(WORKSPACE, 'contact', { text: 'ada', isPrefix: true }, 10)).ids).toEqual(
    [],
  );
  expect(await stores.runs.read(WORKSPACE, written.runId)).toBeNull();

  if (ticket === null) throw new Error('no ticket');
  const closedAtMs = host.clock.now();
  const closed = { ...ticket.record, state: 'DONE', closedAtMs, waitingSinceMs: null } as const;
  await stores.tickets.put({ ...ticket, record: closed, version: ticket.version + 1 }, ticket.version);
  await stores.accounts.put(stored(accountOf(WORKSPACE, '{"retention_days":30}'), { dueAtMs: 0 }), null);
  host.clock.advance(31 * 86_400_000);
  expect(await tasks([message('purge', WORKSPACE)])).toEqual({ failedIndexes: [] });
  expect(host.problems).toEqual([]);
  expect(await stores.tickets.read(WORKSPACE, written.ticketId)).toBeNull();
  const left = await stores.messages.listMessages(WORKSPACE, written.ticketId, { limit: 10, offset: 0 });
  expect(left.total).toBe(0);
});
