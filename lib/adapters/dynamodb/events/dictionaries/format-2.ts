// Frozen: stored bytes are read with it. Never change it: take the next number and keep this file.
import type { PackFormat } from '#lib/core/packing/packed-json.ts';

/** What of a normalized event lies in the clear, in the order it is written. */
export const FORMAT_2: PackFormat = {
  format: 2,
  dictionary: Buffer.from(
    [
      '"customName":"replay":true,"onlyPlatforms":["bot":true,"dedupId":"',
      'physical_store","system_generated","phone_call","business_messaging","app","email","chat","other","source":"browser","ad_storage":"denied"',
      '"issues":[{"field":"code":"already_hashed"},"phone_without_country_code"},"zip_plus_four"},"unknown_state"},"unknown_country"},"unknown_property"}',
      'PageView","ViewContent","AddToCart","InitiateCheckout","AddPaymentInfo","Lead","Search","CompleteRegistration","Custom","EUR","GBP',
      '=unmapped%3ALead=consent_denied%3Aad_user_data=rule_excluded%3A=invalid%3A',
      'google_ads,snapchat,pinterest,linkedin,reddit,x,microsoft,amazon,klaviyo',
      // A whole purchase: its matches span the values they surround.
      '{"name":"Purchase","eventTimeSec":17","source":"server","actionSource":"website","value":"","currency":"USD","orderId":"1","items":[{"id":"","quantity":"1","price":""},{"id":"","quantity":"2","price":""}],"consent":{"ad_user_data":"granted","ad_personalization":"granted","analytics":"granted"},"issues":[],"v":"meta,ga4,tiktok","k":"7fff"}',
    ].join(''),
  ),
};
