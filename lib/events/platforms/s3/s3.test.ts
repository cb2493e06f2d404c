// What is particular to S3; what every platform promises is in test/conformance/platforms.
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { examples } from '#test/platforms/s3/examples.ts';
import { SAMPLE_APP } from '#test/support/sample-app.ts';
import { sampleEvent, strangersPageView } from '#test/support/sample-event.ts';
import type { HttpResult } from '../platform.ts';
import { type S3Credentials, s3Credentials } from './credentials.ts';
import platform from './index.ts';
import { COLUMNS } from './line.ts';
import { signedPut } from './signature.ts';
import { s3Table } from './table.ts';

const GOOD = examples[0]?.credentials as S3Credentials;
const problems = (changes: object): readonly string[] => {
  const { error } = s3Credentials.safeParse({ ...GOOD, ...changes });
  return (error?.issues ?? []).map(({ path, message }) => `${path.join('.')} ${message}`);
};
const requestOf = (
  events: readonly ReturnType<typeof sampleEvent>[],
  changes: Partial<S3Credentials> = {},
  context = { test: false, nowMs: 1_795_176_000_000 },
) => platform.buildRequest(events, { ...GOOD, ...changes }, context);

describe('what is entered', () => {
  it.each([
    { bucket: 'abc', region: 'us-gov-west-1' },
    { prefix: 'a/b_c/D-1', account_id: '123456789012' },
    { region: 'auto', endpoint: 'https://0123abcd.r2.cloudflarestorage.com' },
    { region: 'us-west-004', endpoint: 'https://s3.us-west-004.backblazeb2.com/' },
  ])('may be %j', (changes) => {
    expect(problems(changes)).toEqual([]);
  });

  it.each<[object, string]>([
    [{ bucket: 's3://shop' }, 'bucket must be 3 to 63'],
    [{ bucket: 'shop.events' }, 'bucket must be 3 to 63'],
    [{ bucket: '-shop' }, 'bucket must be 3 to 63'],
    [{ bucket: 'evil.example/a' }, 'bucket must be 3 to 63'],
    [{ bucket: 'Shop' }, 'bucket must be 3 to 63'],
    [{ region: 'eu-central' }, 'region must be a region'],
    [{ region: 'eu-central-1.evil.example' }, 'region must be a region'],
    [{ region: 'eu-central-1/' }, 'region must be a region'],
    [{ access_key_id: 'AKIA/IOS' }, 'access_key_id must be'],
    [{ prefix: '/a' }, 'prefix must be words'],
    [{ prefix: 'a/' }, 'prefix must be words'],
    [{ prefix: 'a/../b' }, 'prefix must be words'],
    [{ prefix: 'a b' }, 'prefix must be words'],
    [{ account_id: '1234' }, 'account_id must be 12 digits'],
    [{ endpoint: 'http://s3.example.com' }, 'endpoint must begin with https'],
    [{ endpoint: 'https://169.254.169.254' }, 'endpoint must have a public host'],
    [{ endpoint: 'https://[::1]' }, 'endpoint must have a public host'],
    [{ endpoint: 'https://s3.example.com:9000' }, 'endpoint must use port 443'],
    [{ endpoint: 'https://localhost' }, 'endpoint must have a public host'],
    [{ endpoint: 'https://s3.example.com/bucket' }, 'endpoint must be a host alone'],
    [{ endpoint: 'https://s3.example.com?x' }, 'endpoint must be a host alone'],
    [{ endpoint: 'https://u:p@s3.example.com' }, 'endpoint must not have a user'],
  ])('is not %j', (changes, words) => {
    expect(problems(changes)).toEqual([expect.stringContaining(words)]);
  });
});

