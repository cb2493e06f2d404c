// Frozen: stored bytes are read with it. Never change it: take the next number and keep this file.
import type { PackFormat } from '#lib/core/packing/packed-json.ts';

/** The content of a batch's items: a manifest, or the outcomes of its rows at one platform. */
export const FORMAT_4: PackFormat = {
  format: 4,
  dictionary: Buffer.from(
    [
      '"unknown_property":"phone_without_country_code":"zip_plus_four":"unknown_state":"unknown_country":"order_id:repeated_order":1',
      'PageView","ViewContent","AddToCart","InitiateCheckout","AddPaymentInfo","Lead","Search","CompleteRegistration","Custom","EUR":{"GBP":{"',
      'consent_denied":rule_excluded:unmapped:invalid:server_copy":not_connected":window_closed;rconnection_paused;rcircuit_open;rout_of_time;rtimeout;',
      ',timeout;,rate_limited;,429;,500;,503;,400,E0;F1;R1;S0u1;;rduplicate',
      [
        'google_ads',
        'snapchat',
        'pinterest',
        'linkedin',
        'reddit',
        'x',
        'microsoft',
        'amazon',
        'klaviyo',
      ].join('","'),
      ',"completeness":{"email":"phone":"firstName":"lastName":"city":"state":"zip":"country":"externalIds":"clientIp":"userAgent":"fbp":"fbc":',
      // A batch of purchases that were all taken, and its manifest.
      '[["fffffffffffffffffffffffff","D1;1523;;1400,123,d,100,200"]]',
      '{"v":1,"k":[["s","Purchase",["meta","ga4","tiktok"]]],"r":[["order-1",0],["order-2",0],["order-1",0,""]],"c":{"events":100,"bots":0,"merged":0,"bySource":{"server":100},"byName":{"Purchase":100},"deliveries":{},"latency":{"count":0,"sumMs":0},"revenue":{"USD":{"orders":100,"minor":""}},"issues":{},"completeness":{}}}',
    ].join(''),
  ),
};
