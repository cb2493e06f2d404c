import { describe, expect, it } from 'vitest';
import { PLATFORMS } from '../../platforms/registry.ts';
import { credentialFields, isSameDestination } from './credential-form.ts';

const fieldsOf = (slug: string) => {
  const platform = PLATFORMS.find((one) => one.slug === slug);
  if (platform === undefined) throw new Error(`no ${slug}`);
  return new Map(credentialFields(platform).map((field) => [field.name, field]));
};

describe('credentialFields', () => {
  it('says what is entered, so that a form needs to know no platform', () => {
    expect(fieldsOf('meta').get('access_token')).toMatchObject({
      kind: 'text',
      secret: true,
      required: true,
    });
    expect(fieldsOf('google_ads').get('send_ip_address')).toMatchObject({ kind: 'flag', required: false });
    expect(fieldsOf('amazon').get('region')).toMatchObject({ kind: 'choice', options: ['NA', 'EU', 'FE'] });
    const ids = fieldsOf('x').get('event_ids');
    expect(ids?.kind).toBe('map');
    expect(ids?.names).toContain('Purchase');
    expect(ids?.options).toBeUndefined();
    expect(fieldsOf('snapchat').get('event_names')?.options).toContain('SIGN_UP');
  });

  it.each(PLATFORMS)('knows what names the destination of $slug: shown, and never left out', (platform) => {
    const named = credentialFields(platform).filter(({ destination }) => destination);
    // Networks without accounts need none.
    for (const field of named)
      expect(field).toMatchObject({
        secret: false,
        required: field.name !== 'account_id' || platform.slug !== 'postback',
      });
    expect(named.length > 0).toBe(platform.slug !== 'klaviyo');
  });

  it('tells a new token from another destination', () => {
    const same = (slug: string, a: Record<string, unknown>, b: Record<string, unknown>): boolean => {
      const platform = PLATFORMS.find((one) => one.slug === slug);
      if (platform === undefined) throw new Error(`no ${slug}`);
      return isSameDestination(platform, a, b);
    };
    const pixel = { pixel_id: '12345', access_token: 'first-token' };
    expect(same('meta', pixel, { ...pixel, access_token: 'second-token', test_event_code: 'T' })).toBe(true);
    expect(same('meta', pixel, { ...pixel, pixel_id: '54321' })).toBe(false);
    const rules = { event_ids: { Purchase: '1', Lead: '2' }, access_token: 'a' };
    expect(same('linkedin', rules, { event_ids: { Purchase: '1' }, access_token: 'b' })).toBe(true);
    expect(same('linkedin', rules, { event_ids: { Purchase: '9' }, access_token: 'a' })).toBe(false);
    expect(same('klaviyo', { private_api_key: 'a' }, { private_api_key: 'b' })).toBe(false);
  });

  it.each(PLATFORMS.map(({ slug }) => slug))('knows the names of every map of %s', (slug) => {
    for (const { kind, names } of fieldsOf(slug).values()) expect(kind === 'map').toBe(names !== undefined);
  });
});
