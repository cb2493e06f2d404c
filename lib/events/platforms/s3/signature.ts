// AWS Signature Version 4 of one PUT, with the body's own digest. https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
import { createHash, createHmac } from 'node:crypto';

export interface ToSign {
  readonly url: string;
  /** Lowercase names; `host` and those of the signature are added. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly atMs: number;
}

/** What to send beside `host`, with the signature. */
export function signedPut(request: ToSign): Readonly<Record<string, string>> {
  const { url, body, region, accessKeyId, secretAccessKey, atMs } = request;
  const { host, pathname } = new URL(url);
  const time = new Date(atMs).toISOString().replaceAll(/[-:]|\.\d{3}/g, '');
  const day = time.slice(0, 8);
  const digest = sha256(body);
  const headers = { ...request.headers, 'x-amz-content-sha256': digest, 'x-amz-date': time };
  const signed = Object.entries({ ...headers, host }).sort(([one], [other]) => (one < other ? -1 : 1));
  const names = signed.map(([name]) => name).join(';');
  const lines = signed.map(([name, value]) => `${name}:${value.trim()}\n`).join('');
  const scope = `${day}/${region}/s3/aws4_request`;
  const content = [
    'AWS4-HMAC-SHA256',
    time,
    scope,
    sha256(`PUT\n${pathname}\n\n${lines}\n${names}\n${digest}`),
  ];
  const key = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${secretAccessKey}`);
  const signature = hmac(key, content.join('\n')).toString('hex');
  return {
    ...headers,
    authorization: `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`,
  };
}

const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
