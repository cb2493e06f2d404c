// A call of an AWS API that speaks JSON 1.1, for those whose client would be one more package.
import { awsProblem } from './aws-problem.ts';
import { signed } from './signed-request.ts';

/** Rejects with a sentence. `what`: what could not be done. */
export async function awsCall(
  service: string,
  target: string,
  input: object,
  { region, what }: { readonly region: string; readonly what: string },
): Promise<unknown> {
  const url = new URL(process.env.AWS_ENDPOINT_URL ?? `https://${service}.${region}.amazonaws.com/`);
  const body = JSON.stringify(input);
  try {
    const headers = await signed(url, body, {
      service,
      region,
      headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': target },
    });
    const answer = await fetch(url, { method: 'POST', headers, body });
    const text = await answer.text();
    if (answer.ok) return JSON.parse(text);
    const { __type: type = '', message = text } = JSON.parse(text) as { __type?: string; message?: string };
    throw Object.assign(new Error(message), { name: type.split('#').at(-1) || `HTTP ${answer.status}` });
  } catch (error) {
    const { cause } = error as Error;
    throw awsProblem(cause instanceof Error ? cause : error, what);
  }
}
