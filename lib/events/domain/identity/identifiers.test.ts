import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { NO_LOOKUPS as lookups } from '#test/support/no-lookups.ts';
import { BROWSER_ID_KEYS } from './identity.ts';
import { normalizeIdentity } from './normalize.ts';

const sha = (text: string) => hash('sha256', text);

describe('external ids', () => {
  it('merges customer_id and external_ids, in order, each once, in both spellings', () => {
    const external_ids = ['cust_1', 'CUST_2', 'Cust_1', 'cust_2'];
    const userData = { customer_id: ' Cust_1 ', external_ids };
    const { hashed, plain, issues } = normalizeIdentity(userData, lookups);
    expect(hashed.externalIds).toEqual([sha('cust_1'), sha('cust_2')]);
    expect(hashed.externalIdsCased).toEqual([sha('Cust_1'), sha('cust_1'), sha('CUST_2'), sha('cust_2')]);
    expect(plain.externalId).toBe('Cust_1');
    expect(issues).toEqual([]);
  });

  it('drops what names nobody, with one issue per field and kind', () => {
    const digests = [sha(''), hash('md5', ''), hash('sha1', 'null')];
    const external_ids = ['', ' ', 'null', 'undefined', ...digests, 'id'];
    const { hashed, plain, issues } = normalizeIdentity({ customer_id: '0', external_ids }, lookups);
    expect(hashed.externalIds).toEqual([sha('id')]);
    expect(hashed.externalIdsCased).toEqual([sha('id')]);
    expect(plain.externalId).toBe('id');
    expect(issues).toEqual([
      { field: 'customer_id', code: 'literal_null' },
      { field: 'external_ids', code: 'empty' },
      { field: 'external_ids', code: 'literal_null' },
      { field: 'external_ids', code: 'hash_of_empty' },
    ]);
  });

  it('uses a SHA-256 as it is, does not keep it as plain, and takes an MD5 for an opaque id', () => {
    const md5 = hash('md5', 'x').toUpperCase();
    const { hashed, plain } = normalizeIdentity({ external_ids: [sha('x').toUpperCase(), md5] }, lookups);
    expect(hashed.externalIds).toEqual([sha('x'), sha(md5.toLowerCase())]);
    expect(hashed.externalIdsCased).toEqual([sha('x'), sha(md5)]);
    expect(plain.externalId).toBe(md5);
  });

  it('is absent when nothing is left', () => {
    expect(normalizeIdentity({ external_ids: [] }, lookups).hashed).toEqual({});
    expect(normalizeIdentity({ external_ids: ['NaN'] }, lookups).hashed).toEqual({});
  });
});

describe('raw identifiers', () => {
  it('are trimmed and otherwise as sent', () => {
    const device = { client_ip: ' 203.0.113.7 ', ip: '198.51.100.1', user_agent: ' Mozilla/5.0 (X11)  Ünï ' };
    const meta = { fb_login_id: '1', subscription_id: 'S 1', lead_id: '2', anon_id: 'A', ctwa_clid: 'C' };
    const { raw, hashed, plain, issues } = normalizeIdentity({ ...device, ...meta }, lookups);
    const trimmed = { clientIp: '203.0.113.7', userAgent: 'Mozilla/5.0 (X11)  Ünï' };
    const asSent = { fbLoginId: '1', subscriptionId: 'S 1', leadId: '2', anonId: 'A', ctwaClid: 'C' };
    expect(raw).toEqual({ ...trimmed, ...asSent });
    expect([hashed, plain, issues]).toEqual([{}, {}, []]);
  });

  it('takes ip where client_ip is none', () => {
    const { raw, issues } = normalizeIdentity({ client_ip: '1.2.3.4:80', ip: '2001:db8::1' }, lookups);
    expect(raw.clientIp).toBe('2001:db8::1');
    expect(issues).toEqual([{ field: 'client_ip', code: 'not_an_ip' }]);
  });

  it('lowercases the advertiser id, hashes it too, and drops the all-zero one', () => {
    const madid = '6D92078A-8246-4BA4-AE5B-76104861E7DC';
    const { raw, hashed } = normalizeIdentity({ madid }, lookups);
    expect(raw.madid).toBe(madid.toLowerCase());
    expect(hashed.madid).toBe(sha(madid.toLowerCase()));
    const zero = normalizeIdentity({ madid: '00000000-0000-0000-0000-000000000000' }, lookups);
    expect([zero.raw, zero.hashed]).toEqual([{}, {}]);
    expect(zero.issues).toEqual([{ field: 'madid', code: 'literal_null' }]);
    const digest = sha('x');
    const prehashed = normalizeIdentity({ madid: digest }, lookups);
    expect([prehashed.raw, prehashed.hashed]).toEqual([{}, { madid: digest }]);
  });

  it('keeps every browser id, case and all, and drops empty ones', () => {
    const cookies = { fbp: 'fb.1.1795000000000.7', fbc: 'fb.1.1795000000000.Value' };
    const any = Object.fromEntries(BROWSER_ID_KEYS.map((key) => [key, `Value.${key}`]));
    const ids = { ...any, ...cookies, ga_session_id: '1795175000' };
    const browser_ids = Object.fromEntries(Object.entries(ids).map(([key, id]) => [key, ` ${id} `]));
    const kept = normalizeIdentity({ browser_ids }, lookups);
    expect(kept.raw.browserIds).toEqual(ids);
    const dropped = normalizeIdentity({ browser_ids: { fbp: ' ', fbc: '', gclid: 'undefined' } }, lookups);
    expect(dropped.raw).toEqual({});
    expect(dropped.issues).toEqual([
      { field: 'browser_ids.fbp', code: 'empty' },
      { field: 'browser_ids.fbc', code: 'empty' },
      { field: 'browser_ids.gclid', code: 'literal_null' },
    ]);
  });

  const HOSTILE = ['Mozilla\r\nX-Header: 1', 'Mozilla\u0000', 'a\u007fb', '\ud800'];
  it.each(HOSTILE)('refuses the agent %j', (agent) => {
    const { raw, issues } = normalizeIdentity({ user_agent: agent }, lookups);
    expect(raw).toEqual({});
    expect(issues).toEqual([{ field: 'user_agent', code: 'malformed' }]);
  });
});
