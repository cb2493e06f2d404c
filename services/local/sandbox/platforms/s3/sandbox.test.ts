// The stand-in refuses what S3 refuses: bytes that were changed on their way, other keys, and buckets that are elsewhere or gone.
import { describe, expect, it } from 'vitest';
import platform from '#lib/events/platforms/s3/index.ts';
import { asReceived } from '#test/platforms/as-received.ts';
import { examples } from '#test/platforms/s3/examples.ts';
import { SAMPLE_TIME_SEC, sampleEvent } from '#test/support/sample-event.ts';
import { sandbox } from './sandbox.ts';

const entered = examples[0]?.credentials as Record<string, unknown>;
const NOW_MS = SAMPLE_TIME_SEC * 1_000 + 60_000;
const request = (changes: object = {}) =>
  platform.buildRequest([sampleEvent()], platform.credentials.parse({ ...entered, ...changes }), {
    test: false,
    nowMs: NOW_MS,
  });

const sent = (changes: Partial<ReturnType<typeof asReceived>>, nowMs = NOW_MS, made = request()) =>
  sandbox.handle(
    { ...asReceived(made), ...changes },
    { nowMs, check: () => 'ok', credentialsOf: () => entered },
  );

const codeOf = ({ answer }: ReturnType<typeof sent>) =>
  `${answer.status} ${/<Code>(\w+)</.exec(answer.body)?.[1]}`;

describe('the sandbox of S3', () => {
  it('takes what we send', () => {
    expect(sent({})).toMatchObject({ answer: { status: 200 }, events: [{ accepted: true }] });
  });

  it.each<[string, Partial<ReturnType<typeof asReceived>>, number, string]>([
    ['other bytes', { packed: Buffer.from('x') }, NOW_MS, '400 XAmzContentSHA256Mismatch'],
    [
      'another checksum',
      { headers: { ...request().headers, 'x-amz-checksum-sha256': 'AAAA' } },
      NOW_MS,
      '403 SignatureDoesNotMatch',
    ],
    [
      'another name',
      { path: `/other${new URL(request().url).pathname}` },
      NOW_MS,
      '403 SignatureDoesNotMatch',
    ],
    ['no signature', { headers: {} }, NOW_MS, '403 AccessDenied'],
    ['an old request', {}, NOW_MS + 16 * 60_000, '403 RequestTimeTooSkewed'],
    ['one of tomorrow', {}, NOW_MS - 86_400_000, '403 RequestTimeTooSkewed'],
  ])('refuses %s', (_what, changes, nowMs, code) => {
    const reply = sent(changes, nowMs);
    expect(codeOf(reply)).toBe(code);
    expect(reply.events.every(({ accepted }) => !accepted)).toBe(true);
  });

  it.each<[string, object, string]>([
    ['another secret', { secret_access_key: 'another-secret' }, '403 SignatureDoesNotMatch'],
    ['a bucket that is gone', { bucket: 'no-such-events' }, '404 NoSuchBucket'],
    ['a bucket that lets nothing in', { bucket: 'locked-events' }, '403 AccessDenied'],
    ['another region', { region: 'us-east-1' }, '301 PermanentRedirect'],
  ])('refuses %s', (_what, changes, code) => {
    expect(codeOf(sent({}, NOW_MS, request(changes)))).toBe(code);
  });
});