describe('where an object goes', () => {
  const [first, second] = [sampleEvent({ dedupId: 'a' }), sampleEvent({ dedupId: 'b' })];
  const pathOf = (...args: Parameters<typeof requestOf>) => new URL(requestOf(...args).url).pathname;

  it('is named by its events, whatever their order and the time of the attempt', () => {
    const later = { test: false, nowMs: 1_795_262_400_000 };
    expect(pathOf([first, second])).toMatch(
      /^\/millrace\/events\/dt=2026-11-20\/hour=12\/[0-9a-f]{40}\.ndjson\.gz$/,
    );
    expect(pathOf([second, first], {}, later)).toBe(pathOf([first, second]));
    const paths = [
      pathOf([first]),
      pathOf([second]),
      pathOf([first, second]),
      pathOf([sampleEvent({ dedupId: 'a', channel: 'browser' })]),
      pathOf([sampleEvent({ dedupId: 'a', merchantId: 'another' })]),
      pathOf([sampleEvent({ dedupId: 'a","b' })]),
    ];
    expect(new Set(paths).size).toBe(paths.length);
  });

  it('is for a replay where its original is', () => {
    const replay = sampleEvent({
      ...first,
      eventId: 'a-replayed',
      originalReceivedAtMs: first.receivedAtMs,
      receivedAtMs: first.receivedAtMs + 86_400_000,
    });
    expect(pathOf([replay])).toBe(pathOf([first]));
    expect(requestOf([replay]).body).toBe(requestOf([first]).body);
  });

  it('is another hour in another group', () => {
    const next = sampleEvent({ receivedAtMs: first.receivedAtMs + 3_600_000 });
    expect(platform.groupKey?.(next, GOOD)).not.toBe(platform.groupKey?.(first, GOOD));
  });

  it('is a host of Amazon, or of the store that was entered', () => {
    expect(new URL(requestOf([first], { region: 'cn-north-1' }).url).host).toBe(
      'shop-events.s3.cn-north-1.amazonaws.com.cn',
    );
    const elsewhere = requestOf([first], { endpoint: 'https://s3.shop.example/' });
    expect(elsewhere.url).toMatch(/^https:\/\/s3\.shop\.example\/shop-events\/millrace\/events\/dt=/);
  });

  it('names the owner of the bucket, where one was entered', () => {
    const { headers } = requestOf([first], { account_id: '123456789012' });
    expect(headers['x-amz-expected-bucket-owner']).toBe('123456789012');
    expect(headers.authorization).toContain('x-amz-expected-bucket-owner');
  });
});

it('is a line for each event, compressed alike each time', () => {
  const events = [
    sampleEvent({ dedupId: 'a' }),
    strangersPageView(),
    sampleEvent({ dedupId: 'line\n\u2028' }),
  ];
  const { body, packed = new Uint8Array() } = requestOf(events);
  expect(gunzipSync(packed).toString()).toBe(body);
  expect(requestOf(events).packed).toEqual(packed);
  const lines = body.split('\n');
  expect(lines.pop()).toBe('');
  expect(lines.map((line) => (JSON.parse(line) as { event_id: string }).event_id)).toEqual([
    'a',
    'pv-1',
    'line\n\u2028',
  ]);
});

