// What the browser itself says about consent: Global Privacy Control and Do Not Track deny everything about ads.
import type { Consent } from '../../../lib/domain/consent.ts';

const denied = 'denied';
const browser = navigator as Navigator & { globalPrivacyControl?: boolean };

/** The consent attached to events: the banner's choice, overruled by the browser's own signal. */
export const withBrowserSignal = (choice: Consent | undefined): Consent => ({
  ...choice,
  ...((browser.globalPrivacyControl || browser.doNotTrack === '1') && {
    ad_user_data: denied,
    ad_personalization: denied,
    ad_storage: denied,
  }),
});
