// A refusal of consent is never ignored, under any name of its category and at any place in the message.
import { describe, expect, it } from 'vitest';
import { checkEvent } from '../event/check.ts';
import { segmentEvent } from './to-event.ts';

const NOW_MS = Date.UTC(2026, 10, 21, 12);

function mapped(message: object) {
  const given = { type: 'track', event: 'E', userId: 'u', messageId: 'm', ...message };
  const read = segmentEvent(given, undefined, { nowMs: NOW_MS, sentAt: undefined, uuid: () => 'uuid-1' });
  if (!('event' in read)) throw new Error(`${read.path} ${read.message}`);
  return read;
}

describe('consent', () => {
  const NO_ADS = { ad_user_data: 'denied', ad_personalization: 'denied', ad_storage: 'denied' };
  const DENIED = { ...NO_ADS, analytics: 'denied' };
  const ONLY_ANALYTICS = { ...NO_ADS, analytics: 'granted' };
  const NO_PERSONALIZATION = { ad_personalization: 'denied' };
  const of = (context: object) => {
    const { event, unknownConsent } = mapped({ context });
    expect(checkEvent(event, NOW_MS)).toMatchObject({ ok: true });
    return { consent: event.consent, unknown: unknownConsent };
  };
  const preferring = (categoryPreferences: unknown) => of({ consent: { categoryPreferences } });

  it.each([
    [{ Advertising: false }, NO_ADS],
    [{ ADVERTISING: 'denied' }, NO_ADS],
    [{ targeting: false }, NO_ADS],
    [{ marketing: false }, NO_ADS],
    [{ C0004: false }, NO_ADS],
    [{ 'Social Media': false }, NO_ADS],
    [{ c0005: 'false' }, NO_ADS],
    [{ DataSharing: false }, NO_ADS],
    [{ C0002: false }, { analytics: 'denied' }],
    [{ Performance: false, analytics_storage: true }, { analytics: 'denied' }],
    [{ statistics: true }, { analytics: 'granted' }],
    [{ ad_storage: true }, { ad_storage: 'granted' }],
    [{ ad_storage: true, advertising: false }, NO_ADS],
    [{ advertising: false, ad_storage: true }, NO_ADS],
    [{ Personalization: false, Functional: false, C0003: false, essential: false }, NO_PERSONALIZATION],
    [{ C0001: true, C0002: true, C0003: false, C0004: true, C0005: false }, ONLY_ANALYTICS],
    [{ advertising: null, analytics: '' }, undefined],
    [{}, undefined],
    [null, undefined],
  ])('%j is of the categories that are known', (preferences, consent) => {
    expect(preferring(preferences)).toEqual({ consent, unknown: undefined });
  });

  it.each([
    [{ C0007: false }, ['C0007']],
    [{ partners: false, advertising: true, analytics: true }, ['partners']],
    [{ partners: 'no' }, ['partners']],
    [{ partners: 0, others: { allowed: true } }, ['partners', 'others']],
    [{ 'jane@example.com': false, toString: false }, ['*', 'toString']],
    [['C0004'], ['categoryPreferences']],
    [false, ['categoryPreferences']],
  ])('%j is refused, of what is not known, and denies everything by name', (preferences, unknown) => {
    expect(preferring(preferences)).toEqual({ consent: DENIED, unknown });
  });

  it('that is allowed, of what is not known, grants nothing', () => {
    const nothing = { consent: undefined, unknown: undefined };
    expect(preferring({ partners: true, C0099: 'granted' })).toEqual(nothing);
  });

  it('names no more of what is not known than an event has room for', () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`c${i}`, false]));
    expect(preferring(many).unknown).toEqual([...Array.from({ length: 10 }, (_, i) => `c${i}`), '*']);
  });

  it('in a word that is neither yes nor no is refused with the name its sender gave it', () => {
    const consent = { categoryPreferences: { Analytics: 'maybe' } };
    const { event, cameFrom } = mapped({ context: { consent } });
    expect(checkEvent(event, NOW_MS)).toMatchObject({ ok: false, details: [{ path: 'consent.analytics' }] });
    expect(cameFrom.get('consent.analytics')).toBe('context.consent.categoryPreferences.Analytics');
  });

  it.each([
    [{ deniedConsentIds: ['C0004'], allowedConsentIds: ['C0002'] }, ONLY_ANALYTICS, undefined],
    [{ deniedConsentIds: ['7'] }, DENIED, ['*']],
    [{ deniedConsentIds: { marketing: 'x' } }, NO_ADS, undefined],
    [{ deniedConsentIds: [], allowedConsentIds: ['7'] }, undefined, undefined],
  ])('as RudderStack sends it, %j', (consentManagement, consent, unknown) => {
    expect(of({ consentManagement })).toEqual({ consent, unknown });
  });

  it.each([
    [{ adTrackingEnabled: false }, NO_ADS],
    [{ adTrackingEnabled: true }, undefined],
    [{}, undefined],
  ])('of a device %j', (device, consent) => {
    expect(of({ device })).toEqual({ consent, unknown: undefined });
  });

  /** A core string of version 2 with these purposes consented to, and these of legitimate interest. */
  const tc = (consents: readonly number[], interests: readonly number[] = []): string => {
    const bits = Array.from({ length: 216 }, () => 0);
    bits[4] = 1;
    for (const purpose of consents) bits[151 + purpose] = 1;
    for (const purpose of interests) bits[175 + purpose] = 1;
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const sextet = (i: number) => Number.parseInt(bits.slice(i * 6, i * 6 + 6).join(''), 2);
    return Array.from({ length: 36 }, (_, i) => letters[sextet(i)]).join('');
  };
  const EVERY = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
  const SPECIFIED = 'COvFyGBOvFyGBAbAAAENAPCAAOAAAAAAAAAAAEEUACCKAAA';
  const VENDORS =
    'IFoEUQQgAIQwgIwQABAEAAAAOIAACAIAAAAQAIAgEAACEAAAAAgAQBAAAAAAAGBAAgAAAAAAAFAAECAAAgAAQARAEQAAAAAJAAIAAgAAAYQEAAAQmAgBC3ZAYzUw';
  const NO_PROFILES = { ad_user_data: 'denied', ad_personalization: 'denied', analytics: 'denied' };
  const NO_STORAGE = { ad_user_data: 'denied', ad_storage: 'denied', analytics: 'denied' };
  it.each([
    ['everything', tc(EVERY), undefined, undefined],
    ['a string of the specification, which allows the purposes 1 to 3', SPECIFIED, NO_PROFILES, undefined],
    ['with segments of vendors', `${tc(EVERY)}.${VENDORS}`, undefined, undefined],
    ['nothing', tc([]), DENIED, undefined],
    ['storage and measuring by interest', tc([1], [7, 8]), NO_PERSONALIZATION, undefined],
    ['all but storage', tc(EVERY.slice(1)), NO_STORAGE, undefined],
    ['all but a profile for ads', tc([1, 2, 4, 7, 8]), NO_PERSONALIZATION, undefined],
    ['that is none', 'garbage', DENIED, ['tcString']],
    ['of version 1', tc(EVERY).replace(/^C/, 'B'), DENIED, ['tcString']],
    ['that is no text', 5, DENIED, ['tcString']],
  ])('of the string of IAB, %s', (_name, tcString, consent, unknown) => {
    expect(of({ consent: { tcString } })).toEqual({ consent, unknown });
  });
});
