// A call of an AWS API that speaks JSON 1.1, for those whose client would be one more package.
import { STSClient } from '@aws-sdk/client-sts';
import { SignatureV4 } from '@smithy/signature-v4';
import { awsProblem } from './aws-problem.ts';

/** Rejects with a sentence. `what`: what could not be done. */
export async function awsCall(
  service: string,
  target: string,
  input: object,
  { region, what }: { readonly region: string; readonly what: string },
): Promise<unknown> {
  // Never asked anything: it finds credentials as every client of the SDK does.
  const { credentials, sha256 } = new STSClient({ region }).config;
  const url = new URL(process.env.AWS_ENDPOINT_URL ?? `https://${service}.${region}.amazonaws.com/`);
  const body = JSON.stringify(input);
  try {
    const signed = await new SignatureV4({ service, region, credentials, sha256 }).sign({
      method: 'POST',
      protocol: url.protocol,
      hostname: url.hostname,
      ...(url.port === '' ? {} : { port: Number(url.port) }),
      path: '/',
      query: {},
      headers: { host: url.host, 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': target },
      body,
    });
    const { host: _, ...headers } = signed.headers;
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
