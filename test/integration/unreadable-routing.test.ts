// A merchant's routing that cannot be read, or one connection of it: events wait, and none is closed without a verdict.
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createConnectionStore } from '../../lib/adapters/dynamodb/events/routing/connection-store.ts';
import { createRoutingStore } from '../../lib/adapters/dynamodb/events/routing/store.ts';
import type { UnreadableItem } from '../../lib/core/record/unreadable-item.ts';
import { type ConfigTable, EMULATOR_ENV, openModelledConfig } from '../conformance/stores/config-table.ts';
import { PIPELINE_MERCHANT } from '../support/memory-pipeline.ts';
import { DELIVERED, openSyntheticShop } from '../support/synthetic-shop.ts';
import { SHAPES, type StoredItem, withItem } from './unreadable-items.ts';

const SLUGS = ['alpha', 'bravo', 'carol'];
const key = { pk: `ROUTING#${PIPELINE_MERCHANT}`, sk: 'ROUTING' };

let opened: ConfigTable;
beforeAll(async () => {
  for (const [name, value] of Object.entries(EMULATOR_ENV)) vi.stubEnv(name, value);
  opened = await openModelledConfig();
  const connections = createConnectionStore(opened.db, opened.table);
  for (const platform of SLUGS)
    await connections.putConnection(
      {
        merchantId: PIPELINE_MERCHANT,
        platform,
        newId: `con_${platform}`,
        name: platform,
        sealedCredentials: JSON.stringify({ token: platform }),
      },
      1,
    );
});
afterAll(() => opened.close());

function open() {
  const setAside: UnreadableItem[] = [];
  const quarantine = (found: UnreadableItem) => void setAside.push(found);
  const shop = openSyntheticShop({
    credentials: {},
    config: {
      ...createRoutingStore(opened.db, opened.table, quarantine),
      ...createConnectionStore(opened.db, opened.table, quarantine),
    },
  });
  const accept = async (id: string) => {
    await shop.take(id);
    await shop.drain();
  };
  return { ...shop, setAside, accept };
}

async function routing(): Promise<StoredItem> {
  const { Item: item } = await opened.db.send(new GetCommand({ TableName: opened.table, Key: key }));
  return item as StoredItem;
}
const connectionsOf = ({ c }: StoredItem) => c as Record<string, Record<string, unknown>>;

describe('a routing that cannot be read', () => {
  it.each([
    ...Object.entries(SHAPES).map(
      ([name, spoil]) => [name, (item: StoredItem) => spoil(item, ['c', 'v'])] as const,
    ),
    ['its connections missing', (item: StoredItem) => SHAPES.missing?.(item, ['c']) ?? {}] as const,
    ['its connections text', (item: StoredItem) => ({ ...item, c: 'x' })] as const,
    ['its connections null', (item: StoredItem) => ({ ...item, c: null })] as const,
    [
      'its connections a list',
      (item: StoredItem) => ({ ...item, c: Object.values(connectionsOf(item)) }),
    ] as const,
    [
      'another shape of all',
      (item: StoredItem) => ({ ...item, c: { format: 99, data: new Uint8Array(3) } }),
    ] as const,
    [
      'each connection of another shape',
      (item: StoredItem) => ({ ...item, c: Object.fromEntries(SLUGS.map((slug) => [slug, { f: 2 }])) }),
    ] as const,
    ['its rules no list', (item: StoredItem) => ({ ...item, r: 'x' })] as const,
  ])('%s: events wait, and are delivered once it can', async (_, spoiled) => {
    const pipeline = open();
    const item = await routing();
    await withItem(opened.db, opened.table, item, spoiled(item), async () => {
      await pipeline.accept('waiting');
      await pipeline.pass(15);
      expect(pipeline.states('waiting')).toBe('accepted');
      expect(pipeline.problems).toContainEqual(expect.objectContaining({ name: 'UnreadableItem', key }));
    });
    await pipeline.pass(15);
    expect(pipeline.states('waiting')).toEqual(DELIVERED);
  });
});

describe('one connection of several that cannot be read', () => {
  it.each([
    ['a number', () => 7],
    ['empty', () => ({})],
    ['of a future format', () => ({ f: 2, b: 'x' })],
    ['without credentials', ({ sealedCredentials: _, ...rest }: Record<string, unknown>) => rest],
    ['of another platform', (own: Record<string, unknown>) => ({ ...own, platform: 'carol' })],
    ['of another merchant', (own: Record<string, unknown>) => ({ ...own, merchantId: 'x' })],
    ['of an unknown status', (own: Record<string, unknown>) => ({ ...own, status: 'resting' })],
  ] as const)('%s: the others go on, it waits, and is delivered once it can', async (_, spoil) => {
    const pipeline = open();
    const item = await routing();
    const c = connectionsOf(item);
    const spoiled = { ...item, c: { ...c, bravo: spoil(c.bravo ?? {}) } };
    await withItem(opened.db, opened.table, item, spoiled, async () => {
      await pipeline.accept('waiting');
      await pipeline.pass(15);
      const states = pipeline.states('waiting');
      expect(states).toMatchObject({ alpha: 'DELIVERED', carol: 'DELIVERED' });
      expect(states).not.toMatchObject({ bravo: 'DELIVERED' });
      expect(pipeline.setAside).toContainEqual(
        expect.objectContaining({ what: 'connection', key, message: expect.stringContaining('c.bravo') }),
      );
      const store = createConnectionStore(opened.db, opened.table);
      expect((await store.listConnections(PIPELINE_MERCHANT)).map(({ platform }) => platform)).toEqual([
        'alpha',
        'carol',
      ]);
      // Nobody writes over it, by its own name or as a free place.
      const draft = {
        merchantId: PIPELINE_MERCHANT,
        platform: 'bravo',
        newId: 'x',
        name: 'x',
        sealedCredentials: '{}',
      };
      await expect(store.putConnection(draft, 1)).rejects.toThrow('cannot be read');
    });
    await pipeline.pass(120);
    expect(pipeline.states('waiting')).toEqual(DELIVERED);
  });
});
