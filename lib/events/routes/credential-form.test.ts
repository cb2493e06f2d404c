import { describe, expect, it } from 'vitest';
import { PLATFORMS } from '../platforms/registry.ts';
import { credentialFields } from './credential-form.ts';

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

  it.each(PLATFORMS.map(({ slug }) => slug))('knows the names of every map of %s', (slug) => {
    for (const { kind, names } of fieldsOf(slug).values()) expect(kind === 'map').toBe(names !== undefined);
  });
});
