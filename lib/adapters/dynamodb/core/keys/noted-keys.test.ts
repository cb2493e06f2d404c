// Goal: a use of a key is written once in five minutes, whatever the load and however many processes, and nobody waits for it.
import { expect, it } from 'vitest';
import type { ApiKeyRecord } from '#lib/core/tenancy/api-key.ts';
import { createManualClock } from '#test/support/memory/clock.ts';
import { memoryKeys, memoryKeyUses } from '#test/support/memory/tenancy-stores.ts';
import { noteKeyUses } from './noted-keys.ts';

const NOW_MS = Date.UTC(2026, 10, 21, 12);
const RECORD: ApiKeyRecord = {
  sha256: 'a'.repeat(64),
  keyId: 'key-1',
  merchantId: 'm',
  name: 'a key',
  prefix: 'evk_live_aaaa',
  scopes: ['events:write'],
  createdAtMs: 1,
  expiresAtMs: NOW_MS + 3_600_000,
};

async function setUp() {
  const clock = createManualClock(NOW_MS);
  const keys = memoryKeys();
  await keys.putApiKey(RECORD);
  const uses = memoryKeyUses();
  const asked: number[] = [];
  const counted = {
    noteKeyUse: async (...args: Parameters<typeof uses.noteKeyUse>) => {
      asked.push(args[2]);
      await uses.noteKeyUse(...args);
    },
  };
  return { clock, keys, uses, asked, counted };
}

it('asks once in five minutes and process, however often the key is used', async () => {
  const { clock, keys, uses, asked, counted } = await setUp();
  const processes = Array.from({ length: 16 }, () => noteKeyUses(keys, counted, clock));
  for (let minute = 0; minute < 12; minute++) {
    for (const one of processes)
      await Promise.all(Array.from({ length: 100 }, () => one.apiKey(RECORD.sha256)));
    clock.advance(60_000);
  }
  // 19,200 requests in twelve minutes.
  expect(asked).toHaveLength(16 * 3);
  expect(await uses.keyUses('m')).toEqual(new Map([['key-1', NOW_MS + 600_000]]));
});

it('answers before the use is written, and tries again after it could not be', async () => {
  const { clock, keys } = await setUp();
  let asked = 0;
  const never = noteKeyUses(keys, { noteKeyUse: () => new Promise(() => undefined) }, clock);
  expect(await never.apiKey(RECORD.sha256)).toEqual(RECORD);
  const failing = noteKeyUses(
    keys,
    {
      noteKeyUse: async () => {
        asked += 1;
        throw new Error('away');
      },
    },
    clock,
  );
  for (let i = 0; i < 3; i++) expect(await failing.apiKey(RECORD.sha256)).toEqual(RECORD);
  expect(asked).toBeGreaterThan(1);
});

it('notes no use of a key that lets nobody in', async () => {
  const { clock, keys, asked, counted } = await setUp();
  const noting = noteKeyUses(keys, counted, clock);
  await noting.apiKey('b'.repeat(64));
  const revoked = { ...RECORD, sha256: 'c'.repeat(64), keyId: 'key-2' };
  await keys.putApiKey(revoked);
  await keys.revokeApiKey('m', 'key-2', NOW_MS);
  await noting.apiKey(revoked.sha256);
  const suspended = { ...RECORD, sha256: 'd'.repeat(64), keyId: 'key-3', suspendedAtMs: NOW_MS };
  await keys.putApiKey(suspended);
  await noting.apiKey(suspended.sha256);
  clock.advance(3_600_000);
  await noting.apiKey(RECORD.sha256);
  expect(asked).toEqual([]);
});
