// Every kind of item in the helpdesk's table, spoiled in five ways in a populated host: no answer is 500, lists have what else
// there is, another workspace notices nothing, a sweep goes on, and once the item is right again everything is as it was.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  accountOf,
  contactOf,
  deliveryOf,
  idAt,
  mailOf,
  messageOf,
  runOf,
  stored,
  ticketOf,
  webhookOf,
} from '#test/support/helpdesk-records.ts';
import { DESK_KINDS } from '../../lib/adapters/dynamodb/helpdesk/desk-kinds.ts';
import { createHelpdeskStores } from '../../lib/adapters/dynamodb/helpdesk/helpdesk-stores.ts';
import type { DeclaredKind } from '../../lib/core/record/define-kind.ts';
import { kindsOfItem } from '../../lib/core/record/key-template.ts';
import type { Unreadable } from '../../lib/core/record/unreadable-item.ts';
import { derivedUuidv7 } from '../../lib/helpdesk/domain/account/derived-id.ts';
import { NO_JOB_COUNTS } from '../../lib/helpdesk/domain/job.ts';
import { HELPDESK_ROUTES } from '../../lib/helpdesk/routes/every-route.ts';
import { runSweep } from '../../services/helpdesk/sweep/stage.ts';
import {
  type EmulatedHelpdesk,
  openModelledHelpdeskTables,
} from '../conformance/helpdesk/emulated-tables.ts';
import { EMULATOR_ENV } from '../conformance/stores/config-table.ts';
import { type Desk, MINE, NOW, openHelpdesk, THEIRS } from '../contract/helpdesk-host.ts';
import { heldIn, SPOILED } from '../support/spoiled-items.ts';
import { itemsOfTable, type StoredItem, withItem } from './unreadable-items.ts';

const TIMES = { createdAtMs: NOW, updatedAtMs: NOW };
const HOOK = idAt(70);
/** By kind: what lists show of the other one. */
const NEIGHBOURS: Readonly<Record<string, readonly [path: string, text: string]>> = {
  ticket: ['/api/tickets', 'ticket 2'],
  contact: ['/api/v1/contacts', `${idAt(12)}@example.org`],
  article: ['/api/v1/articles', 'article-2'],
  run: ['/api/v1/runs', idAt(32)],
  delivery: [`/api/v1/webhooks/${HOOK}/deliveries`, idAt(42)],
  message: [`/api/v1/messages?ticket_id=${idAt(1)}`, 'text 22'],
  'mail put aside': ['/api/v1/mail/set-aside', 'subject 52'],
  'audit entry': ['/api/v1/audit-log', 'second'],
};
const GETS = [
  ...HELPDESK_ROUTES.filter(
    ({ method, path, auth }) => method === 'GET' && !path.includes(':') && auth !== 'public',
  ).map(({ path }): string => path),
  ...Object.values(NEIGHBOURS).map(([path]) => path),
  ...[`/api/tickets/${idAt(1)}`, `/api/v1/conversations/${idAt(1)}`, `/api/tickets?search=ticket`],
  ...[`/api/v1/contacts/${idAt(11)}`, `/api/v1/articles/${idAt(61)}`, `/api/v1/runs/${idAt(31)}`],
];

const THEIR_GETS = Object.values(NEIGHBOURS).map(([path]) => path);

let tables: EmulatedHelpdesk;
let desk: Desk;
let theirKey = '';
let items: readonly { readonly table: string; readonly item: StoredItem; readonly kind: DeclaredKind }[];
let before: Readonly<Record<string, unknown>>;
let theirs: typeof before;
const setAside: Unreadable[] = [];