it('signs as Amazon’s own example does', () => {
  // https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html, “PUT Object”.
  const { authorization } = signedPut({
    url: 'https://examplebucket.s3.amazonaws.com/test%24file.text',
    headers: { date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' },
    body: Buffer.from('Welcome to Amazon S3.'),
    region: 'us-east-1',
    accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
    secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
    atMs: Date.UTC(2013, 4, 24),
  });
  expect(authorization).toBe(
    'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, ' +
      'SignedHeaders=date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class, ' +
      'Signature=98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  );
});

describe('the table', () => {
  const sql = s3Table({ ...GOOD, bucket: 'shop', prefix: 'a/b' });

  it('lies where the objects do', () => {
    expect(sql).toContain("LOCATION 's3://shop/a/b/events/'");
    const { prefix: _left, ...bare } = GOOD;
    expect(s3Table(bare)).toContain("LOCATION 's3://shop-events/events/'");
    const template = /'storage.location.template' = 's3:\/\/shop\/(.*)'/.exec(sql)?.[1] ?? '';
    const { pathname } = new URL(requestOf([sampleEvent()], { bucket: 'shop', prefix: 'a/b' }).url);
    expect(
      pathname.startsWith(`/${template.replace(/\$\{dt\}/, '2026-11-20').replace(/\$\{hour\}/, '12')}`),
    ).toBe(true);
  });

  it('has a type for every value of a line, and no column without one', () => {
    const event = sampleEvent({
      app: SAMPLE_APP,
      customData: { note: 'x' },
      consent: {
        ad_user_data: 'granted',
        ad_personalization: 'granted',
        ad_storage: 'granted',
        analytics: 'granted',
      },
    });
    const line = JSON.parse(requestOf([event]).body) as Readonly<Record<string, unknown>>;
    expect(Object.keys(line)).toEqual(COLUMNS.map(({ name }) => name));
    for (const { name, type } of COLUMNS) {
      expect(sql).toContain(`\`${name}\` ${type}`);
      expect(fits(line[name], type), `${name} ${type}`).toBe(true);
    }
  });

  it('refuses a value of another type', () => {
    expect([fits('x', 'bigint'), fits({ a: 'x' }, 'struct<b:string>'), fits([1], 'array<string>')]).toEqual([
      false,
      false,
      false,
    ]);
  });

  /** Whether a column of this type can hold the value. */
  function fits(value: unknown, type: string): boolean {
    const list = /^array<(.*)>$/.exec(type)?.[1];
    if (list !== undefined) return Array.isArray(value) && value.every((one) => fits(one, list));
    const fields = /^struct<(.*)>$/.exec(type)?.[1];
    if (fields === undefined)
      return type === 'string' ? typeof value === 'string' : typeof value === 'number';
    const types = new Map(fieldsOf(fields));
    return Object.entries(value as object).every(([name, one]) => {
      const of = types.get(name);
      return of !== undefined && fits(one, of);
    });
  }

  /** `a:string,b:array<struct<c:string>>`, at its outermost commas. */
  function fieldsOf(text: string): readonly (readonly [string, string])[] {
    let depth = 0;
    const parts = [''];
    for (const char of text) {
      if (char === '<' || char === '(') depth += 1;
      if (char === '>' || char === ')') depth -= 1;
      if (char === ',' && depth === 0) parts.push('');
      else parts.push(`${parts.pop()}${char}`);
    }
    return parts.map(
      (part) => [part.slice(0, part.indexOf(':')), part.slice(part.indexOf(':') + 1)] as const,
    );
  }
});

describe('an answer', () => {
  const xml = (code: string, more = '') =>
    `<?xml version="1.0"?>\n<Error><Code>${code}</Code><Message>m</Message>${more}</Error>`;
  const read = (status: number, body: string, headers = {}) => {
    const result: HttpResult = { kind: 'response', status, headers, body };
    return platform.readResponse(result, [sampleEvent()])[0];
  };

  it.each<[number, string, object, string]>([
    [200, '', { etag: '"x"' }, 'delivered'],
    [200, '', {}, 'retry'],
    [200, '<html>', { etag: '"x"' }, 'retry'],
    [412, xml('PreconditionFailed'), {}, 'duplicate'],
    [412, '', {}, 'retry'],
    [412, '<html>', {}, 'retry'],
    [404, xml('NoSuchBucket'), {}, 'auth'],
    [404, '<html><Error><Code>NoSuchBucket</Code></html>', {}, 'retry'],
    [404, '{"Code":"NoSuchBucket"}', {}, 'retry'],
    [403, xml('AccessDenied'), {}, 'auth'],
    [503, xml('SlowDown'), {}, 'rate_limited'],
    [503, xml('ServiceUnavailable'), {}, 'retry'],
    [307, xml('TemporaryRedirect'), {}, 'retry'],
    [301, '', {}, 'retry'],
  ])('%i %s %j is %s', (status, body, headers, kind) => {
    expect(read(status, body, headers)?.kind).toBe(kind);
  });

  it.each<[number, string, object]>([
    [301, xml('PermanentRedirect'), { 'x-amz-bucket-region': 'eu-west-1' }],
    [301, xml('PermanentRedirect', '<Endpoint>shop.s3.eu-west-1.amazonaws.com</Endpoint>'), {}],
    [301, xml('PermanentRedirect', '<Endpoint>shop.s3-eu-west-1.amazonaws.com</Endpoint>'), {}],
    [400, xml('AuthorizationHeaderMalformed', '<Region>eu-west-1</Region>'), {}],
  ])('%i %s %j names the right region', (status, body, headers) => {
    expect(read(status, body, headers)).toMatchObject({
      kind: 'auth',
      message: 'The bucket is in another region, eu-west-1: change the region of the connection.',
    });
  });
});
