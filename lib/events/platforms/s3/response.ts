// What S3's answer means: a tag of the object says that it is stored. Errors are XML with S3's own codes; what a proxy says is
// tried again.
import { type Answer, codeOf, errorOutcome, type Fields, isSuccess, UNREADABLE } from '../answer.ts';
import { errorTable, type OwnError } from '../error-table.ts';
import type { ReadAnswer } from '../platform.ts';

export const S3_ERRORS = errorTable([
  [412, 'PreconditionFailed', 'duplicate', 'the object is there already'],
  ['*', ['SlowDown', 'TooManyRequests', 'RequestLimitExceeded'], 'rate_limited'],
  ['*', ['RequestTimeout', 'RequestTimeTooSkewed', 'BadDigest', 'IncompleteBody'], 'retry'],
  [
    409,
    ['ConditionalRequestConflict', 'OperationAborted'],
    'retry',
    'another write of the object is under way',
  ],
  ['*', 'NoSuchBucket', 'auth', 'there is no such bucket'],
  [301, 'PermanentRedirect', 'auth', 'the bucket is in another region'],
  [400, ['AuthorizationHeaderMalformed', 'IllegalLocationConstraintException'], 'auth', 'another region'],
  [400, ['InvalidBucketName', 'InvalidToken', 'ExpiredToken', 'InvalidRequest'], 'auth'],
  [
    400,
    ['KMS.DisabledException', 'KMS.KMSInvalidStateException', 'KMS.NotFoundException'],
    'auth',
    'the key of the bucket',
  ],
  [405, '*', 'auth'],
  [501, '*', 'auth', 'the store does not take `If-None-Match`'],
]);

const FIELD = /<(Code|Message|Region|Endpoint)>([^<]{0,1000})<\/\1>/g;

/** S3 says in XML what is wrong. Undefined for any other text. */
export function s3Error(text: string): Fields | undefined {
  if (!/^\s*(?:<\?xml[^>]*>\s*)?<Error[\s>]/.test(text)) return undefined;
  return Object.fromEntries([...text.matchAll(FIELD)].map(([, name = '', value]) => [name, value]));
}

export const isS3Error: OwnError = ({ Code }) => typeof Code === 'string' && Code !== '';

export const readS3Answer: ReadAnswer = (answer, body, events) => {
  if (isSuccess(answer)) return isStored(answer) ? { kind: 'delivered' } : UNREADABLE;
  const { Code } = body ?? {};
  const code = typeof Code === 'string' ? Code : undefined;
  return errorOutcome(S3_ERRORS, answer, events.length, {
    codes: [code],
    code: codeOf('s3', code),
    message: regionMessage(answer, body) ?? body?.Message,
  });
};

const isStored = ({ headers, body }: Answer): boolean => headers.etag !== undefined && body.trim() === '';

/** Which region is the right one, where the answer says it. */
function regionMessage({ headers }: Answer, body: Fields = {}): string | undefined {
  const { Code, Region, Endpoint } = body;
  if (Code !== 'PermanentRedirect' && Code !== 'AuthorizationHeaderMalformed') return undefined;
  const inEndpoint = /\.s3[.-]([a-z0-9-]+)\.amazonaws\./.exec(String(Endpoint))?.[1];
  const region = headers['x-amz-bucket-region'] ?? (typeof Region === 'string' ? Region : inEndpoint);
  return region === undefined || !/^[a-z0-9-]{1,40}$/.test(region)
    ? undefined
    : `The bucket is in another region, ${region}: change the region of the connection.`;
}
