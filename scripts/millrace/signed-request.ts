// A request to a function URL that IAM guards, signed with the credentials of the environment (Signature Version 4).
import { STSClient } from '@aws-sdk/client-sts';
import { SignatureV4 } from '@smithy/signature-v4';
import type { Deployment } from './deployment.ts';

export interface SignedAnswer {
  readonly status: number;
  readonly body: string;
}

/** `token`: of a host on this machine, where there is no IAM. */
export async function signedPost(
  url: string,
  body: string,
  { region, token }: Pick<Deployment, 'region' | 'token'>,
): Promise<SignedAnswer> {
  if (token !== undefined) return await posted(url, { authorization: `Bearer ${token}` }, body);
  // Never asked anything: it finds credentials as every client of the SDK does.
  const { credentials, sha256 } = new STSClient({ region }).config;
  const { protocol, hostname, port, host, pathname } = new URL(url);
  const signer = new SignatureV4({ service: 'lambda', region, credentials, sha256 });
  const signed = await signer.sign({
    method: 'POST',
    protocol,
    hostname,
    ...(port === '' ? {} : { port: Number(port) }),
    path: pathname,
    query: {},
    headers: { host, 'content-type': 'application/json' },
    body,
  });
  const { host: _, ...headers } = signed.headers;
  return await posted(url, headers, body);
}

async function posted(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
): Promise<SignedAnswer> {
  const response = await fetch(url, { method: 'POST', headers, body });
  return { status: response.status, body: await response.text() };
}
