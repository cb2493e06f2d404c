// What may be done, from the merchant's banner and the browser's own signals. The browser's refusal wins.
import type { Consent } from '../../../lib/domain/consent.ts';
import { settings } from './page.ts';
import { CONSENT, store } from './store.ts';

const denied = 'denied';
const browser = navigator as Navigator & { globalPrivacyControl?: boolean };

/** Nothing may leave the page, or be written, before the banner has spoken. */
export const waiting = () => settings.consent === 'required' && !store[CONSENT];

export const consent = (): Consent => ({
  ...JSON.parse((store[CONSENT] as string) || '{}'),
  ...((browser.globalPrivacyControl || browser.doNotTrack === '1') && {
    ad_user_data: denied,
    ad_personalization: denied,
    ad_storage: denied,
  }),
});

/** Identifiers may be neither read, made nor kept. */
export const isDenied = (signal: 'ad_storage' | 'analytics') => consent()[signal] === denied;

/** Neither measurement nor advertising: nothing is stored but this choice, and nothing is sent. */
export const allDenied = () => isDenied('ad_storage') && isDenied('analytics');
