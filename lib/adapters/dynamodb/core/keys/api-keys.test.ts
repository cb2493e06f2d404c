// Goal: one read decides a request, whichever copy it is; a copy that is missing is no answer.
import { expect, it } from 'vitest';
import type { ApiKeyRecord } from '#lib/core/tenancy/api-key.ts';
import { createKeyTable, type KeyTableCall } from '#test/support/memory/key-table.ts';
import { createApiKeyStore } from './api-keys.ts';

const RECORD: ApiKeyRecord = {
  sha256: 'a'.repeat(64),
  keyId: 'key-1',
  merchantId: 'm',
  name: 'a key',
  prefix: 'evk_live_aaaa',
  scopes: ['events:write'],
  createdAtMs: 1,
};
const COPIES = Array.from({ length: 16 }, (_, i) => i);

function setUp() {
  const calls: KeyTableCall[] = [];
  let copy = 0;
  const items = new Map<string, Record<string, unknown>>();
  const run = async (call: KeyTableCall): Promise<object> => {
    calls.push(call);
    return call.perform();
  };
  const store = createApiKeyStore(createKeyTable(run, items).db, 'config', { next: () => copy / 16 });
  const readAt = async (number: number) => {
    copy = number;
    calls.length = 0;
    const record = await store.apiKey(RECORD.sha256);
    return { record, reads: calls.map(({ pk }) => pk) };
  };
  return { store, items, readAt };
}

it('writes sixteen items beside the pointer, and reads one of them', async () => {
  const { store, items, readAt } = setUp();
  await store.putApiKey(RECORD);
  expect(items.size).toBe(17);
  const read = new Set<string>();
  for (const copy of COPIES) {
    const { record, reads } = await readAt(copy);
    expect(record).toEqual(RECORD);
    expect(reads).toHaveLength(1);
    for (const pk of reads) read.add(pk);
  }
  expect(read.size).toBe(16);
});

it('reads the record where a copy is missing, and says no where there is none', async () => {
  const { store, items, readAt } = setUp();
  await store.putApiKey(RECORD);
  for (const id of items.keys()) if (/#7 KEY$/.test(id)) items.delete(id);
  expect(await readAt(7)).toMatchObject({ record: RECORD, reads: { length: 2 } });
  items.clear();
  expect((await readAt(7)).record).toBeNull();
});

it('revokes all sixteen at one time, the first one, whether or not they are there', async () => {
  const { store, items, readAt } = setUp();
  await store.putApiKey(RECORD);
  for (const id of items.keys()) if (/#[1-5] KEY$/.test(id)) items.delete(id);
  expect(await store.revokeApiKey('m', 'key-1', 50)).toEqual({ by: 'this', atMs: 50 });
  expect(await store.revokeApiKey('m', 'key-1', 60)).toEqual({ by: 'earlier', atMs: 50 });
  for (const copy of COPIES) {
    const { record, reads } = await readAt(copy);
    expect(record).toEqual({ ...RECORD, revokedAtMs: 50 });
    expect(reads).toHaveLength(1);
  }
  expect(await store.revokeApiKey('another', 'key-1', 70)).toBeNull();
});
