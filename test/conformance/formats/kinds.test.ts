// Made from the list of kinds: every kind has a golden item of each of its formats, is told from every other by its key, and
// refuses what none of our releases wrote without repeating it. Old items are shown as callers see them.
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { EVERY_KIND } from '#lib/adapters/dynamodb/every-kind.ts';
import { MESSAGE } from '#lib/adapters/dynamodb/helpdesk/message-store.ts';
import { decode } from '#lib/adapters/dynamodb/helpdesk/record-store.ts';
import { ACCOUNTS, ARTICLES, CONTACTS, TICKETS } from '#lib/adapters/dynamodb/helpdesk/records.ts';
import type { DeclaredKind, TableName } from '#lib/core/record/define-kind.ts';
import { kindsOfItem } from '#lib/core/record/key-template.ts';
import { decodeItem, formatOf } from '#lib/core/record/stored-item.ts';
import { Unreadable } from '#lib/core/record/unreadable-item.ts';
import { STORED_TICKET } from '#lib/helpdesk/domain/tickets/ticket.ts';
import {
  accountView,
  contactView,
  conversationView,
  messageView,
  ticketView,
} from '#lib/helpdesk/domain/wire-views.ts';
import { heldIn, SPOILED } from '../../support/spoiled-items.ts';
import { GOLDEN_FOLDERS, type Golden, type GoldenKind, goldenFiles } from './golden-files.ts';

const isGarbage = ({ reads }: Golden): boolean =>
  typeof reads === 'object' && reads !== null && ('unreadable' in reads || 'problem' in reads);

function tableOf(folder: GoldenKind, { item }: Golden): TableName | null {
  if (folder === 'personal') return null;
  if (folder === 'counters') return 'analytics';
  return folder === 'helpdesk' && item.e !== undefined ? 'helpdesk-audit' : folder;
}

const GOLDEN = GOLDEN_FOLDERS.flatMap((folder) =>
  goldenFiles(folder).flatMap((golden) => {
    const table = tableOf(folder, golden);
    return table === null || isGarbage(golden) ? [] : [{ table, golden }];
  }),
);
const goldenOf = (kind: DeclaredKind): readonly Golden[] =>
  GOLDEN.filter(({ table, golden }) => kindsOfItem(EVERY_KIND, table, golden.item).includes(kind)).map(
    ({ golden }) => golden,
  );

/** Of kinds whose keys say everything, or whose every attribute stands for itself. */
const HOLDS_NOTHING = new Set([
  'run of a ticket',
  'ticket of a contact',
  'shard with rows',
  'refusals of a day',
]);
/** Counters of nothing: a slot that is due and was never counted, a day on which nothing was spent. */
const isReadAllTheSame = ({ what }: DeclaredKind, way: string): boolean =>
  (HOLDS_NOTHING.has(what) && (way !== 'of a later format' || what === 'shard with rows')) ||
  ((what.startsWith('counters of') || what === 'spending of a day') && way === 'cut');

const named = EVERY_KIND.map((kind) => [`${kind.table}: ${kind.what}`, kind] as const);

describe.each(named)('%s', (name, kind) => {
  it('has a golden item of each format', () => {
    const formats = goldenOf(kind).map(({ item }) => (typeof item.f === 'number' ? item.f : 1));
    const missing = Array.from({ length: formatOf(kind) }, (_, i) => i + 1).filter(
      (format) => !formats.includes(format),
    );
    expect(
      missing,
      `"${name}" has no golden item of format ${missing.join(', ')}: add a sample of it to kind-samples.ts or helpdesk-samples.ts, then npm run golden -- "<what is new>"`,
    ).toEqual([]);
  });

  it('is told from every other kind by its key', () => {
    for (const { item } of goldenOf(kind))
      expect(kindsOfItem(EVERY_KIND, kind.table, item).map(({ what }) => what)).toEqual([kind.what]);
  });

  it.each(Object.entries(SPOILED))('%s is refused by name, or read with what came later', (way, spoil) => {
    for (const { item } of goldenOf(kind)) {
      const held = heldIn(kind, item);
      const spoiled = spoil({ ...item }, 'schema' in kind || way !== 'with a later field' ? held : []);
      if (way === 'with a later field' || isReadAllTheSame(kind, way)) {
        expect(() => kind.read(spoiled)).not.toThrow();
        continue;
      }
      expect(() => kind.read(spoiled), `${name} ${way}`).toThrow(Unreadable);
      expect(problemOf(() => kind.read(spoiled))).not.toMatch(
        /\bada\b|lovelace|example|203\.0|sealed\.|päck/i,
      );
    }
  });

  it('keeps a field of a later release in what is written again', () => {
    for (const { item } of goldenOf(kind)) {
      const held = heldIn(kind, item);
      const later = SPOILED['with a later field']?.({ ...item }, held) ?? {};
      const before = JSON.stringify(kind.read(item));
      if (before.includes('"laterField"')) throw new Error('the golden item has the field already');
      const isWrittenWhole = 'kind' in kind || (held.length === 1 && isObject(item[held[0] ?? '']));
      if (isWrittenWhole && 'schema' in kind)
        expect(JSON.stringify(kind.read(later))).toContain('"laterField"');
    }
  });
});

