// Goal: two products keep their API keys in one store, and neither sees, counts or ends those of the other.
import { describe, expect, it } from 'vitest';
import { ACTIVE_KEYS_MAX } from '#lib/core/tenancy/api-key.ts';
import type { ApiKeyStore } from '#lib/core/tenancy/api-key-store.ts';
import { freshMerchant, T0 } from './event-rows.ts';
import { apiKeyOf } from './tenants.ts';

export function keyProductsConformance(
  name: string,
  open: () => { readonly evk: ApiKeyStore; readonly hdk: ApiKeyStore },
): void {
  describe(`API keys of two products in ${name}`, () => {
    it('are found, listed and revoked by their own product only', async () => {
      const { evk, hdk } = open();
      const merchantId = freshMerchant();
      const [event, desk] = [apiKeyOf(merchantId, T0, 'evk'), apiKeyOf(merchantId, T0, 'hdk')];
      await evk.putApiKey(event);
      await hdk.putApiKey(desk);
      expect([await evk.apiKey(event.sha256), await hdk.apiKey(desk.sha256)]).toEqual([event, desk]);
      expect([await evk.apiKey(desk.sha256), await hdk.apiKey(event.sha256)]).toEqual([null, null]);
      expect(await evk.listApiKeys(merchantId)).toEqual([event]);
      expect(await hdk.listApiKeys(merchantId)).toEqual([desk]);
      expect(await hdk.revokeApiKey(merchantId, event.keyId, T0)).toBeNull();
      expect(await evk.revokeApiKey(merchantId, desk.keyId, T0)).toBeNull();
      expect(await evk.apiKey(event.sha256)).toEqual(event);
      expect(await hdk.revokeApiKey(merchantId, desk.keyId, T0)).toEqual({ by: 'this', atMs: T0 });
      expect(await hdk.apiKey(desk.sha256)).toMatchObject({ revokedAtMs: T0 });
    });

    it('have places of their own', async () => {
      const { evk, hdk } = open();
      const merchantId = freshMerchant();
      for (let i = 0; i < ACTIVE_KEYS_MAX.evk; i++) await evk.putApiKey(apiKeyOf(merchantId, T0, 'evk'));
      expect(await evk.claimKeyPlace(apiKeyOf(merchantId, T0, 'evk'))).toBe(false);
      const desk = apiKeyOf(merchantId, T0, 'hdk');
      expect(await hdk.claimKeyPlace(desk)).toBe(true);
      await hdk.putApiKey(desk);
      expect(await hdk.listApiKeys(merchantId)).toEqual([desk]);
      expect(await evk.listApiKeys(merchantId)).toHaveLength(ACTIVE_KEYS_MAX.evk);
      for (let i = 1; i < ACTIVE_KEYS_MAX.hdk; i++) await hdk.putApiKey(apiKeyOf(merchantId, T0, 'hdk'));
      expect(await hdk.claimKeyPlace(apiKeyOf(merchantId, T0, 'hdk'))).toBe(false);
      expect(await hdk.listApiKeys(merchantId)).toHaveLength(20);
    });

    it('cannot be put where they do not belong', async () => {
      const { evk, hdk } = open();
      const merchantId = freshMerchant();
      await expect(evk.putApiKey(apiKeyOf(merchantId, T0, 'hdk'))).rejects.toThrow('another product');
      await expect(hdk.claimKeyPlace(apiKeyOf(merchantId, T0, 'evk'))).rejects.toThrow('another product');
      expect([await evk.listApiKeys(merchantId), await hdk.listApiKeys(merchantId)]).toEqual([[], []]);
    });
  });
}
