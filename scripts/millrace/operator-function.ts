// Asks the deployment's operator function. Rejects with a sentence that says what was refused, and why.
import * as z from 'zod';
import { readTextBy } from '#lib/core/record/read-by-schema.ts';
import { READS } from '../../services/operator/admin/across/reads.ts';
import { awsProblem } from './aws-problem.ts';
import type { Deployment } from './deployment.ts';
import type { SignedAnswer } from './signed-request.ts';

export type Post = (
  url: string,
  body: string,
  deployment: Pick<Deployment, 'region' | 'token'>,
) => Promise<SignedAnswer>;

/** What the function answers at this path below /operator/v1 to this body. */
export type Ask = <T>(path: string, body: object, answer: z.ZodType<T>) => Promise<T>;

const failure = z.object({
  error: z.string(),
  details: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
});

export const askingOf =
  (deployment: Pick<Deployment, 'operatorUrl' | 'readerUrl' | 'region' | 'token'>, post: Post): Ask =>
  async (path, body, answer) => {
    const { operatorUrl, readerUrl } = deployment;
    const url = `${READS.has(path) ? readerUrl : operatorUrl}/operator/v1/${path}`;
    const { status, body: text } = await posted(() => post(url, JSON.stringify(body), deployment));
    if (status === 200 || status === 201) return answer.parse(JSON.parse(text));
    throw new Error(refusalOf(status, text));
  };

async function posted(post: () => Promise<SignedAnswer>): Promise<SignedAnswer> {
  try {
    return await post();
  } catch (error) {
    const { cause } = error as Error;
    throw awsProblem(cause instanceof Error ? cause : error, 'the operator function was not reached');
  }
}

function refusalOf(status: number, text: string): string {
  const parsed = readTextBy(failure, text);
  if (parsed === null)
    return status === 403
      ? 'AWS does not let you invoke the operator function: attach the policy that the output OperatorAdminPolicyArn names, or OperatorReaderPolicyArn to look only.'
      : `The operator function answered ${status}: ${text.slice(0, 300)}`;
  const { error, details = [] } = parsed;
  const told = details.map(({ path, message }) => `${path} ${message}`.trim());
  if (status === 404 && told.length === 0)
    return 'The operator function does not know this command yet: deploy this release first (npx millrace deploy).';
  return [error, ...told].join('\n  ');
}
