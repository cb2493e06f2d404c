// Requests signed with the credentials of the environment (Signature Version 4): of AWS APIs, and of function URLs that IAM guards.
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
  const headers =
    token === undefined
      ? await signed(new URL(url), body, {
          service: 'lambda',
          region,
          headers: { 'content-type': 'application/json' },
        })
      : { authorization: `Bearer ${token}` };
  const response = await fetch(url, { method: 'POST', headers, body });
  return { status: response.status, body: await response.text() };
}

/** The headers that a POST of `body` to `url` is sent with. */
export async function signed(
  url: URL,
  body: string,
  of: {
    readonly service: string;
    readonly region: string;
    readonly headers: Readonly<Record<string, string>>;
  },
): Promise<Readonly<Record<string, string>>> {
  const { service, region } = of;
  const { credentials, sha256 } = configOf(region);
  const request = await new SignatureV4({ service, region, credentials, sha256 }).sign({
    method: 'POST',
    protocol: url.protocol,
    hostname: url.hostname,
    ...(url.port === '' ? {} : { port: Number(url.port) }),
    path: url.pathname,
    query: {},
    headers: { host: url.host, ...of.headers },
    body,
  });
  const { host: _, ...headers } = request.headers;
  return headers;
}

const configs = new Map<string, STSClient['config']>();

/** Of a client that is never asked anything: it finds credentials as every client of the SDK does, and once while they are good. */
function configOf(region: string): STSClient['config'] {
  const config = configs.get(region) ?? new STSClient({ region }).config;
  configs.set(region, config);
  return config;
}
