// Asks the deployment's operator function for a merchant. Rejects with a sentence that says what was refused, and why.
import * as z from 'zod';
import { awsProblem } from './aws-problem.ts';
import type { Deployment } from './deployment.ts';
import { type SignedAnswer, signedPost } from './signed-request.ts';

export interface Wanted {
  readonly name: string;
  readonly owner: string;
  readonly subject?: string;
  readonly id?: string;
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

const failure = z.object({
  error: z.string(),
  details: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
});

export async function createMerchant(deployment: Deployment, wanted: Wanted): Promise<CreatedMerchant> {
  const { operatorUrl, region, ingestionUrl, helpdeskUrl } = deployment;
  const { name, owner, subject, id, environment, adminKey, newKeys } = wanted;
  const keys = [
    ...(ingestionUrl === null ? [] : ['send']),
    ...(ingestionUrl === null || !adminKey ? [] : ['admin']),
    ...(helpdeskUrl === null ? [] : ['helpdesk']),
  ];
  const body = JSON.stringify({ name, owner, subject, id, keys, environment, new_keys: newKeys });
  const { status, body: text } = await post(`${operatorUrl}/operator/v1/merchants`, body, region);
  if (status === 200 || status === 201) return answer.parse(JSON.parse(text));
  throw new Error(refusalOf(status, text));
}

async function post(url: string, body: string, region: string): Promise<SignedAnswer> {
  try {
    return await signedPost(url, body, region);
  } catch (error) {
    const { cause } = error as Error;
    throw awsProblem(cause instanceof Error ? cause : error, 'the operator function was not reached');
  }
}

function refusalOf(status: number, text: string): string {
  const parsed = failure.safeParse(readJson(text));
  if (!parsed.success)
    return status === 403
      ? 'AWS does not let you invoke the operator function: attach the policy that the output OperatorAdminPolicyArn names.'
      : `The operator function answered ${status}: ${text.slice(0, 300)}`;
  const { error, details = [] } = parsed.data;
  const told = details.map(({ path, message }) => `${path} ${message}`.trim());
  return [error, ...told].join('\n  ');
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
