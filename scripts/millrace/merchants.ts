// Asks the deployment's operator function for a new merchant.
import * as z from 'zod';
import type { Deployment } from './deployment.ts';
import { type Ask, askingOf } from './operator-function.ts';
import { signedPost } from './signed-request.ts';

export interface Wanted {
  readonly name: string;
  readonly owner: string;
  readonly subject?: string | undefined;
  readonly id?: string | undefined;
  readonly environment: 'live' | 'test';
  /** One more key, which may do everything. */
  readonly adminKey: boolean;
  readonly newKeys: boolean;
}

const answer = z.object({
  merchant: z.object({ id: z.string(), name: z.string(), is_new: z.boolean() }),
  owner: z.object({ email: z.string(), subject: z.string(), state: z.enum(['invited', 'known']) }),
  keys: z.array(
    z.object({ kind: z.enum(['send', 'admin', 'helpdesk']), id: z.string(), secret: z.string().nullable() }),
  ),
});
export type CreatedMerchant = z.output<typeof answer>;

export async function createMerchant(
  deployment: Deployment,
  { adminKey, newKeys, ...wanted }: Wanted,
  ask: Ask = askingOf(deployment, signedPost),
): Promise<CreatedMerchant> {
  const { ingestionUrl, helpdeskUrl } = deployment;
  const keys = [
    ...(ingestionUrl === null ? [] : ['send']),
    ...(ingestionUrl === null || !adminKey ? [] : ['admin']),
    ...(helpdeskUrl === null ? [] : ['helpdesk']),
  ];
  return await ask('merchants', { ...wanted, keys, new_keys: newKeys }, answer);
}
