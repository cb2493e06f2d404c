// What a new data folder starts with: one merchant, its owner, an API key of each product, and a connection to the sandbox of every platform.
// Guarantees: the same merchant, owner and key at every start; what was changed or removed since stays so, except that a
// revoked key is followed by a new one. A platform that is new in this version is connected.
import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { MerchantStore } from '#lib/events/ports/merchant-store.ts';
import { systemClock, systemRandom } from '../../lib/adapters/clock/system-clock.ts';
import { createApiKeyStore } from '../../lib/adapters/dynamodb/core/keys/api-keys.ts';
import { createDataKeyStore } from '../../lib/adapters/dynamodb/core/keys/data-keys.ts';
import { createConfigStores } from '../../lib/adapters/dynamodb/events/routing/config-stores.ts';
import { createSessionSigner, generateSigningKey, type SigningKey } from '../../lib/adapters/oidc/issuer.ts';
import { createKeyFileWrapper } from '../../lib/adapters/vault/key-file-wrapper.ts';
import { createVault } from '../../lib/adapters/vault/vault.ts';
import type { Vault } from '../../lib/core/ports/vault.ts';
import { apiKeyPrefix, formatApiKey, hashApiKey, type KeyProduct } from '../../lib/core/tenancy/api-key.ts';
import type { ApiKeyStore } from '../../lib/core/tenancy/api-key-store.ts';
import type { EventScope } from '../../lib/events/domain/scopes.ts';
import { openCredentials, sealCredentials } from '../../lib/events/pipeline/connections/open-connection.ts';
import { PLATFORMS } from '../../lib/events/platforms/registry.ts';
import samples from '../../lib/events/platforms/sample-credentials.json' with { type: 'json' };
import type { ConnectionStore } from '../../lib/events/ports/connection-store.ts';
import { HELPDESK_SCOPES } from '../../lib/helpdesk/domain/account/scopes.ts';
import type { DataDir } from './data-dir.ts';
import type { Person } from './issuer/sign-in.ts';
import { unusable } from './problem.ts';

/** `seed.json`: what was given out, so that it can be given out again. */
const seedSchema = z.object({
  merchant_id: z.guid(),
  api_key: z.string().min(1),
  /** Absent in a folder from before there was a helpdesk. */
  helpdesk_api_key: z.string().min(1).optional(),
  owner: z.object({ subject: z.string().min(1), email: z.string().min(1), password: z.string().min(1) }),
  /** A private JWK. */
  signing_key: z.looseObject({ kty: z.literal('EC'), crv: z.literal('P-256'), d: z.string(), x: z.string() }),
  /** Platforms connected once; whether they still are is for the merchant to decide. */
  connected: z.array(z.string()),
});
type SeedFile = z.output<typeof seedSchema>;

export interface Seed {
  readonly merchantId: string;
  readonly owner: Person;
  readonly signingKey: SigningKey;
}

const FILE = 'seed.json';
export const VAULT_KEY_FILE = 'vault.key';
const SCOPES: readonly EventScope[] = ['events:write', 'events:read', 'platforms:read'];

/** API keys that are valid now. */
export interface SeedKeys {
  readonly events: string;
  readonly helpdesk: string;
}

/** Identities, before any table is there. */
export async function readSeed(dataDir: DataDir): Promise<Seed> {
  const file = readSeedFile(dataDir) ?? (await createSeedFile(dataDir));
  await createSessionSigner(file.signing_key).catch(() => {
    throw unusable(dataDir.path, `${FILE} does not hold what it should (signing_key)`);
  });
  if (file.connected.length > 0) await checkVaultKey(dataDir);
  return { merchantId: file.merchant_id, owner: file.owner, signingKey: file.signing_key };
}

/** Undefined in a new folder. */
function readSeedFile(dataDir: DataDir): SeedFile | undefined {
  const value = dataDir.readJson(FILE);
  if (value === undefined) return undefined;
  const parsed = seedSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const fields = parsed.error.issues.map(({ path }) => path.join('.')).join(', ');
  throw unusable(dataDir.path, `${FILE} does not hold what it should (${fields || 'nothing'})`);
}

/** A lost key is not replaced: what was encrypted under it would stay unreadable for ever. */
async function checkVaultKey(dataDir: DataDir): Promise<void> {
  const path = dataDir.file(VAULT_KEY_FILE);
  if (!existsSync(path))
    throw unusable(
      dataDir.path,
      `${VAULT_KEY_FILE} is missing, and nothing else opens what was sealed with it`,
    );
  await createKeyFileWrapper(path).catch((error: Error) => {
    throw unusable(dataDir.path, error.message);
  });
}

async function createSeedFile(dataDir: DataDir): Promise<SeedFile> {
  const file = seedSchema.parse({
    merchant_id: randomUUID(),
    api_key: newKey('evk'),
    helpdesk_api_key: newKey('hdk'),
    owner: {
      subject: randomUUID(),
      email: 'owner@shop.example',
      password: randomBytes(12).toString('base64url'),
    },
    signing_key: await generateSigningKey(),
    connected: [],
  } satisfies Record<keyof SeedFile, unknown>);
  dataDir.writeJson(FILE, file);
  return file;
}

