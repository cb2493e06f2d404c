import { describe, expect, it, vi } from 'vitest';
import { EMULATOR_ENV, openConfigTable } from '#test/conformance/stores/config-table.ts';
import { createManualClock } from '#test/support/memory/clock.ts';
import { createMemoryConfig } from '#test/support/memory/config-stores.ts';
import { createDynamoMeter } from '#test/support/metering/dynamodb-metering.ts';
import { createMerchantStore } from './merchants.ts';
import { rememberMerchants } from './remembered-merchants.ts';

const NOW_MS = Date.UTC(2026, 10, 21, 12);

function counted() {
  const clock = createManualClock(NOW_MS);
  const store = createMemoryConfig();
  let reads = 0;
  let writes = 0;
  const config = rememberMerchants(
    {
      ...store,
      merchant: async (id) => {
        reads += 1;
        return await store.merchant(id);
      },
      addServerEventName: async (...args) => {
        writes += 1;
        await store.addServerEventName(...args);
      },
    },
    clock,
  );
  const shop = {
    merchantId: 'm1',
    name: 'Shop',
    email: 'owner@example.com',
    onboardingStep: 'done',
    onboardingCompleted: true,
    createdAtMs: NOW_MS,
    browserIngestion: { enabled: true, origins: [] },
  };
  return { config, clock, store, shop, reads: () => reads, writes: () => writes };
}

describe('remembered merchants', () => {
  it('asks once in a while for a merchant there is not, and sees it soon after it is there', async () => {
    const { config, clock, store, shop, reads } = counted();
    for (let i = 0; i < 100; i++) expect(await config.merchant('m1')).toBeNull();
    expect(reads()).toBe(1);
    await store.putMerchant(shop);
    clock.advance(10_000);
    expect(await config.merchant('m1')).toEqual(shop);
    expect(reads()).toBe(2);
  });

  it('does not let made-up merchants push out a real one', async () => {
    const { config, store, shop, reads } = counted();
    await store.putMerchant(shop);
    await config.merchant('m1');
    for (let i = 0; i < 20_000; i++) await config.merchant(`made-up-${i}`);
    const before = reads();
    expect(await config.merchant('m1')).toEqual(shop);
    expect(reads()).toBe(before);
  });

  it('writes a name that came from a server once per process, and not where the profile has it', async () => {
    const { config, store, shop, writes } = counted();
    await store.putMerchant(shop);
    await store.addServerEventName('m1', 'Lead', NOW_MS);
    await config.merchant('m1');
    for (let i = 0; i < 50; i++)
      for (const name of ['Purchase', 'Lead']) await config.addServerEventName('m1', name, NOW_MS);
    expect(writes()).toBe(1);
    expect((await config.merchant('m1'))?.serverEventNames).toEqual({ Lead: NOW_MS, Purchase: NOW_MS });
  });
});

it('cost half a unit to a stage, which looks twice before it takes a merchant for unknown', async () => {
  for (const [name, value] of Object.entries(EMULATOR_ENV)) vi.stubEnv(name, value);
  const { db, table, close } = await openConfigTable();
  try {
    const { clock, shop } = counted();
    await createMerchantStore(db, table).putMerchant(shop);
    const meter = createDynamoMeter();
    meter.attach(db, 'stage');
    const config = rememberMerchants(createMerchantStore(db, table, 'eventual'), clock);
    expect(await config.merchant('m1')).toEqual(shop);
    expect(meter.usage().readUnits).toBe(0.5);
    expect(await config.merchant('m2')).toBeNull();
    expect(meter.usage().readUnits).toBe(2);
    expect(await config.merchantNow('m1')).toEqual(shop);
    expect(meter.usage().readUnits).toBe(3);
  } finally {
    await close();
  }
});
