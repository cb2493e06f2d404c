import { describe, expect, it } from 'vitest';
import { createAddressRule } from '#lib/adapters/http/address-guard.ts';
import { REFUSED_WEBHOOK_URLS, WEBHOOK_URLS } from '#test/support/vectors/webhook-urls.ts';
import { webhookUrl } from './url.ts';

const { refused } = createAddressRule({ highPorts: true });

describe('a webhook may be at', () => {
  it.each(WEBHOOK_URLS)('%j', (text) => {
    expect(webhookUrl(text, refused)).toEqual({ url: new URL(text).href });
  });
});

describe('a webhook may not be at', () => {
  it(`any of ${REFUSED_WEBHOOK_URLS.length} URLs, 120 at least, all different`, () => {
    expect(new Set(REFUSED_WEBHOOK_URLS).size).toBe(REFUSED_WEBHOOK_URLS.length);
    expect(REFUSED_WEBHOOK_URLS.length).toBeGreaterThanOrEqual(120);
  });
  it.each(REFUSED_WEBHOOK_URLS)('%j', (text) => {
    expect(webhookUrl(text, refused)).toEqual({ problem: expect.stringMatching(/^[a-z]/) });
  });
});

describe('for development', () => {
  const local = createAddressRule({ highPorts: true, allowedCidrs: '127.0.0.0/8, ::1/128' });

  it.each([
    'http://127.0.0.1:3000/hook',
    'http://127.9.9.9/',
    'https://127.0.0.1:1/',
    'http://[::1]:80/',
    'http://0x7f.1:3000/',
  ])('%s may be called where its network is allowed', (text) => {
    expect(webhookUrl(text, local.refused)).toEqual({ url: new URL(text).href });
    expect(webhookUrl(text, refused)).toHaveProperty('problem');
  });
  it.each([
    'http://example.com/',
    'http://8.8.8.8/',
    'http://localhost:3000/',
    'http://10.0.0.1/',
    'https://169.254.169.254/',
    'http://[::ffff:127.0.0.1]/',
    'http://user@127.0.0.1/',
    'http://127.0.0.1/#a',
    'ftp://127.0.0.1/',
  ])('%s may still not be called', (text) => {
    expect(webhookUrl(text, local.refused)).toHaveProperty('problem');
  });
  it.each(['localhost', '127.0.0.1', '127.0.0.0/33', '10/8', '::1/129', 'x'])(
    'refuses %s as a network',
    (cidrs) => {
      expect(() => createAddressRule({ allowedCidrs: cidrs })).toThrow(TypeError);
    },
  );
  it('takes an empty list for none', () => {
    expect(
      webhookUrl('http://127.0.0.1/', createAddressRule({ allowedCidrs: ' , ' }).refused),
    ).toHaveProperty('problem');
  });
});
