// Goal: KMS is asked as often as there are wrapping keys, a merchant's data key opens for that merchant alone, and no wrapping key
// takes the place of another.
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { countingWrapper } from '#test/support/counting-wrapper.ts';
import { createManualClock, type ManualClock } from '#test/support/memory/clock.ts';
import { createMemoryTables } from '#test/support/memory/tables.ts';
import type { DataKeyStore, SealedDataKey } from '../../core/ports/data-keys.ts';
import { decodeItem } from '../../core/record/stored-item.ts';
import { Unreadable, UnreadableItem } from '../../core/record/unreadable-item.ts';
import { createDataKeyStore } from '../dynamodb/core/keys/data-keys.ts';
import { createKeyRotationStore } from '../dynamodb/core/keys/key-rotation.ts';
import { createDataKeyCache } from './data-key-cache.ts';
import { createVault } from './vault.ts';

const MERCHANTS = Array.from({ length: 300 }, (_, i) => `merchant-${i}`);
const HOUR_MS = 3_600_000;

let clock: ManualClock;
let db: ReturnType<typeof createMemoryTables>['db'];
let keys: DataKeyStore;
let wrapper: ReturnType<typeof countingWrapper>;

beforeEach(() => {
  clock = createManualClock(0);
  ({ db } = createMemoryTables());
  keys = createDataKeyStore(db, 'config');
  wrapper = countingWrapper();
});

/** Nothing is remembered from another one. */
const process = () => createVault({ wrapper, keys, clock });
const sealAll = (vault = process()) =>
  Promise.all(
    MERCHANTS.map(async (merchantId) => [merchantId, await vault.seal(merchantId, '', merchantId)]),
  );
const sealedKey = async (merchantId: string): Promise<SealedDataKey> => {
  const stored = await keys.read(merchantId);
  if (stored === null || stored instanceof Uint8Array) throw new Error('not sealed under a wrapping key');
  return stored;
};
const itemAt = async (Key: Readonly<Record<'pk' | 'sk', string>>) =>
  (await db.send(new GetCommand({ TableName: 'config', Key }))).Item ?? {};
const put = (Item: Record<string, unknown>) => db.send(new PutCommand({ TableName: 'config', Item }));
const wrapOf = async (merchantId: string) =>
  ({ pk: `WRAP#${(await sealedKey(merchantId)).under}`, sk: 'WRAP' }) as const;

describe('KMS', () => {
  it('is asked sixteen times for 300 merchants, in a process that makes their keys and in one that has none yet', async () => {
    const sealed = await sealAll();
    expect(wrapper.calls).toEqual({ generated: 16, unwrapped: 0 });
    const other = process();
    for (const [merchantId = '', text = ''] of sealed)
      expect(await other.open(merchantId, '', text)).toBe(merchantId);
    expect(wrapper.calls).toEqual({ generated: 16, unwrapped: 16 });
    await sealAll(process());
    expect(wrapper.calls).toEqual({ generated: 16, unwrapped: 32 });
  });

  it('is asked again after an hour', async () => {
    const vault = process();
    const text = await vault.seal('m', '', 'x');
    clock.advance(HOUR_MS - 1);
    await vault.open('m', '', text);
    expect(wrapper.calls.unwrapped).toBe(0);
    clock.advance(300_000);
    await vault.open('m', '', text);
    expect(wrapper.calls.unwrapped).toBe(1);
  });

  it('opens the data key that an earlier release had wrapped for the merchant itself, which stays as it is', async () => {
    const { plain, wrapped } = await wrapper.generate({ merchant_id: 'm' });
    await keys.create('m', wrapped);
    const before = await itemAt({ pk: 'DATAKEY#m', sk: 'DATAKEY' });
    expect(await createDataKeyCache({ wrapper, keys, clock })('m', true)).toEqual(new Uint8Array(plain));
    await process().seal('m', '', 'x');
    expect(await itemAt({ pk: 'DATAKEY#m', sk: 'DATAKEY' })).toEqual(before);
    expect(before).toEqual({ pk: 'DATAKEY#m', sk: 'DATAKEY', wrapped: new Uint8Array(wrapped) });
  });
});

