// What a new data folder starts with: one merchant, its owner, an API key, and a connection to the sandbox of every platform.
// Guarantees: the same merchant, owner and key at every start; what was changed or removed since stays so, except that a
// revoked key is followed by a new one. A platform that is new in this version is connected.
import { randomBytes, randomUUID } from 'node:crypto';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { systemClock } from '../../lib/adapters/clock/system-clock.ts';
import { createDataKeyStore } from '../../lib/adapters/dynamodb/core/data-keys.ts';
import { createConfigAdmin } from '../../lib/adapters/dynamodb/events/config-admin.ts';
import { createConfigStore } from '../../lib/adapters/dynamodb/events/config-store.ts';
import { generateSigningKey, type SigningKey } from '../../lib/adapters/oidc/issuer.ts';
import { createKeyFileWrapper } from '../../lib/adapters/vault/key-file-wrapper.ts';
import { createVault } from '../../lib/adapters/vault/vault.ts';
import { type ApiKeyScope, apiKeyPrefix, formatApiKey, hashApiKey } from '../../lib/core/tenancy/api-key.ts';
import { sealCredentials } from '../../lib/events/pipeline/connections/open-connection.ts';
import type { PlatformExample } from '../../lib/events/platforms/example.ts';
import { PLATFORMS } from '../../lib/events/platforms/registry.ts';
import type { ConfigAdmin } from '../../lib/events/ports/config-admin.ts';
import type { DataDir } from './data-dir.ts';
import type { Person } from './issuer/server.ts';

/** `seed.json`: what was given out, so that it can be given out again. */
interface SeedFile {
  readonly merchant_id: string;
  readonly api_key: string;
  readonly owner: Person;
  readonly signing_key: SigningKey;
  /** Platforms connected once; whether they still are is for the merchant to decide. */
  readonly connected: readonly string[];
}

export interface Seed {
  readonly merchantId: string;
  readonly owner: Person;
  readonly signingKey: SigningKey;
}

const FILE = 'seed.json';
const SCOPES: readonly ApiKeyScope[] = ['events:write', 'events:read', 'platforms:read'];

/** Identities, before any table is there. */
export async function readSeed(dataDir: DataDir): Promise<Seed> {
  const file = dataDir.readJson<SeedFile>(FILE) ?? (await createSeedFile(dataDir));
  return { merchantId: file.merchant_id, owner: file.owner, signingKey: file.signing_key };
}

async function createSeedFile(dataDir: DataDir): Promise<SeedFile> {
  const file: SeedFile = {
    merchant_id: randomUUID(),
    api_key: formatApiKey('test', randomBytes(32)),
    owner: {
      subject: randomUUID(),
      email: 'owner@shop.example',
      password: randomBytes(12).toString('base64url'),
    },
    signing_key: await generateSigningKey(),
    connected: [],
  };
  dataDir.writeJson(FILE, file);
  return file;
}

export interface SeedParts {
  readonly db: DynamoDBDocumentClient;
  readonly configTable: string;
  readonly vaultKeyFile: string;
}

/** Writes what is missing; returns the API key that is valid now. */
export async function plantSeed(dataDir: DataDir, parts: SeedParts): Promise<string> {
  const file = dataDir.readJson<SeedFile>(FILE);
  if (file === undefined) throw new Error(`${dataDir.file(FILE)} vanished`);
  const store = createConfigStore(parts.db, parts.configTable);
  const admin = createConfigAdmin(parts.db, parts.configTable);
  const nowMs = systemClock.now();
  if ((await store.merchant(file.merchant_id)) === null) await plantMerchant(admin, file, nowMs);
  if ((await admin.membership(file.owner.subject)) === null) {
    await admin.putMember({ sub: file.owner.subject, merchantId: file.merchant_id, role: 'owner' });
  }
  const apiKey = await plantKey(file, admin, await store.apiKey(hashApiKey(file.api_key)), nowMs);
  const connected = await connect(file, admin, parts, nowMs);
  if (apiKey !== file.api_key || connected.length > file.connected.length) {
    dataDir.writeJson(FILE, { ...file, api_key: apiKey, connected } satisfies SeedFile);
  }
  return apiKey;
}

const plantMerchant = (admin: ConfigAdmin, { merchant_id, owner }: SeedFile, nowMs: number): Promise<void> =>
  admin.putMerchant({
    merchantId: merchant_id,
    name: 'Example Shop',
    email: owner.email,
    storeUrl: 'https://shop.example',
    onboardingStep: 'done',
    onboardingCompleted: true,
    createdAtMs: nowMs,
    browserIngestion: { enabled: true, origins: [] },
  });

async function plantKey(
  file: SeedFile,
  admin: ConfigAdmin,
  known: { readonly revokedAtMs?: number } | null,
  nowMs: number,
): Promise<string> {
  if (known !== null && known.revokedAtMs === undefined) return file.api_key;
  const key = known === null ? file.api_key : formatApiKey('test', randomBytes(32));
  await admin.putApiKey({
    sha256: hashApiKey(key),
    keyId: randomUUID(),
    merchantId: file.merchant_id,
    name: 'Example key',
    prefix: apiKeyPrefix(key),
    scopes: SCOPES,
    createdAtMs: nowMs,
  });
  return key;
}

/** Returns the platforms that were ever connected. */
async function connect(
  file: SeedFile,
  admin: ConfigAdmin,
  parts: SeedParts,
  nowMs: number,
): Promise<string[]> {
  const vault = createVault({
    wrapper: await createKeyFileWrapper(parts.vaultKeyFile),
    keys: createDataKeyStore(parts.db, parts.configTable),
    clock: systemClock,
  });
  const connected = [...file.connected];
  for (const { slug, label } of PLATFORMS) {
    if (connected.includes(slug)) continue;
    const credentials = await exampleCredentials(slug);
    const sealedCredentials = await sealCredentials(vault, file.merchant_id, slug, credentials);
    const draft = {
      merchantId: file.merchant_id,
      platform: slug,
      newId: randomUUID(),
      name: `${label} (sandbox)`,
    };
    await admin.putConnection({ ...draft, sealedCredentials }, nowMs);
    connected.push(slug);
  }
  return connected;
}

/** Found by convention: the first worked example of the platform, whose account the sandbox knows. */
async function exampleCredentials(slug: string): Promise<unknown> {
  const url = new URL(`../../lib/events/platforms/${slug.replaceAll('_', '-')}/examples.ts`, import.meta.url);
  const { examples } = (await import(url.href)) as { examples?: readonly PlatformExample[] };
  const [example] = examples ?? [];
  if (example === undefined) throw new Error(`${slug} has no worked example to take credentials from`);
  return example.credentials;
}
