// Events into one compressed object. Amounts keep their digits.
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { NormalizedEvent } from '../../domain/event/normalized-event.ts';
import { nameAt } from '../event-name.ts';
import type { BuildRequest, Unsendable } from '../platform.ts';
import { moneyFault, nameFault } from '../unsendable.ts';
import type { S3Credentials } from './credentials.ts';
import { S3_EVENT_NAMES } from './event-names.ts';
import { acceptedAtMs, lineOf } from './line.ts';
import { objectName } from './object-name.ts';
import { signedPut } from './signature.ts';

export function s3Unsendable(event: NormalizedEvent): Unsendable | null {
  return nameFault(nameAt(S3_EVENT_NAMES, event), event) ?? moneyFault(event);
}

/** At Amazon the bucket is part of the host; at another store, of the path. */
function bucketUrl({ bucket, region, endpoint }: S3Credentials): string {
  if (endpoint !== undefined) return `${new URL(endpoint).origin}/${bucket}/`;
  return `https://${bucket}.s3.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}/`;
}

export const s3Request: BuildRequest<S3Credentials> = (events, credentials, { test, nowMs }) => {
  const { region, prefix, access_key_id, secret_access_key, account_id } = credentials;
  const body = events.map((event) => `${lineOf(event)}\n`).join('');
  const packed = gzipSync(body);
  const url = bucketUrl(credentials) + objectName(events, { prefix, test });
  const [first] = events;
  const headers = signedPut({
    url,
    headers: {
      'content-type': 'application/x-ndjson',
      // The object of an earlier attempt stays as it is.
      'if-none-match': '*',
      'x-amz-checksum-sha256': createHash('sha256').update(packed).digest('base64'),
      ...(account_id === undefined ? {} : { 'x-amz-expected-bucket-owner': account_id }),
    },
    body: packed,
    region,
    accessKeyId: access_key_id,
    secretAccessKey: secret_access_key,
    atMs: nowMs ?? (first === undefined ? 0 : acceptedAtMs(first)),
  });
  // The secret that signs is not in the request.
  const signature = /[^=]+$/.exec(headers.authorization ?? '')?.[0];
  const secrets = [access_key_id, ...(signature === undefined ? [] : [signature])];
  return { method: 'PUT', url, headers, body, packed, secrets };
};
