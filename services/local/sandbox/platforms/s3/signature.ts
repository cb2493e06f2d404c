// What Amazon checks of Signature Version 4, read from its page and not from our code:
// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
import { createHmac, hash } from 'node:crypto';
import type { SandboxRequest } from '../platform-sandbox.ts';

export interface Signature {
  readonly keyId: string;
  readonly region: string;
  readonly signedHeaders: readonly string[];
  readonly signature: string;
  readonly day: string;
}

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=([\w.-]+)\/(\d{8})\/([a-z0-9-]+)\/s3\/aws4_request, ?SignedHeaders=([a-z0-9;-]+), ?Signature=([0-9a-f]{64})$/;

/** Undefined where the request has none. */
export function signatureOf({ headers }: SandboxRequest): Signature | undefined {
  const [, keyId, day, region, names, signature] = AUTHORIZATION.exec(headers.authorization ?? '') ?? [];
  if (keyId === undefined || day === undefined || region === undefined) return undefined;
  return { keyId, day, region, signedHeaders: names?.split(';') ?? [], signature: signature ?? '' };
}

export function isSignedWith(secret: string, request: SandboxRequest, said: Signature): boolean {
  const { headers, host, method, path } = request;
  const value = (name: string): string => (name === 'host' ? host : (headers[name] ?? ''));
  const canonical = [
    method,
    path,
    '',
    ...said.signedHeaders.map((name) => `${name}:${value(name)}`),
    '',
    said.signedHeaders.join(';'),
    headers['x-amz-content-sha256'],
  ].join('\n');
  const scope = `${said.day}/${said.region}/s3/aws4_request`;
  const toSign = `AWS4-HMAC-SHA256\n${headers['x-amz-date']}\n${scope}\n${hash('sha256', canonical)}`;
  const mac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
  const key = mac(mac(mac(mac(`AWS4${secret}`, said.day), said.region), 's3'), 'aws4_request');
  return mac(key, toSign).toString('hex') === said.signature;
}