const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !(value instanceof Uint8Array) && !(value instanceof Set);

function problemOf(read: () => unknown): string {
  try {
    read();
    return '';
  } catch (error) {
    return String(error);
  }
}

describe('an item of any earlier release', () => {
  const VIEWS: readonly (readonly [DeclaredKind, (noun: never) => unknown])[] = [
    [TICKETS, ticketView],
    [TICKETS, conversationView],
    [CONTACTS, contactView],
    [ACCOUNTS, accountView],
    [ARTICLES, (article) => JSON.stringify(article)],
    [MESSAGE, messageView],
  ];
  it.each(VIEWS.map(([kind, view]) => [kind.what, kind, view] as const))('%s is shown', (_, kind, view) => {
    const found = goldenOf(kind);
    expect(found.length).toBeGreaterThan(0);
    for (const { item } of found) {
      const read = kind.read(item) as { readonly record?: never };
      expect(() => view(read.record ?? (read as never))).not.toThrow();
    }
  });

  const old = goldenFiles('helpdesk').find(({ name }) => name === 'ticket-before-formats')?.item ?? {};
  const key = { workspaceId: String(old.pk).slice(2), id: String(old.sk) };
  const withTags = (tags: z.ZodType) => z.intersection(STORED_TICKET, z.looseObject({ tags }));

  it('refuses by name a field that was added without a default: the golden items fail', () => {
    const kind = { ...TICKETS, schema: withTags(z.array(z.string())) };
    expect(() => decode(kind, key, old)).toThrow('a stored ticket cannot be read: no valid tags');
  });

  it('has the default of a field that was added, or what its upgrade makes of it', () => {
    const withDefault = { ...TICKETS, schema: withTags(z.array(z.string()).default([])) };
    expect(decode(withDefault, key, old).record).toMatchObject({ id: key.id, tags: [] });
    const addTags = (ticket: unknown) => ({ ...(ticket as object), tags: ['old'] });
    const upgraded = { ...TICKETS, schema: withTags(z.array(z.string())), upgrades: [addTags] };
    expect(decode(upgraded, key, old).record).toMatchObject({ id: key.id, tags: ['old'] });
  });
});

describe('formats', () => {
  const kind = {
    what: 'noun',
    attribute: 'n',
    schema: z.looseObject({ total: z.number() }),
    upgrades: [
      (value: unknown) => ({ count: (value as { c: number }).c }),
      (value: unknown) => ({ total: (value as { count: number }).count }),
    ],
  };
  it('are upgraded one after another, from the one an item says or the first', () => {
    expect(decodeItem(kind, { pk: 'p', n: { c: 3 } })).toEqual({ total: 3 });
    expect(decodeItem(kind, { pk: 'p', f: 2, n: { count: 3 } })).toEqual({ total: 3 });
    expect(decodeItem(kind, { pk: 'p', f: 3, n: { total: 3 } })).toEqual({ total: 3 });
    for (const f of [4, 0, 1.5, 'two'])
      expect(() => decodeItem(kind, { pk: 'p', f, n: {} })).toThrow('format');
  });
  it('refuse what an upgrade cannot take', () => {
    for (const n of [undefined, null, 7, {}])
      expect(() => decodeItem(kind, { pk: 'p', n })).toThrow(Unreadable);
  });
});
