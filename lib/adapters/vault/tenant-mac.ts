// Codes that only this tenant's key makes: HMAC-SHA-256 under a key derived from its data key for this use (HKDF), so
// that a code reveals nothing about the data key.
import { createHmac, hkdfSync } from 'node:crypto';
import type { TenantMac } from '../../core/ports/tenant-mac.ts';
import { createDataKeyCache, type DataKeyParts } from './data-key-cache.ts';

const KEY_BYTES = 32;

export function createTenantMac(parts: DataKeyParts): TenantMac {
  const dataKeys = createDataKeyCache(parts);
  return {
    async mac(tenantId, context, text, create) {
      const dataKey = await dataKeys(tenantId, create);
      if (dataKey === null) return null;
      const info = JSON.stringify(['mac', tenantId, context]);
      const key = Buffer.from(hkdfSync('sha256', dataKey, new Uint8Array(), info, KEY_BYTES));
      return createHmac('sha256', key).update(text).digest();
    },
  };
}
