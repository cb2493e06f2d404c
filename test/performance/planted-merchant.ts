// A merchant with keys and connected platforms in the config table, as the API would leave them.
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createApiKeyStore } from '../../lib/adapters/dynamodb/core/keys/api-keys.ts';
import { createDataKeyStore } from '../../lib/adapters/dynamodb/core/keys/data-keys.ts';
import { createMerchantStore } from '../../lib/adapters/dynamodb/events/merchants.ts';
import { createConnectionStore } from '../../lib/adapters/dynamodb/events/routing/connection-store.ts';
import type { KeyWrapper } from '../../lib/adapters/vault/key-wrapper.ts';
import { createVault } from '../../lib/adapters/vault/vault.ts';
import type { Clock } from '../../lib/core/ports/clock.ts';
import { apiKeyPrefix, formatApiKey, hashApiKey } from '../../lib/core/tenancy/api-key.ts';
import { sealCredentials } from '../../lib/events/pipeline/connections/open-connection.ts';
import samples from '../../lib/events/platforms/sample-credentials.json' with { type: 'json' };

const SAMPLES: Readonly<Record<string, unknown>> = samples;

export interface ConfigTable {
  readonly db: DynamoDBDocumentClient;
  readonly table: string;
  readonly clock: Clock;
}

export interface MerchantDraft {
  readonly merchantId: string;
  readonly keysOf: Parameters<typeof formatApiKey>[0];
  readonly scopes: readonly string[];
  /** A key is made of each. */
  readonly secrets: readonly Uint8Array[];
  /** Whether it takes browser events, which servers' events are then compared with. */
  readonly browsers?: boolean;
}

/** Returns the keys. */
export async function plantMerchant(
  { db, table, clock }: ConfigTable,
  { merchantId, keysOf, scopes, secrets, browsers = false }: MerchantDraft,
): Promise<readonly string[]> {
  const createdAtMs = clock.now();
  await createMerchantStore(db, table).putMerchant({
    merchantId,
    name: 'Shop',
    email: 'owner@shop.example',
    onboardingStep: 'done',
    onboardingCompleted: true,
    createdAtMs,
    browserIngestion: { enabled: browsers, origins: [] },
  });
  const product = keysOf.startsWith('evk') ? 'evk' : 'hdk';
  const store = createApiKeyStore(db, table, { next: () => 0 }, product);
  const keys = secrets.map((secret) => formatApiKey(keysOf, secret));
  for (const [index, key] of keys.entries())
    await store.putApiKey({
      sha256: hashApiKey(key),
      keyId: `key-${index + 1}`,
      merchantId,
      name: 'server',
      prefix: apiKeyPrefix(key),
      scopes,
      createdAtMs,
    });
  return keys;
}

/** With the sample credentials of each. */
export async function connectPlatforms(
  { db, table, clock }: ConfigTable,
  wrapper: KeyWrapper,
  merchantId: string,
  slugs: readonly string[],
): Promise<void> {
  const vault = createVault({ wrapper, keys: createDataKeyStore(db, table), clock });
  const connections = createConnectionStore(db, table);
  for (const platform of slugs) {
    const sealedCredentials = await sealCredentials(vault, merchantId, platform, SAMPLES[platform]);
    const draft = { merchantId, platform, newId: `connection-${platform}`, name: platform };
    await connections.putConnection({ ...draft, sealedCredentials }, clock.now());
  }
}
