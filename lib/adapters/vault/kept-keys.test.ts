// Goal: thousands of keys that a process keeps take what they are long, not a piece of a pool each.
import { expect, it } from 'vitest';
import { createMemoryDataKeys } from '#test/support/memory/config-stores.ts';
import { createMemoryDayKeys } from '#test/support/memory/event-vault.ts';
import { createDataKeyCache } from './data-key-cache.ts';
import { createDayKeys } from './day-keys.ts';
import type { KeyName } from './key-wrapper.ts';
import { openBox, sealBox } from './sealed-box.ts';
import { createVault } from './vault.ts';

const ROOT = new Uint8Array(32).fill(7);
/** As KMS and a key file do it: what they open is cut from the pool. */
const parts = {
  wrapper: {
    generate: async (name: KeyName) => {
      const plain = Buffer.from('k'.repeat(32));
      return { plain, wrapped: sealBox(ROOT, JSON.stringify(name), plain) };
    },
    unwrap: async (name: KeyName, wrapped: Uint8Array) => openBox(ROOT, JSON.stringify(name), wrapped),
  },
  keys: createMemoryDataKeys(),
  clock: { now: () => 0 },
};

it('keeps data keys in memory of their own, made or read', async () => {
  const made = await createDataKeyCache(parts)('m', true);
  const read = await createDataKeyCache(parts)('m', false);
  expect([made?.buffer.byteLength, read?.buffer.byteLength]).toEqual([32, 32]);
  expect(read).toEqual(made);
});

it('keeps keys of days in memory of their own, made or read', async () => {
  const store = createMemoryDayKeys();
  const open = () => createDayKeys({ vault: createVault(parts), store, clock: parts.clock });
  const made = await open().toSeal('m', '2026-11-22');
  const read = await open().toOpen('m', '2026-11-22');
  expect([made.buffer.byteLength, read?.buffer.byteLength]).toEqual([32, 32]);
  expect(Buffer.from(read ?? [])).toEqual(Buffer.from(made));
});
