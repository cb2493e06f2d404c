// Consent as the merchant or the browser stated it. Absent is not denied: what absence means is per platform.

export const CONSENT_SIGNALS = ['ad_user_data', 'ad_personalization', 'ad_storage', 'analytics'] as const;
export type ConsentSignal = (typeof CONSENT_SIGNALS)[number];
export type ConsentState = 'granted' | 'denied';
export type Consent = { readonly [S in ConsentSignal]?: ConsentState };