describe('a data key', () => {
  it('opens beside no other merchant, nor under another wrapping key', async () => {
    await sealAll();
    const [mine = '', ...others] = MERCHANTS;
    const { under, bytes } = await sealedKey(mine);
    const moved = { ...keys, read: async () => ({ under, bytes }) };
    const open = createDataKeyCache({ wrapper, keys: moved, clock });
    expect(await open(mine, false)).toHaveLength(32);
    let beside = 0;
    for (const other of others) {
      if ((await sealedKey(other)).under === under) beside += 1;
      await expect(open(other, false)).rejects.toThrow();
    }
    expect(beside).toBeGreaterThan(0);
    const elsewhere = { ...keys, read: async () => ({ under: (under + 1) % 16, bytes }) };
    await expect(createDataKeyCache({ wrapper, keys: elsewhere, clock })(mine, false)).rejects.toThrow();
  });

  it('is of a format that the release before refuses by name, wherever it looks', async () => {
    await process().seal('m', '', 'x');
    const former = { what: 'data key', attribute: 'wrapped', schema: z.instanceof(Uint8Array) };
    for (const pk of ['M#m', 'DATAKEY#m']) {
      const item = await itemAt({ pk, sk: 'DATAKEY' });
      expect(() => decodeItem(former, item)).toThrow('a stored data key cannot be read: unknown format');
    }
  });
});

describe('a wrapping key', () => {
  it('is one, however many processes make it at the same time', async () => {
    const sealed = await Promise.all(Array.from({ length: 8 }, () => process().seal('m', '', 'x')));
    expect(wrapper.calls.generated).toBeGreaterThan(1);
    for (const text of sealed) expect(await process().open('m', '', text)).toBe('x');
  });

  it('takes its share of the merchants', async () => {
    await sealAll();
    const counts = new Map<number, number>();
    for (const merchantId of MERCHANTS) {
      const { under } = await sealedKey(merchantId);
      counts.set(under, (counts.get(under) ?? 0) + 1);
    }
    expect([...counts.keys()].sort((a, b) => a - b)).toEqual(Array.from({ length: 16 }, (_, i) => i));
    expect(Math.max(...counts.values())).toBeLessThan(50);
  });

  it.each([
    ['of a later format', { f: 99 }],
    ['of another shape', { wrapped: 7 }],
    ['empty', { wrapped: new Uint8Array() }],
  ])('that is %s has work wait, and no other is made', async (_, spoiled) => {
    const text = await process().seal('m', '', 'x');
    const item = await itemAt(await wrapOf('m'));
    const bad = { ...item, ...spoiled };
    await put(bad);
    const running = process();
    await expect(running.open('m', '', text)).rejects.toThrow(UnreadableItem);
    for (const merchantId of MERCHANTS) await running.seal(merchantId, '', 'x').catch(() => undefined);
    expect(await itemAt(await wrapOf('m'))).toEqual(bad);
    await put(item);
    expect(await running.open('m', '', text)).toBe('x');
  });

  it('that KMS does not open has work wait, and no other is made', async () => {
    const text = await process().seal('m', '', 'x');
    const before = await itemAt(await wrapOf('m'));
    const foreign = createVault({ wrapper: countingWrapper(), keys, clock });
    await expect(foreign.open('m', '', text)).rejects.toThrow();
    await expect(foreign.seal('m', '', 'x')).rejects.toThrow();
    expect(await itemAt(await wrapOf('m'))).toEqual(before);
  });

  it('is of the generation in use, and none is made while that cannot be read', async () => {
    const rotations = createKeyRotationStore(db, 'config');
    const text = await process().seal('m', '', 'x');
    expect(await rotations.beginRotation(1)).toMatchObject({ generation: 1, isNew: true });
    expect(await rotations.beginRotation(2)).toMatchObject({ generation: 1, isNew: false });
    await process().seal('n', '', 'x');
    expect((await sealedKey('m')).under).toBeLessThan(16);
    expect((await sealedKey('n')).under).toBeGreaterThanOrEqual(16);
    const Key = { pk: 'WRAP#ROTATION', sk: 'ROTATION' } as const;
    await put({ ...(await itemAt(Key)), f: 99 });
    await expect(process().seal('o', '', 'x')).rejects.toThrow(UnreadableItem);
    expect(await process().open('m', '', text)).toBe('x');
    expect(await itemAt({ pk: 'DATAKEY#o', sk: 'DATAKEY' })).toEqual({});
  });

  it('that is gone is not made again to open something', async () => {
    const text = await process().seal('m', '', 'x');
    const missing: DataKeyStore = {
      ...keys,
      wrappingKeys: {
        generation: async () => 0,
        read: async () => null,
        create: async () => {
          throw new Error('made');
        },
      },
    };
    const vault = createVault({ wrapper, keys: missing, clock });
    await expect(vault.open('m', '', text)).rejects.toThrow(Unreadable);
    await expect(vault.seal('m', '', 'x')).rejects.toThrow(Unreadable);
  });
});
