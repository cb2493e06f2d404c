// What may be done, from the merchant's banner and the browser's own signals. The browser's refusal wins.
import type { Consent } from '../../../lib/domain/consent.ts';
import { settings } from './page.ts';
import { state } from './store.ts';

const denied = 'denied';
const ads: Consent = { ad_user_data: denied, ad_personalization: denied, ad_storage: denied };
const browser = navigator as Navigator & { globalPrivacyControl?: boolean };

/** Nothing may leave the page, or be written, before the banner has spoken. */
export const waiting = () => settings.consent === 'required' && !state.c;

/** The consent attached to events. */
export const consent = (): Consent => ({
  ...state.c,
  ...((browser.globalPrivacyControl || browser.doNotTrack === '1') && ads),
});

/** Identifiers may be neither read, made nor kept. */
export const adStorageDenied = () => consent().ad_storage === denied;

/** Neither measurement nor advertising: nothing is stored but this choice, and nothing is sent. */
export const allDenied = () => adStorageDenied() && consent().analytics === denied;
