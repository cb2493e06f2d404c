// What every store of billing records does, whoever it is.
import { describe, expect, it } from 'vitest';
import type { BillingRecord } from '#lib/events/domain/billing/subscription.ts';
import type { BillingStore } from '#lib/events/ports/billing-store.ts';
import { freshMerchant, T0 } from './event-rows.ts';

const RACERS = 16;

const record = (merchantId: string, version: number, customerId = `cus_${merchantId}`): BillingRecord => ({
  merchantId,
  version,
  customerId,
  subscription: null,
  checkoutId: null,
  updatedAtMs: T0,
});

export function billingConformance(name: string, open: () => BillingStore): void {
  describe(`billing records in ${name}`, () => {
    it('keep what was written, each merchant’s apart', async () => {
      const [store, mine, theirs] = [open(), freshMerchant(), freshMerchant()];
      expect(await store.billing(mine)).toBeNull();
      const whole: BillingRecord = {
        ...record(mine, 1),
        checkoutId: 'cs_1',
        subscription: {
          id: 'sub_1',
          status: 'active',
          lookupKey: null,
          periodStartMs: T0,
          periodEndMs: T0 + 1,
          cancelAtMs: null,
          createdAtMs: T0,
        },
      };
      expect(await store.writeBilling(whole)).toBe(true);
      expect(await store.billing(mine)).toEqual(whole);
      expect(await store.billing(theirs)).toBeNull();
    });

    it('are written over by who has seen them only', async () => {
      const [store, merchantId] = [open(), freshMerchant()];
      expect(await store.writeBilling(record(merchantId, 2))).toBe(false);
      expect(await store.writeBilling(record(merchantId, 1))).toBe(true);
      for (const version of [1, 3]) expect(await store.writeBilling(record(merchantId, version))).toBe(false);
      const racers = Array.from({ length: RACERS }, (_, i) =>
        store.writeBilling({ ...record(merchantId, 2), checkoutId: `cs_${i}` }),
      );
      expect((await Promise.all(racers)).filter(Boolean)).toHaveLength(1);
      expect((await store.billing(merchantId))?.version).toBe(2);
    });

    it('are begun by one of many', async () => {
      const [store, merchantId] = [open(), freshMerchant()];
      const begun = await Promise.all(
        Array.from({ length: RACERS }, () => store.writeBilling(record(merchantId, 1))),
      );
      expect(begun.filter(Boolean)).toHaveLength(1);
    });
  });

  describe(`customers in ${name}`, () => {
    it('are found without knowing the merchant, and stay whose they are', async () => {
      const [store, mine, theirs] = [open(), freshMerchant(), freshMerchant()];
      const customerId = `cus_${mine}`;
      expect(await store.merchantOfCustomer(customerId)).toBeNull();
      await store.putCustomer(customerId, mine);
      await store.putCustomer(customerId, mine);
      await expect(store.putCustomer(customerId, theirs)).rejects.toThrow();
      expect(await store.merchantOfCustomer(customerId)).toBe(mine);
      for (const nobody of ['', 'x'.repeat(5_000), `${customerId} `])
        expect(await store.merchantOfCustomer(nobody)).toBeNull();
    });
  });
}
