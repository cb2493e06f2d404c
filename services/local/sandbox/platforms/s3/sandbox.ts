// A stand-in for Amazon S3, as far as one PUT of an object goes, and for the reader of its lines: S3 takes any bytes, this takes
// what looks like events. https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html
import { hash } from 'node:crypto';
import * as z from 'zod';
import { seenBy } from '../define-sandbox.ts';
import { consent, content, person, words } from '../own-event.ts';
import type {
  PlatformSandbox,
  SandboxAnswer,
  SandboxContext,
  SandboxEvent,
  SandboxReply,
  SandboxRequest,
} from '../platform-sandbox.ts';
import { parse, record } from '../reading.ts';
import { isSignedWith, signatureOf } from './signature.ts';

/** Where the buckets are; one of them lets nothing in. */
const REGIONS: Readonly<Record<string, string>> = {
  'shop-events': 'eu-central-1',
  'locked-events': 'eu-central-1',
};
const LOCKED = 'locked-events';
const HOST = /^([a-z0-9-]+)\.s3\.([a-z0-9-]+)\.amazonaws\.com$/;
const NAME =
  /^\/(?:[\w-]+\/)*(events|tests)\/dt=(\d{4}-\d{2}-\d{2})\/hour=(\d{2})\/[0-9a-f]{40}\.ndjson\.gz$/;
const SKEW_MAX_MS = 15 * 60_000;
const LINES_MAX = 100;

const lineSchema = z.strictObject({
  event_id: words,
  event_name: words,
  event_time: z.int(),
  received_at: z.iso.datetime(),
  merchant_id: words,
  channel: z.enum(['server', 'browser']),
  source: words,
  action_source: words,
  ...content,
  custom_data: z
    .string()
    .refine((text) => parse(text) !== undefined, 'must be JSON in a text')
    .optional(),
  consent,
  app: z.record(z.string(), words).optional(),
  user_data: person,
});

const seen = seenBy({
  name: 'event_name',
  id: 'event_id',
  value: 'value',
  currency: 'currency',
  // As the view of the table counts them.
  key: ({ merchant_id }, { account, eventId }) => [account, merchant_id, eventId],
});

export const sandbox: PlatformSandbox = {
  slug: 's3',
  hosts: [
    'shop-events.s3.eu-central-1.amazonaws.com',
    'shop-events.s3.us-east-1.amazonaws.com',
    'locked-events.s3.eu-central-1.amazonaws.com',
    'no-such-events.s3.eu-central-1.amazonaws.com',
  ],
  dedupeWindowSec: 0,
  login: ({ bucket, access_key_id }) => ({ account: String(bucket), secret: String(access_key_id) }),
  handle,
  provoked: {
    throttled: refused(503, 'SlowDown', 'Please reduce your request rate.'),
    unavailable: refused(500, 'InternalError', 'We encountered an internal error. Please try again.'),
    unauthorized: refused(403, 'AccessDenied', 'Access Denied'),
  },
};

function handle(request: SandboxRequest, context: SandboxContext): SandboxReply {
  const [, bucket = ''] = HOST.exec(request.host) ?? [];
  const [, folder] = NAME.exec(request.path) ?? [];
  const lines = request.body.split('\n').filter((line) => line !== '');
  const reasons = lines.map((line) => faultOf(line, request.path));
  const answer = requestRefusal(request, context, bucket) ?? linesRefusal(lines, reasons) ?? stored(request);
  const isRefused = answer.status !== 200;
  const events = lines.map((line, i): SandboxEvent => {
    const reason = isRefused ? (reasons[i] ?? 'refused with its object') : undefined;
    return seen(bucket, parse(line), folder === 'tests', reason);
  });
  return { answer, events };
}

const stored = ({ body }: SandboxRequest): SandboxAnswer => ({
  status: 200,
  headers: { etag: `"${hash('md5', body)}"` },
  body: '',
});

