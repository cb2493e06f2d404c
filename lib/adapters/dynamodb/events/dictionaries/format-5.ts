// Frozen: stored bytes are read with it. Never change it: take the next number and keep this file.
import type { PackFormat } from '#lib/core/packing/packed-json.ts';

/** Counters of a slot. */
export const FORMAT_5: PackFormat = {
  format: 5,
  dictionary: Buffer.from(
    [
      '"replays":{"unlinked":"repeatedOrders":"hash_of_empty":1"double_hashed":1"not_an_email":1"not_a_phone":1"literal_null":1"malformed":1',
      '"unknown_country":1"unknown_state":1"browser_copy_differs":1"order_id:repeated_order":1"*:unknown_property":1"zip_plus_four":1',
      'ViewCategory":"RemoveFromCart":"ViewCart":"AddToWishlist":"Search":"CompleteRegistration":"Lead":"Custom":',
      'PageView":{"ViewContent":{"AddToCart":{"InitiateCheckout":{"AddPaymentInfo":{',
      'consent_denied":rule_excluded:unmapped:invalid:server_copy":"bot":"too_old":"window_closed":"QUEUED":"SENDING":"RETRY":"FAILED":"ERROR":"SKIPPED":',
      '"amazon":{"klaviyo":{"microsoft":{"x":{"reddit":{"linkedin":{"pinterest":{"snapchat":{"google_ads":{"Purchase":{"not_connected":',
      '"credits":{"direct":{"orders":,"unlinked":0,"revenue":{"EUR":{"orders":,"minor":""}}},"google_ads":{"orders":"meta":{"orders":"tiktok":{"orders":',
      '"phone:phone_without_country_code":[[17"email:already_hashed":[[17',
      '"examples":{"missing:email":[[17,""],[17,""],[17,""]],"missing:phone":[[17"missing:external_id":[[17"missing:client_ip":[[17"missing:user_agent":[[17"missing:fbp":[[17"missing:fbc":[[17"missing:first_name":[[17"missing:last_name":[[17"missing:postal_code":[[17',
      // The counters of a minute of purchases, in the order in which they are written.
      '{"events":1,"bots":0,"merged":0,"bySource":{"server":1,"browser":1},"byName":{"Purchase":1,"PageView":1},"deliveries":{"meta":{"Purchase":{"DELIVERED":1}},"ga4":{"Purchase":{"DELIVERED":1}},"tiktok":{"Purchase":{"DELIVERED":1}}},"latency":{"count":1,"sumMs":1},"revenue":{"USD":{"orders":1,"minor":"1"}},"issues":{},"completeness":{"email":1,"phone":1,"first_name":1,"last_name":1,"city":1,"state":1,"postal_code":1,"country":1,"date_of_birth":1,"gender":1,"external_id":1,"client_ip":1,"user_agent":1,"fbp":1,"fbc":1}}',
    ].join(''),
  ),
};
