// What a deployed stack needs before somebody can use it: a merchant, its owner, an API key of each product, and every platform
// connected with the credentials its sandbox accepts. For stacks on this machine only: it writes the config table directly.
import { randomBytes } from 'node:crypto';
import { KMSClient } from '@aws-sdk/client-kms';
import { systemRandom } from '../../lib/adapters/clock/system-clock.ts';
import { createApiKeyStore } from '../../lib/adapters/dynamodb/core/api-keys.ts';
import { createDocumentClient } from '../../lib/adapters/dynamodb/core/client.ts';
import { createDataKeyStore } from '../../lib/adapters/dynamodb/core/data-keys.ts';
import { createConfigStores } from '../../lib/adapters/dynamodb/events/config-stores.ts';
import { createKmsWrapper } from '../../lib/adapters/vault/kms-wrapper.ts';
import { createVault } from '../../lib/adapters/vault/vault.ts';
import { apiKeyPrefix, formatApiKey, hashApiKey } from '../../lib/core/tenancy/api-key.ts';
import { sealCredentials } from '../../lib/events/pipeline/connections/open-connection.ts';
import type { PlatformExample } from '../../lib/events/platforms/example.ts';
import { PLATFORMS } from '../../lib/events/platforms/registry.ts';
import { HELPDESK_SCOPES } from '../../lib/helpdesk/domain/scopes.ts';
import type { DeployedStack } from './deploy.ts';

export interface Seeded {
  readonly merchantId: string;
  readonly apiKey: string;
  readonly helpdeskApiKey: string;
}

/** Reads region and credentials of the AWS clients from the environment. */
export async function seed(stack: DeployedStack, ownerSubject: string): Promise<Seeded> {
  const db = createDocumentClient({ endpoint: stack.endpoint });
  const config = createConfigStores(db, stack.tables.config, systemRandom);
  const merchantId = 'm_e2e';
  const nowMs = Date.now();
  await config.putMerchant({
    merchantId,
    name: 'E2E Shop',
    email: 'owner@shop.example',
    onboardingStep: 'done',
    onboardingCompleted: true,
    createdAtMs: nowMs,
    browserIngestion: { enabled: true, origins: [] },
  });
  await config.putMember({ sub: ownerSubject, merchantId, role: 'owner' });
  const keyOf = (product: 'evk' | 'hdk', scopes: readonly string[]) => {
    const secret = formatApiKey(`${product}_test`, randomBytes(32));
    const [sha256, prefix] = [hashApiKey(secret), apiKeyPrefix(secret)];
    const record = { sha256, prefix, merchantId, scopes, createdAtMs: nowMs };
    return { secret, record: { ...record, keyId: `key_e2e_${product}`, name: 'e2e' } };
  };
  const events = keyOf('evk', ['events:write', 'events:read', 'platforms:read', 'admin']);
  await config.putApiKey(events.record);
  const helpdesk = keyOf('hdk', HELPDESK_SCOPES);
  await createApiKeyStore(db, stack.tables.config, systemRandom, 'hdk').putApiKey(helpdesk.record);
  const vault = createVault({
    wrapper: createKmsWrapper(stack.vaultKeyArn, new KMSClient({ endpoint: stack.endpoint })),
    keys: createDataKeyStore(db, stack.tables.config),
    clock: { now: Date.now },
  });
  for (const { slug, label } of PLATFORMS) {
    const credentials = await exampleCredentials(slug);
    const sealedCredentials = await sealCredentials(vault, merchantId, slug, credentials);
    const draft = { merchantId, platform: slug, newId: `con_e2e_${slug}`, name: label, sealedCredentials };
    await config.putConnection(draft, nowMs);
  }
  return { merchantId, apiKey: events.secret, helpdeskApiKey: helpdesk.secret };
}

async function exampleCredentials(slug: string): Promise<unknown> {
  const file = new URL(
    `../../lib/events/platforms/${slug.replaceAll('_', '-')}/examples.ts`,
    import.meta.url,
  );
  const { examples } = (await import(file.href)) as { readonly examples: readonly PlatformExample[] };
  const [example] = examples;
  if (example === undefined) throw new Error(`${slug} has no example.`);
  return example.credentials;
}
