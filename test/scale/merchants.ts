// Merchants with a key and connected platforms, planted as the API leaves them, and the events they send.
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { systemRandom } from '../../lib/adapters/clock/system-clock.ts';
import { createDataKeyStore } from '../../lib/adapters/dynamodb/core/keys/data-keys.ts';
import { createConfigStores } from '../../lib/adapters/dynamodb/events/routing/config-stores.ts';
import type { KeyWrapper } from '../../lib/adapters/vault/key-wrapper.ts';
import { createVault } from '../../lib/adapters/vault/vault.ts';
import type { Clock } from '../../lib/core/ports/clock.ts';
import { apiKeyPrefix, formatApiKey, hashApiKey } from '../../lib/core/tenancy/api-key.ts';
import { sealCredentials } from '../../lib/events/pipeline/connections/open-connection.ts';
import samples from '../../lib/events/platforms/sample-credentials.json' with { type: 'json' };
import { standardEvent } from '../performance/standard-event.ts';

const SAMPLES: Readonly<Record<string, unknown>> = samples;

export interface PlantedMerchant {
  readonly merchantId: string;
  readonly apiKey: string;
}

export interface PlantParts {
  readonly db: DynamoDBDocumentClient;
  readonly configTable: string;
  readonly wrapper: KeyWrapper;
  readonly clock: Clock;
  /** Slugs. */
  readonly connected: readonly string[];
}

/** `count` merchants, numbered from 1. */
export async function plantMerchants(count: number, parts: PlantParts): Promise<readonly PlantedMerchant[]> {
  const credentials = parts.connected.map((slug) => [slug, SAMPLES[slug]] as const);
  const planted: PlantedMerchant[] = [];
  for (let number = 1; number <= count; number++) planted.push(await plant(number, credentials, parts));
  return planted;
}

async function plant(
  number: number,
  credentials: readonly (readonly [string, unknown])[],
  { db, configTable, wrapper, clock }: PlantParts,
): Promise<PlantedMerchant> {
  const merchantId = `8f14e45f-ceea-467f-a111-${number.toString(16).padStart(12, '0')}`;
  const config = createConfigStores(db, configTable, systemRandom);
  const vault = createVault({ wrapper, keys: createDataKeyStore(db, configTable), clock });
  await config.putMerchant({
    merchantId,
    name: `Shop ${number}`,
    email: 'owner@shop.example',
    onboardingStep: 'done',
    onboardingCompleted: true,
    createdAtMs: clock.now(),
    browserIngestion: { enabled: false, origins: [] },
  });
  const secret = Buffer.alloc(32, 7);
  secret.writeUInt32BE(number);
  const apiKey = formatApiKey('evk_live', secret);
  await config.putApiKey({
    sha256: hashApiKey(apiKey),
    keyId: `key-${number}`,
    merchantId,
    name: 'server',
    prefix: apiKeyPrefix(apiKey),
    scopes: ['events:write'],
    createdAtMs: clock.now(),
  });
  for (const [platform, entered] of credentials) {
    const sealedCredentials = await sealCredentials(vault, merchantId, platform, entered);
    await config.putConnection(
      { merchantId, platform, newId: `${platform}-${number}`, name: platform, sealedCredentials },
      clock.now(),
    );
  }
  return { merchantId, apiKey };
}

/** The standard event as a body; its id and its order carry the index. */
export const bodyOf = (index: number, nowMs: number): string =>
  JSON.stringify(standardEvent(index, Math.floor(nowMs / 1_000) - 60));

/** The index of an event as a platform got it: from its id, or from its order where the platform is not sent an id. */
export function indexOfEvent(eventId: string, payload: unknown): number | null {
  const fromId = /^order-10(\d+)-\d{8}$/.exec(eventId)?.[1];
  if (fromId !== undefined) return Number(fromId);
  const fromOrder = /"transaction_id":"10(\d+)"/.exec(JSON.stringify(payload))?.[1];
  return fromOrder === undefined ? null : Number(fromOrder);
}
