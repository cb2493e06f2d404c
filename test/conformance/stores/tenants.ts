// Merchants and API keys to write into a store under test.
import type { ApiKeyRecord, KeyProduct } from '#lib/core/tenancy/api-key.ts';
import type { Merchant } from '#lib/events/domain/merchant.ts';
import { T0 } from './event-rows.ts';

export const profileOf = (merchantId: string): Merchant => ({
  merchantId,
  name: 'Zoë’s Shop',
  email: 'zoe@example.com',
  storeUrl: 'https://shop.example',
  onboardingStep: 'connect',
  onboardingCompleted: false,
  createdAtMs: T0,
  browserIngestion: { enabled: true, origins: ['https://shop.example'], serverCopyWaitSec: 30 },
});

let made = 0;
/** Another one with each call. */
export function apiKeyOf(
  merchantId: string,
  createdAtMs: number = T0,
  product: KeyProduct = 'evk',
): ApiKeyRecord {
  made += 1;
  return {
    sha256: made.toString(16).padStart(64, 'a'),
    keyId: `key_${made}`,
    merchantId,
    name: 'Shop server',
    prefix: `${product}_live_3fK9`,
    scopes: product === 'evk' ? ['events:write', 'events:read'] : ['read:tickets'],
    createdAtMs,
  };
}
