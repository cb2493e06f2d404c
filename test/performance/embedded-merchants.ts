// More merchants for a running embedded host, written into its tables: each with an API key and a connection to every
// platform, as the seeded one has, or to some.
import { randomBytes, randomUUID } from 'node:crypto';
import { ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { systemClock, systemRandom } from '../../lib/adapters/clock/system-clock.ts';
import { createDocumentClient } from '../../lib/adapters/dynamodb/core/client.ts';
import { createDataKeyStore } from '../../lib/adapters/dynamodb/core/keys/data-keys.ts';
import { createConfigStores } from '../../lib/adapters/dynamodb/events/routing/config-stores.ts';
import { createKeyFileWrapper } from '../../lib/adapters/vault/key-file-wrapper.ts';
import { createVault } from '../../lib/adapters/vault/vault.ts';
import { apiKeyPrefix, formatApiKey, hashApiKey } from '../../lib/core/tenancy/api-key.ts';
import { sealCredentials } from '../../lib/events/pipeline/connections/open-connection.ts';
import { loadPlatformModules } from '../conformance/platforms/platform-modules.ts';
import type { EmbeddedHost } from './embedded-host.ts';
import { MEASURED_PLATFORMS } from './measured-platforms.ts';

export interface Merchant {
  readonly merchantId: string;
  readonly apiKey: string;
}

/** Takes effect at once: nobody can have asked for their keys before. `connected`: slugs. */
export async function addMerchants(
  host: EmbeddedHost,
  count: number,
  connected: readonly string[] = MEASURED_PLATFORMS,
): Promise<readonly Merchant[]> {
  process.env.AWS_ACCESS_KEY_ID ??= 'local';
  process.env.AWS_SECRET_ACCESS_KEY ??= 'local';
  process.env.AWS_REGION ??= 'us-east-1';
  const db = createDocumentClient({ endpoint: host.session.dynamodb_url });
  const { TableNames = [] } = await db.send(new ListTablesCommand({}));
  const table = TableNames.find((name) => /config/i.test(name));
  if (table === undefined) throw new Error(`no config table among ${TableNames.join(', ')}`);
  const config = createConfigStores(db, table, systemRandom);
  const vault = createVault({
    wrapper: await createKeyFileWrapper(`${host.dataDir}/vault.key`),
    keys: createDataKeyStore(db, table),
    clock: systemClock,
  });
  const modules = await loadPlatformModules();
  const add = async (number: number): Promise<Merchant> => {
    const merchantId = randomUUID();
    const apiKey = formatApiKey('evk_test', randomBytes(32));
    const nowMs = systemClock.now();
    await config.putMerchant({
      merchantId,
      name: `Shop ${number}`,
      email: `owner${number}@shop.example`,
      onboardingStep: 'done',
      onboardingCompleted: true,
      createdAtMs: nowMs,
      browserIngestion: { enabled: true, origins: [] },
    });
    await config.putApiKey({
      sha256: hashApiKey(apiKey),
      keyId: randomUUID(),
      merchantId,
      name: 'benchmark',
      prefix: apiKeyPrefix(apiKey),
      scopes: ['events:write'],
      createdAtMs: nowMs,
    });
    for (const { slug, platform, examples } of modules) {
      if (!connected.includes(slug)) continue;
      const { credentials } = examples[0];
      const sealedCredentials = await sealCredentials(vault, merchantId, slug, credentials);
      const draft = { merchantId, platform: slug, newId: randomUUID(), name: platform.label };
      await config.putConnection({ ...draft, sealedCredentials }, nowMs);
    }
    return { merchantId, apiKey };
  };
  const added: Merchant[] = [];
  for (let number = 1; number <= count; number++) added.push(await add(number));
  db.destroy();
  return added;
}