/** What S3 looks at before the bytes, in the order of its checks as far as they are known. */
function requestRefusal(
  request: SandboxRequest,
  context: SandboxContext,
  bucket: string,
): SandboxAnswer | null {
  const { method, path, headers, host, body, packed = body } = request;
  const came = hash('sha256', packed);
  const [, , hostRegion] = HOST.exec(host) ?? [];
  if (method !== 'PUT') return refused(404, 'NoSuchKey', 'The specified key does not exist.');
  const said = signatureOf(request);
  if (said === undefined) return refused(403, 'AccessDenied', 'Access Denied');
  const { keyId, region } = said;
  const login = context.check(bucket, keyId);
  if (login === 'wrong_secret')
    return refused(
      403,
      'InvalidAccessKeyId',
      'The AWS Access Key Id you provided does not exist in our records.',
    );
  const home = REGIONS[bucket];
  if (login === 'unknown_account' || home === undefined)
    return refused(404, 'NoSuchBucket', 'The specified bucket does not exist');
  if (hostRegion !== home) return elsewhere(bucket, home);
  if (region !== home)
    return refused(400, 'AuthorizationHeaderMalformed', `expecting '${home}'`, `<Region>${home}</Region>`);
  const sentMs = timeOf(headers['x-amz-date']);
  if (sentMs === undefined || Math.abs(context.nowMs - sentMs) > SKEW_MAX_MS)
    return refused(403, 'RequestTimeTooSkewed', 'The difference between the times is too large.');
  const secret = context.credentialsOf?.(bucket)?.secret_access_key;
  if (secret !== undefined && !isSignedWith(String(secret), request, said))
    return refused(403, 'SignatureDoesNotMatch', 'The signature we calculated does not match.');
  if (headers['x-amz-content-sha256'] !== came)
    return refused(400, 'XAmzContentSHA256Mismatch', 'The provided header does not match what was computed.');
  const checksum = headers['x-amz-checksum-sha256'];
  if (checksum !== undefined && checksum !== Buffer.from(came, 'hex').toString('base64'))
    return refused(400, 'BadDigest', 'The SHA256 you specified did not match the calculated checksum.');
  // What a policy of the bucket may ask for.
  const isAllowed = NAME.test(path) && headers['if-none-match'] === '*' && bucket !== LOCKED;
  return isAllowed ? null : refused(403, 'AccessDenied', 'Access Denied');
}

function linesRefusal(lines: readonly string[], reasons: readonly (string | null)[]): SandboxAnswer | null {
  const reason = reasons.find((one) => one !== null);
  if (lines.length === 0) return refused(400, 'InvalidArgument', 'no line');
  if (lines.length > LINES_MAX) return refused(400, 'InvalidArgument', `more than ${LINES_MAX} lines`);
  return reason == null ? null : refused(400, 'InvalidArgument', reason);
}

/** What is wrong with a line; null = nothing. */
function faultOf(line: string, path: string): string | null {
  const [, , day, hour] = NAME.exec(path) ?? [];
  const { error, data } = lineSchema.safeParse(record(parse(line)));
  if (error !== undefined) return z.prettifyError(error);
  return data.received_at.startsWith(`${day}T${hour}:`) ? null : 'received_at: of another partition';
}

function timeOf(text = ''): number | undefined {
  const at = Date.parse(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
  return Number.isNaN(at) ? undefined : at;
}

function elsewhere(bucket: string, region: string): SandboxAnswer {
  const endpoint = `${bucket}.s3.${region}.amazonaws.com`;
  const answer = refused(
    301,
    'PermanentRedirect',
    'The bucket you are attempting to access must be addressed using the specified endpoint.',
    `<Endpoint>${endpoint}</Endpoint>`,
  );
  return { ...answer, headers: { ...answer.headers, 'x-amz-bucket-region': region } };
}

function refused(status: number, code: string, message: string, more = ''): SandboxAnswer {
  const text = message.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return {
    status,
    headers: { 'content-type': 'application/xml' },
    body: `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${text}</Message>${more}</Error>`,
  };
}
