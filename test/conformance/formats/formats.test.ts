// What was ever stored is read as it was meant, or said to be unreadable; what is written today has its golden item.
import { hash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { decodeBatchItems } from '#lib/adapters/dynamodb/events/batches/decoder.ts';
import { createCounterStore } from '#lib/adapters/dynamodb/events/counter-store.ts';
import { FORMAT_1 } from '#lib/adapters/dynamodb/events/dictionaries/format-1.ts';
import { FORMAT_2 } from '#lib/adapters/dynamodb/events/dictionaries/format-2.ts';
import { FORMAT_3 } from '#lib/adapters/dynamodb/events/dictionaries/format-3.ts';
import { FORMAT_4 } from '#lib/adapters/dynamodb/events/dictionaries/format-4.ts';
import { FORMAT_5 } from '#lib/adapters/dynamodb/events/dictionaries/format-5.ts';
import { FORMAT_6 } from '#lib/adapters/dynamodb/events/dictionaries/format-6.ts';
import { FORMAT_7 } from '#lib/adapters/dynamodb/events/dictionaries/format-7.ts';
import { FORMAT_8 } from '#lib/adapters/dynamodb/events/dictionaries/format-8.ts';
import { decodeRows } from '#lib/adapters/dynamodb/events/rows/decoder.ts';
import { EVERY_KIND } from '#lib/adapters/dynamodb/every-kind.ts';
import { readAnyItem } from '#lib/adapters/dynamodb/helpdesk/any-item.ts';
import { HELPDESK_FORMAT_1 } from '#lib/adapters/dynamodb/helpdesk/dictionaries/format-1.ts';
import { PERSONAL_FORMAT_1 } from '#lib/adapters/vault/dictionaries/format-1.ts';
import { kindsOfItem } from '#lib/core/record/key-template.ts';
import type { BucketRow } from '#lib/events/ports/counter-store.ts';
import type { SealedFor } from '#lib/events/ports/event-vault.ts';
import { GOLDEN_FOLDERS, type Golden, goldenFiles, goldenVault, writeGolden } from './golden-files.ts';
import { writtenItems } from './written-items.ts';

const EVENTS = 'lib/adapters/dynamodb/events/dictionaries/';
const HELPDESK = 'lib/adapters/dynamodb/helpdesk/dictionaries/';
const VAULT = 'lib/adapters/vault/dictionaries/';

/** Never change a digest: stored bytes are read with its dictionary. Another dictionary takes the next number. */
const FROZEN = [
  [EVENTS, FORMAT_1, 'd3bfa2f22798df3c0591200073ac23bf5b13275c88d4fe76d0774d07bb16dd94'],
  [EVENTS, FORMAT_2, 'b6d68ddae1b3f73c73149b29a03d2ea816d747758329776272d4f0e9b029728a'],
  [EVENTS, FORMAT_3, 'b6d68ddae1b3f73c73149b29a03d2ea816d747758329776272d4f0e9b029728a'],
  [EVENTS, FORMAT_4, '8fe35e98cf5a29440c706a5281083548b62e792b75306e45b6862ba554858e81'],
  [EVENTS, FORMAT_5, '3887aba5a0a68da97ceaeed7e478f8414d483c78dee7422fac4321fa801a4056'],
  [EVENTS, FORMAT_6, '8694ea60313b77ea0793f7a7edc53a77098c49678418ff57e2a6aeafb6ae9f20'],
  [EVENTS, FORMAT_7, '3887aba5a0a68da97ceaeed7e478f8414d483c78dee7422fac4321fa801a4056'],
  [EVENTS, FORMAT_8, '8694ea60313b77ea0793f7a7edc53a77098c49678418ff57e2a6aeafb6ae9f20'],
  [HELPDESK, HELPDESK_FORMAT_1, '7202e6f76da75ecd09587f4b786313c5ec80a80bd47248a75f8b176dc3d7a054'],
  [VAULT, PERSONAL_FORMAT_1, 'ddf6b957fda1a0b751ff174ec34e655f2e4a82d883950eab3b49bf2de2e0ac0e'],
] as const;

const root = fileURLToPath(new URL('../../../', import.meta.url));

describe('dictionaries', () => {
  it.each(
    FROZEN.map(([folder, { format, dictionary }, digest]) => [folder, format, dictionary, digest] as const),
  )('%s%i is as it was when its number was given out', (_folder, _format, dictionary, digest) => {
    expect(hash('sha256', dictionary)).toBe(digest);
  });

  it('are all frozen', () => {
    const found = [EVENTS, HELPDESK, VAULT].flatMap((folder) =>
      readdirSync(root + folder).map((file) => folder + file),
    );
    const frozen = FROZEN.map(([folder, { format }]) => `${folder}format-${format}.ts`);
    expect(found.sort()).toEqual(frozen.sort());
  });
});

const KIND_FOLDERS = ['config', 'rates', 'analytics'] as const;
const named = (golden: readonly Golden[]) => golden.map((entry) => [entry.name, entry] as const);

describe('golden items', () => {
  it.each(named(goldenFiles('events')))('event row %s', (_, { item, reads }) => {
    const { rows, unreadable } = decodeRows([item], () => {});
    expect(rows[0] ?? { unreadable: unreadable[0]?.problem }).toEqual(reads);
  });

  it.each(named(goldenFiles('counters')))('counters %s', async (_, { item, reads }) => {
    const db = { send: async () => ({ Item: item }) } as unknown as DynamoDBDocumentClient;
    const { merchantId, grain, startMs } = (reads as BucketRow).key;
    expect(await createCounterStore(db, 'analytics').read({ merchantId, grain, startMs })).toEqual(reads);
  });

  it.each(named(goldenFiles('batches')))('item of a batch %s', (_, { item, reads }) => {
    const { manifests, outcomes, unreadable } = decodeBatchItems([item], () => {});
    expect([...manifests, ...outcomes, ...unreadable]).toEqual([reads]);
  });

  it.each(named(goldenFiles('personal')))('personal part %s', async (_, { item, reads }) => {
    const { dayKey, sealed, ...row } = item as unknown as SealedFor & { dayKey: string; sealed: string };
    const vault = goldenVault({ read: async () => dayKey, create: async () => dayKey });
    expect(await vault.open(row, sealed)).toEqual(reads);
  });

  it.each(named(goldenFiles('helpdesk')))('item of the helpdesk %s', (_, { item, reads }) => {
    expect(readAnyItem(item)).toEqual(reads);
  });

  it.each(
    KIND_FOLDERS.flatMap((table) =>
      goldenFiles(table).map((golden) => [table, golden.name, golden] as const),
    ),
  )('item of %s: %s', (table, _, { item, reads }) => {
    const found = kindsOfItem(EVERY_KIND, table, item);
    expect(found.map(({ what }) => what)).toHaveLength(1);
    expect(found[0]?.read(item)).toEqual(reads);
  });

  it('of the helpdesk in a format of tomorrow is not read', () => {
    for (const { name, item } of goldenFiles('helpdesk')) {
      const tomorrow = {
        ...item,
        ...(item.b instanceof Uint8Array ? { b: new Uint8Array([9, ...item.b.slice(1)]) } : {}),
        ...(item.f === undefined ? {} : { f: 9 }),
      };
      const hasFormat = item.b instanceof Uint8Array || item.f !== undefined;
      expect([name, readAnyItem(tomorrow).problem !== undefined]).toEqual([name, hasFormat]);
    }
  });

  it('is quarantined where a row and its bytes disagree on where its deliveries lie', () => {
    const itemOf = (name: string) => goldenFiles('events').find((golden) => golden.name === name)?.item ?? {};
    const { bt, ...placeless } = itemOf('normalized-in-batch');
    const problemOf = (item: Record<string, unknown>) => decodeRows([item], () => {}).unreadable[0]?.problem;
    expect(problemOf(placeless)).toBe('unknown encoding 3');
    expect(problemOf({ ...itemOf('normalized'), bt })).toBe('unknown encoding 2');
    for (const place of ['', 'aB3-_x9Z', 'aB3-_x9Z1!', 'aB3-_x9Z11aaaaaaa', 'too short', 7])
      expect([place, problemOf({ ...placeless, bt: place })]).toEqual([place, 'no valid place']);
  });

  it('is never written over', () => {
    const [first] = goldenFiles('events');
    if (first === undefined) throw new Error('there is no golden item');
    expect(writeGolden('events', { ...first, about: 'another' })).toBe(false);
    expect(goldenFiles('events')[0]).toEqual(first);
  });
});

/** Bytes by their format number: how well zlib compresses is nobody's contract, and nonces are random. */
const PACKED: ReadonlySet<string> = new Set(['b', 'c', 'm', 'g', 'o']);
const shapeOf = (item: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(item).map(([name, value]) => {
      if (name === 'sealed' || name === 'dayKey') return [name, typeof value];
      if (!(value instanceof Uint8Array)) return [name, value];
      return [name, PACKED.has(name) ? `format ${value[0]}` : Buffer.from(value).toString('hex')];
    }),
  );

describe('what is written today', () => {
  it.each(GOLDEN_FOLDERS)('%s: each kind has its golden item', async (kind) => {
    const golden = new Map(named(goldenFiles(kind)));
    for (const { name, item, reads } of (await writtenItems('test'))[kind]) {
      const stored = golden.get(name);
      expect([name, stored && shapeOf(stored.item)]).toEqual([name, shapeOf(item)]);
      expect([name, stored?.reads]).toEqual([name, reads]);
    }
  });
});
