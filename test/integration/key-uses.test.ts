// What it costs to know when an API key was last used, counted as the bill counts it. Decision 0027 multiplies these figures.
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createKeyUseStore } from '../../lib/adapters/dynamodb/core/keys/key-uses.ts';
import { noteKeyUses } from '../../lib/adapters/dynamodb/core/keys/noted-keys.ts';
import { type ConfigTable, EMULATOR_ENV, openModelledConfig } from '../conformance/stores/config-table.ts';
import { createManualClock } from '../support/memory/clock.ts';
import { memoryKeys } from '../support/memory/tenancy-stores.ts';
import { createDynamoMeter } from '../support/metering/dynamodb-metering.ts';

const NOW_MS = Date.UTC(2026, 10, 21, 12);
const PROCESSES = 8;
const KEY = {
  sha256: 'a'.repeat(64),
  keyId: 'key-1',
  merchantId: 'm',
  name: 'a key',
  prefix: 'evk_live_aaaa',
  scopes: ['events:write'],
  createdAtMs: 1,
} as const;

const meter = createDynamoMeter();
let table: ConfigTable;
beforeAll(async () => {
  for (const [name, value] of Object.entries(EMULATOR_ENV)) vi.stubEnv(name, value);
  table = await openModelledConfig();
  meter.attach(table.db, 'uses');
});
afterAll(() => table.close());

it(`writes once in five minutes for ${PROCESSES} processes and 48,000 requests in an hour, and reads once a process`, async () => {
  const clock = createManualClock(NOW_MS);
  const keys = memoryKeys();
  await keys.putApiKey(KEY);
  const store = createKeyUseStore(table.db, table.table);
  const underWay: Promise<void>[] = [];
  const uses = {
    noteKeyUse: (...args: Parameters<typeof store.noteKeyUse>) => {
      const noted = store.noteKeyUse(...args);
      underWay.push(noted);
      return noted;
    },
  };
  const processes = Array.from({ length: PROCESSES }, () => noteKeyUses(keys, uses, clock));
  for (let minute = 0; minute < 60; minute++) {
    for (const one of processes) {
      for (let i = 0; i < 100; i++) await one.apiKey(KEY.sha256);
      await Promise.all(underWay.splice(0));
    }
    clock.advance(60_000);
  }
  const { calls, writeUnits, readUnits, conditionFailures } = meter.usage();
  expect({ calls, writeUnits, conditionFailures }).toEqual({
    calls: { GetItem: 12 * PROCESSES, UpdateItem: 12 },
    writeUnits: 12,
    conditionFailures: 0,
  });
  expect(readUnits).toBe((12 * PROCESSES) / 2);
});

it('writes once also where all processes come at the same moment; the others lose', async () => {
  const store = createKeyUseStore(table.db, table.table);
  const before = meter.usage();
  await Promise.all(Array.from({ length: PROCESSES }, (_, i) => store.noteKeyUse('m2', 'key-2', NOW_MS + i)));
  const after = meter.usage();
  const written = (of: typeof after): number => (of.calls.UpdateItem ?? 0) - of.conditionFailures;
  expect(written(after) - written(before)).toBe(1);
  expect((await store.keyUses('m2')).size).toBe(1);
});
