// A call of an AWS API that speaks JSON 1.1, for those whose client would be one more package.
import * as z from 'zod';
import { readTextBy } from '#lib/core/record/read-by-schema.ts';
import { type RetryPolicy, waitAfter } from '#lib/core/work/retry-policy.ts';
import { signed } from './signed-request.ts';

/** Two minutes in all. */
const RETRIES: RetryPolicy = {
  ladderMs: [400, 800, 1_600, 4_000, 8_000, 15_000, 30_000, 60_000],
  ...{ afterLadder: 'give up', jitter: 0.2 },
};
const PASSING = /Throttl|RequestLimitExceeded|ServiceUnavailable|InternalFailure|HTTP 5|ECONNRESET|ETIMEDOUT/;

const refusal = z.object({ __type: z.string().default(''), message: z.string().optional() });

/** Rejects with what AWS, or the way to it, refused. What passes is tried again. */
export async function awsCall(
  service: string,
  target: string,
  input: object,
  of: {
    readonly region: string;
    readonly pause: (ms: number) => Promise<unknown>;
  },
): Promise<unknown> {
  for (let attempts = 1; ; attempts++)
    try {
      return await answerOf(service, target, input, of.region);
    } catch (error) {
      const { cause } = error as Error;
      const problem = (cause instanceof Error ? cause : error) as Error & { readonly code?: string };
      const isPassing = PASSING.test(`${problem.name} ${problem.code}`);
      const waitMs = isPassing ? waitAfter(RETRIES, { attempts, random: Math.random() }) : null;
      if (waitMs === null) throw problem;
      await of.pause(waitMs);
    }
}

async function answerOf(service: string, target: string, input: object, region: string): Promise<unknown> {
  const url = new URL(process.env.AWS_ENDPOINT_URL ?? `https://${service}.${region}.amazonaws.com/`);
  const body = JSON.stringify(input);
  const headers = await signed(url, body, {
    service,
    region,
    headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': target },
  });
  const answer = await fetch(url, { method: 'POST', headers, body });
  const text = await answer.text();
  if (answer.ok) return JSON.parse(text);
  const { __type: type, message = text } = readTextBy(refusal, text) ?? { __type: '' };
  throw Object.assign(new Error(message), { name: type.split('#').at(-1) || `HTTP ${answer.status}` });
}
