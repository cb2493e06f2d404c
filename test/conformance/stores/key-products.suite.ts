// Goal: two products keep their API keys in one store, and neither sees, counts or ends those of the other.
import { describe, expect, it } from 'vitest';
import { ACTIVE_KEYS_MAX, type ApiKeyRecord, type KeyProduct } from '#lib/core/tenancy/api-key.ts';
import type { ApiKeyStore } from '#lib/core/tenancy/api-key-store.ts';

const T0 = Date.UTC(2026, 10, 20, 12);
let made = 0;

function keyOf(product: KeyProduct, merchantId: string): ApiKeyRecord {
  made += 1;
  return {
    sha256: made.toString(16).padStart(64, 'd'),
    keyId: `key_${made}`,
    merchantId,
    name: 'Server',
    prefix: `${product}_test_3fK9`,
    scopes: ['read:tickets'],
    createdAtMs: T0 + made,
  };
}

export function keyProductsConformance(
  name: string,
  open: () => { readonly evk: ApiKeyStore; readonly hdk: ApiKeyStore },
): void {
  describe(`API keys of two products in ${name}`, () => {
    it('are found, listed and revoked by their own product only', async () => {
      const { evk, hdk } = open();
      const merchantId = `merchant-${made}`;
      const [event, desk] = [keyOf('evk', merchantId), keyOf('hdk', merchantId)];
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
      const merchantId = `merchant-${made}`;
      for (let i = 0; i < ACTIVE_KEYS_MAX.evk; i++) await evk.putApiKey(keyOf('evk', merchantId));
      expect(await evk.claimKeyPlace(keyOf('evk', merchantId))).toBe(false);
      const desk = keyOf('hdk', merchantId);
      expect(await hdk.claimKeyPlace(desk)).toBe(true);
      await hdk.putApiKey(desk);
      expect(await hdk.listApiKeys(merchantId)).toEqual([desk]);
      expect(await evk.listApiKeys(merchantId)).toHaveLength(ACTIVE_KEYS_MAX.evk);
      for (let i = 1; i < ACTIVE_KEYS_MAX.hdk; i++) await hdk.putApiKey(keyOf('hdk', merchantId));
      expect(await hdk.claimKeyPlace(keyOf('hdk', merchantId))).toBe(false);
      expect(await hdk.listApiKeys(merchantId)).toHaveLength(20);
    });

    it('cannot be put where they do not belong', async () => {
      const { evk, hdk } = open();
      const merchantId = `merchant-${made}`;
      await expect(evk.putApiKey(keyOf('hdk', merchantId))).rejects.toThrow('another product');
      await expect(hdk.claimKeyPlace(keyOf('evk', merchantId))).rejects.toThrow('another product');
      expect([await evk.listApiKeys(merchantId), await hdk.listApiKeys(merchantId)]).toEqual([[], []]);
    });
  });
}
