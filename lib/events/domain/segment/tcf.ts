// The consent string of IAB Europe's Transparency and Consent Framework, version 2, as far as our signals go by it: the
// purposes a person consented to, not the vendors. Facts: https://github.com/InteractiveAdvertisingBureau/GDPR-Transparency-and-Consent-Framework
// (TCFv2, "Consent string and vendor list formats v2"), and for which purpose stands for which signal
// https://support.google.com/google-ads/answer/13697096. Read 2026-11-23.
// Guarantees: it only denies. A string that cannot be read is none, and its caller denies everything.
import type { ConsentSignal } from '../event/consent.ts';

const VERSION = 2;
const VERSION_BITS = 6;
/** Where the 24 bits of the purposes begin: consented to, and where legitimate interest was disclosed and not objected to. */
const CONSENT_FROM = 152;
const INTEREST_FROM = 176;
const CORE_BITS = 213;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

const STORAGE = 1;
const PERSONAL_ADS = [3, 4];
const ADS_MEASURED = 7;
const CONTENT_MEASURED = 8;

/** The signals it denies, null where it is no string of version 2. */
export function tcfConsent(text: string): readonly ConsentSignal[] | null {
  const [core = ''] = text.trim().split('.', 1);
  if (core.length * 6 < CORE_BITS || [...core].some((letter) => !ALPHABET.includes(letter))) return null;
  const bit = (at: number): boolean =>
    ((ALPHABET.indexOf(core.charAt(Math.floor(at / 6))) >> (5 - (at % 6))) & 1) === 1;
  const version = Array.from({ length: VERSION_BITS }, (_, at) => bit(at)).reduce(
    (n, is) => n * 2 + (is ? 1 : 0),
    0,
  );
  if (version !== VERSION) return null;
  const consents = (purpose: number): boolean => bit(CONSENT_FROM + purpose - 1);
  const mayMeasure = (purpose: number): boolean => consents(purpose) || bit(INTEREST_FROM + purpose - 1);
  const allowed: Readonly<Record<ConsentSignal, boolean>> = {
    ad_storage: consents(STORAGE),
    ad_user_data: consents(STORAGE) && mayMeasure(ADS_MEASURED),
    ad_personalization: PERSONAL_ADS.every(consents),
    analytics: consents(STORAGE) && mayMeasure(CONTENT_MEASURED),
  };
  return (Object.keys(allowed) as ConsentSignal[]).filter((signal) => !allowed[signal]);
}