async function populate(stores: ReturnType<typeof createHelpdeskStores>, workspaceId: string) {
  await stores.accounts.put(stored({ ...accountOf(workspaceId), ...TIMES }), null);
  const secrets = [{ sealed: 'v1.sealed', hint: 'abcd', expiresAtMs: null }];
  const webhooks = [{ ...webhookOf(HOOK), secrets, ...TIMES }];
  await stores.webhooks.put(stored({ id: workspaceId, workspaceId, webhooks }), null);
  await stores.health.putHealth(workspaceId, HOOK, {
    failingSinceMs: null,
    lastSuccessAtMs: 1,
    lastFailureAtMs: null,
  });
  for (const n of [1, 2]) {
    const contact = contactOf(workspaceId, idAt(10 + n), NOW + n);
    await stores.contacts.put(stored(contact), null);
    const ticket = ticketOf(workspaceId, n, { subject: `ticket ${n}`, contactId: contact.id });
    await stores.tickets.put(stored(ticket, { dueAtMs: NOW - 1_000 }), null);
    await stores.contactTickets.link(workspaceId, contact.id, ticket.id);
    const words = { type: 'ticket', recordId: ticket.id, version: 1, add: ['ticket'], remove: [] } as const;
    await stores.search.change(workspaceId, words);
    await stores.messages.putMessage(messageOf(workspaceId, idAt(1), 20 + n));
    await stores.runs.put(
      stored(runOf(workspaceId, 30 + n, { createdAtMs: NOW }), { dueAtMs: NOW - 1 }),
      null,
    );
    await stores.deliveries.put(
      stored({ ...deliveryOf(workspaceId, HOOK, 40 + n), ...TIMES }, { dueAtMs: NOW - 1 }),
      null,
    );
    await stores.articles.put(
      stored({
        ...{ id: idAt(60 + n), workspaceId, title: `Article ${n}`, slug: `article-${n}`, content: 'x' },
        ...{ excerpt: null, tags: [], status: 'published', publishedAtMs: NOW, ...TIMES },
      }),
      null,
    );
    await stores.slugs.claim(workspaceId, `article-${n}`, idAt(60 + n));
    await stores.threads.remember(workspaceId, `<${n}@example.org>`, ticket.id);
    await stores.mails.put(
      stored({ ...mailOf(workspaceId, 20 + n, { ticketId: ticket.id }), ...TIMES }, { dueAtMs: NOW - 1 }),
      null,
    );
    await stores.jobs.put(
      stored(
        {
          ...{ id: `erase.${n}`, workspaceId, kind: 'erase', status: 'running', contactId: `gone-${n}` },
          ...{ email: 'gone@example.org', phase: 'tickets', cursor: null, pass: 0, counts: NO_JOB_COUNTS },
          ...{ leaseUntilMs: null, completedAtMs: null, ...TIMES },
        },
        { dueAtMs: NOW - 1 },
      ),
      null,
    );
    await stores.setAside.put({
      ...{ id: derivedUuidv7(NOW + n), workspaceId, reason: 'bulk', from: null, customerEmail: null },
      ...{ subject: `subject ${50 + n}`, receivedAtMs: NOW, originalKey: 'inbound/1' },
      ...{ answersTicketId: null, ticketId: null },
    });
    await stores.audit.append({
      ...{ id: idAt(n), workspaceId, atMs: NOW + n, action: n === 1 ? 'first' : 'second' },
      ...{ actor: { type: 'system', id: 'system', label: 'system' }, source: 'server', resourceType: null },
      ...{ resourceId: null, changes: null, metadata: null, ip: null, userAgent: null, requestId: null },
    });
  }
  await stores.codes.next(workspaceId);
}

beforeAll(async () => {
  for (const [name, value] of Object.entries(EMULATOR_ENV)) vi.stubEnv(name, value);
  tables = await openModelledHelpdeskTables();
  const nowMs = (): number => desk.clock.now();
  const stores = createHelpdeskStores(tables.db, tables, nowMs, (found) => void setAside.push(found));
  desk = await openHelpdesk({ stores });
  for (const workspaceId of [MINE, THEIRS]) await populate(stores, workspaceId);
  ({ key: theirKey } = await desk.keyFor(undefined, THEIRS));
  const named = [
    ['helpdesk', tables.table],
    ['helpdesk-audit', tables.auditTable],
  ] as const;
  const found = [];
  for (const [name, table] of named)
    for (const item of await itemsOfTable(tables.db, table))
      for (const kind of kindsOfItem(DESK_KINDS, name, item)) found.push({ table, item, kind });
  items = found.sort((a, b) => (a.item.pk + a.item.sk < b.item.pk + b.item.sk ? -1 : 1));
  [before, theirs] = [await answers(), await answers(theirKey, THEIR_GETS)];
});
afterAll(async () => {
  await desk.app.close();
  await tables.close();
});

async function answers(
  key?: string,
  paths = GETS,
): Promise<Readonly<Record<string, { status: number; text: string }>>> {
  const all = paths.map(async (path) => {
    const { status, text } = await desk.ask('GET', path, key === undefined ? {} : { key });
    return [path, { status, text }] as const;
  });
  return Object.fromEntries(await Promise.all(all));
}

/** Of the whole table; what it puts off is due again for the next. */
async function sweep(): Promise<readonly unknown[]> {
  const problems: unknown[] = [];
  const due = { ...desk.ports.stores.due, putOff: async () => true };
  await runSweep({
    ...desk.ports,
    stores: { ...desk.ports.stores, due },
    quarantine: (found) => setAside.push(found),
    report: (problem: string, error: unknown) => problems.push([problem, String(error)]),
  });
  return problems;
}

it('every kind is in the populated host', () => {
  const there = new Set(items.map(({ kind }) => kind));
  expect(DESK_KINDS.filter((kind) => !there.has(kind)).map(({ what }) => what)).toEqual([]);
});

describe.each(DESK_KINDS.map((kind) => [kind.what, kind] as const))('a %s', (what, wanted) => {
  it.each(Object.entries(SPOILED))('%s spoils nothing else', async (way, spoil) => {
    const mine = items.find(({ item, kind }) => kind === wanted && item.pk.includes(MINE));
    if (mine === undefined) throw new Error(`there is no ${what}`);
    const { table, item } = mine;
    await withItem(tables.db, table, item, spoil({ ...item }, heldIn(wanted, { ...item })), async () => {
      const during = await answers();
      for (const [path, { status, text }] of Object.entries(during))
        expect([200, 400, 503], `${path}: ${text}`).toContain(status);
      const neighbour = NEIGHBOURS[what];
      if (neighbour !== undefined) expect(during[neighbour[0]]?.text).toContain(neighbour[1]);
      if (way === 'with a later field') expect(during).toEqual(before);
      expect(await answers(theirKey, THEIR_GETS)).toEqual(theirs);
      expect(await sweep()).toEqual([]);
    });
  });

  it('leaves everything as it was once it is right again', async () => {
    expect(await answers()).toEqual(before);
  });
});
