import { describe, expect, it } from 'vitest';
import { maskText, REDACTED, REDACTED_NAMES, redactFields } from './redaction.ts';

const CANARY = 'canary-7f3a';

describe('redactFields', () => {
  it.each([...REDACTED_NAMES])('hides %s at every depth', (name) => {
    const text = JSON.stringify(
      redactFields({ [name]: CANARY, a: { [name]: { b: CANARY } }, list: [{ [name]: [CANARY] }] }),
    );
    expect(text).not.toContain(CANARY);
    expect(text.split(REDACTED)).toHaveLength(4);
  });

  it.each(['client_ip', 'clientIp', 'Client-IP', 'CLIENT_IP'])('knows the spelling %s', (name) => {
    expect(redactFields({ [name]: '203.0.113.9' })).toEqual({ [name]: REDACTED });
  });

  it('keeps figures, ids and words', () => {
    const fields = {
      merchant: 'm1',
      event_id: 'order-1',
      count: 3,
      ok: true,
      rate: 0.5,
      none: null,
      gone: undefined,
    };
    expect(redactFields(fields)).toEqual(fields);
  });

  it('says that a hidden name was empty', () => {
    expect(redactFields({ email: null, phone: undefined })).toEqual({ email: null, phone: undefined });
  });

  it('describes an error by type, masked message, code, status, frames and cause', () => {
    const cause = Object.assign(new TypeError('no jo@example.com'), {
      code: 'ECONNRESET',
      config: { secretWord: CANARY },
    });
    const error = Object.assign(new Error('sent to ann@example.com'), { statusCode: 503, cause });
    const described = redactFields({ err: error }).err as Record<string, unknown>;
    expect(described).toMatchObject({
      type: 'Error',
      message: 'sent to [email]',
      status: 503,
      cause: { type: 'TypeError', message: 'no [email]', code: 'ECONNRESET' },
    });
    expect((described.at as string[])[0]).toContain('redaction.test.ts');
    expect(JSON.stringify(described)).not.toMatch(/example\.com|canary/);
  });

  it('is total: cycles, depth, bytes, big integers, maps, sets, functions, symbols, bad dates', () => {
    const cyclic: Record<string, unknown> = { size: 1n, when: new Date(Number.NaN), at: new Date(0) };
    cyclic.self = cyclic;
    const failing = new Error('loop');
    failing.cause = failing;
    let deep: unknown = 1;
    for (let i = 0; i < 1_000; i++) deep = { deep };
    const out = redactFields({
      cyclic,
      failing,
      deep,
      bytes: new Uint8Array(3),
      map: new Map([['email', CANARY]]),
      set: new Set(['a@b.example']),
      call: () => 1,
      symbol: Symbol('s'),
      many: Array.from({ length: 60 }, (_, i) => i),
    });
    const text = JSON.stringify(out);
    expect(text).not.toContain(CANARY);
    expect(text).not.toContain('a@b.example');
    expect(out).toMatchObject({
      cyclic: { size: '1', when: '[invalid date]', at: '1970-01-01T00:00:00.000Z', self: '[circular]' },
      failing: { cause: '[circular]' },
      bytes: '[3 bytes]',
      call: '[function]',
      symbol: '[symbol]',
    });
    expect(out.many).toHaveLength(51);
    expect(text).toContain('[deep]');
  });

  it('shows the same object twice when it is not its own ancestor', () => {
    const shared = { n: 1 };
    expect(redactFields({ a: shared, b: shared })).toEqual({ a: { n: 1 }, b: { n: 1 } });
  });
});

describe('maskText', () => {
  it.each([
    ['an address', 'to ann.lee+x@shop.example.com now', 'to [email] now'],
    ['an address in a query', 'GET /x?em=ann%40shop.example&b=1', 'GET /x?em=[email]&b=1'],
    ['an international address', 'to jürgen@müller.example', 'to [email]'],
    ['an invitation', `token evi_${'a1-_'.repeat(12)}.${'B2'.repeat(20)}`, 'token [invitation]'],
    ['an API key', `key evk_live_${'a1B2'.repeat(12)}c`, 'key [api-key]'],
    ['one of the helpdesk', `key hdk_test_${'a1B2'.repeat(12)}c`, 'key [api-key]'],
    ['a JWT', 'got eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln', 'got [jwt]'],
    ['a bearer header', 'Authorization: Bearer abc.def-ghi', 'Authorization: Bearer [secret]'],
    [
      'a token in a URL',
      'https://graph.example/v1/events?access_token=EAAB12&x=1',
      'https://graph.example/v1/events?access_token=[secret]&x=1',
    ],
    ['a secret in JSON', '{"api_secret":"s3cr3t","n":1}', '{"api_secret":"[secret]","n":1}'],
  ])('masks %s', (_name, text, expected) => {
    expect(maskText(text)).toBe(expected);
  });

  it('leaves ordinary text alone', () => {
    const text = 'delivered 9 of 10 to meta, event order-1@2 retry in 10 s';
    expect(maskText(text)).toBe(text);
  });

  it('cuts long text', () => {
    expect(maskText('x'.repeat(5_000))).toHaveLength(2_001);
  });
});