export interface SeedParts {
  readonly db: DynamoDBDocumentClient;
  readonly configTable: string;
}

/** Writes what is missing. */
export async function plantSeed(dataDir: DataDir, parts: SeedParts): Promise<SeedKeys> {
  const file = readSeedFile(dataDir);
  if (file === undefined) throw new Error(`${dataDir.file(FILE)} vanished`);
  const config = createConfigStores(parts.db, parts.configTable, systemRandom);
  const nowMs = systemClock.now();
  if ((await config.merchant(file.merchant_id)) === null) {
    if (file.connected.length > 0)
      throw unusable(dataDir.path, `the tables have lost the merchant that ${FILE} names`);
    await plantMerchant(config, file, nowMs);
  }
  if ((await config.memberships(file.owner.subject, file.merchant_id)).length === 0) {
    await config.putMember({ sub: file.owner.subject, merchantId: file.merchant_id, role: 'owner' });
  }
  const helpdeskKeys = createApiKeyStore(parts.db, parts.configTable, systemRandom, 'hdk');
  const planted = { merchantId: file.merchant_id, nowMs };
  const keys: SeedKeys = {
    events: await plantKey(config, file.api_key, { ...planted, product: 'evk', scopes: SCOPES }),
    helpdesk: await plantKey(helpdeskKeys, file.helpdesk_api_key ?? newKey('hdk'), {
      ...planted,
      product: 'hdk',
      scopes: HELPDESK_SCOPES,
    }),
  };
  const vault = createVault({
    wrapper: await createKeyFileWrapper(dataDir.file(VAULT_KEY_FILE)),
    keys: createDataKeyStore(parts.db, parts.configTable),
    clock: systemClock,
  });
  await checkSealed(file, config, vault, dataDir);
  const connected = await connect(file, config, vault, nowMs);
  const areSame = keys.events === file.api_key && keys.helpdesk === file.helpdesk_api_key;
  if (!areSame || connected.length > file.connected.length) {
    const given = { api_key: keys.events, helpdesk_api_key: keys.helpdesk };
    dataDir.writeJson(FILE, { ...file, ...given, connected } satisfies SeedFile);
  }
  return keys;
}

const newKey = (product: KeyProduct): string => formatApiKey(`${product}_test`, randomBytes(32));

const plantMerchant = (
  merchants: MerchantStore,
  { merchant_id, owner }: SeedFile,
  nowMs: number,
): Promise<void> =>
  merchants.putMerchant({
    merchantId: merchant_id,
    name: 'Example Shop',
    email: owner.email,
    storeUrl: 'https://shop.example',
    onboardingStep: 'done',
    onboardingCompleted: true,
    createdAtMs: nowMs,
    browserIngestion: { enabled: true, origins: [] },
  });

/** The key that was given out, or one that follows it where it was revoked. */
async function plantKey(
  keys: ApiKeyStore,
  given: string,
  { merchantId, nowMs, product, scopes }: PlantedKey,
): Promise<string> {
  const known = await keys.apiKey(hashApiKey(given));
  if (known !== null && known.revokedAtMs === undefined) return given;
  const key = known === null ? given : newKey(product);
  await keys.putApiKey({
    sha256: hashApiKey(key),
    keyId: randomUUID(),
    merchantId,
    name: 'Example key',
    prefix: apiKeyPrefix(key),
    scopes,
    createdAtMs: nowMs,
  });
  return key;
}

interface PlantedKey {
  readonly merchantId: string;
  readonly nowMs: number;
  readonly product: KeyProduct;
  readonly scopes: readonly string[];
}

/** Another key than the one the credentials were sealed under opens none of them. */
async function checkSealed(
  file: SeedFile,
  connections: ConnectionStore,
  vault: Vault,
  dataDir: DataDir,
): Promise<void> {
  const [connection] = await connections.listConnections(file.merchant_id);
  if (connection === undefined) return;
  await openCredentials(vault, connection, undefined).catch(() => {
    throw unusable(dataDir.path, `${VAULT_KEY_FILE} is not the key that what is stored was sealed with`);
  });
}

/** Returns the platforms that were ever connected. */
async function connect(
  file: SeedFile,
  connections: ConnectionStore,
  vault: Vault,
  nowMs: number,
): Promise<string[]> {
  const connected = [...file.connected];
  for (const { slug, label } of PLATFORMS) {
    if (connected.includes(slug)) continue;
    const credentials = sampleCredentials(slug);
    const sealedCredentials = await sealCredentials(vault, file.merchant_id, slug, credentials);
    const draft = {
      merchantId: file.merchant_id,
      platform: slug,
      newId: randomUUID(),
      name: `${label} (sandbox)`,
    };
    await connections.putConnection({ ...draft, sealedCredentials }, nowMs);
    connected.push(slug);
  }
  return connected;
}

/** Those of the platform's first worked example, whose account the sandbox knows. */
function sampleCredentials(slug: string): unknown {
  const credentials = (samples as Readonly<Record<string, unknown>>)[slug];
  if (credentials === undefined)
    throw new Error(`${slug} has no sample credentials: npm run generate writes them`);
  return credentials;
}
