// What a deployment to an endpoint of this machine ends with: a merchant, and a request to paste that is answered 202.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Deployment } from '../millrace/deployment.ts';
import { type CreatedMerchant, createMerchant } from '../millrace/merchants.ts';
import { printedMerchant } from '../millrace/printed-merchant.ts';
import type { Outputs } from './deploy.ts';

/** The owner of the merchant that is made; known by this subject at the issuer, where one is given. */
const OWNER = { email: 'owner@shop.example', subject: 'owner' } as const;

export interface Announced {
  readonly endpoint: string;
  readonly outputs: Outputs;
  /** Gets stack.json: the outputs, and the keys of the merchant. */
  readonly directory: string;
}

/** What is to be printed. */
export async function announce(
  deployment: Deployment,
  { endpoint, outputs, directory }: Announced,
): Promise<string> {
  const file = join(directory, 'stack.json');
  const merchant = await firstMerchant(deployment);
  await mkdir(directory, { recursive: true });
  // It holds keys.
  await writeFile(file, `${JSON.stringify({ endpoint, outputs, merchant }, null, 2)}\n`, { mode: 0o600 });
  return `details    ${file}\n${printedMerchant(merchant, deployment, Date.now())}`;
}

/** With keys that are shown: new ones where an earlier deployment to this endpoint made the merchant. */
async function firstMerchant(deployment: Deployment): Promise<CreatedMerchant> {
  const { email: owner, subject } = OWNER;
  const wanted = { name: 'Example Shop', owner, subject, environment: 'test', adminKey: true } as const;
  const made = await createMerchant(deployment, { ...wanted, newKeys: false });
  if (made.keys.every(({ secret }) => secret !== null)) return made;
  return await createMerchant(deployment, { ...wanted, newKeys: true });
}
