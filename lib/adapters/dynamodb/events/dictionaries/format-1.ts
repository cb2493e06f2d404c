// Frozen: stored bytes are read with it. Never change it: take the next number and keep this file.
import type { PackFormat } from '#lib/core/packing/packed-json.ts';

/** Bodies as they were sent, and counters of a slot. */
export const FORMAT_1: PackFormat = {
  format: 1,
  dictionary: Buffer.from(
    [
      '"subscriptionId":"fbLoginId":"leadId":"anonId":"ctwaClid":"madid":"ctwa_clid":"fb_login_id":"anon_id":"lead_id":',
      '"gbraid":"wbraid":"ttp":"sc_click_id":"sc_cookie1":"epik":"li_fat_id":"rdt_cid":"rdt_uuid":"twclid":"msclkid":"kx":',
      '"consent":{"ad_user_data":"granted","ad_personalization":"granted","ad_storage":"denied","analytics":"denied"}',
      '"customName":"replay":true,"onlyPlatforms":["bot":true,"unknown_properties":"custom_data":{"customData":{',
      'physical_store","system_generated","phone_call","business_messaging","app","email","other","issues":[{"field":"code":"already_hashed"}',
      '"code":"phone_without_country_code"},"zip_plus_four"},"unknown_state"},"unknown_country"},"unknown_property"}',
      'PageView","ViewContent","AddToCart","InitiateCheckout","AddPaymentInfo","Purchase","Lead","Search","CompleteRegistration","Custom"',
      '"user_data":{"email":"phone":"+1gender":"date_of_birth":"first_name":"last_name":"city":"state":"zip":"postal_code":"country":"us","customer_id":"external_ids":["client_ip":"ip":"user_agent":"browser_ids":{"fbp":"fb.1.17"fbc":"fb.1.17',
      '@gmail.com","gclid":"ttclid":"ga_client_id":"ga_session_id":"https://www..com/',
      '"event_id":"event_name":"event_time":17"merchant_id":"source":"server","browser","action_source":"website","event_source_url":"https://referrer_url":"order_id":"value":"currency":"USD","EUR","GBP","items":[{"id":"sku-","quantity":1,"price":',
      'google_ads,snapchat,pinterest,linkedin,reddit,x,microsoft,amazon,klaviyo',
      '{"name":"Lead","eventTimeSec":17"source":"browser","actionSource":"app","customName":"","dedupId":"',
      '"},{"id":"","quantity":"1"}],"customData":{","issues":[{"field":"zip","code":"zip_plus_four"}],"consent":{},"raw":{"clientIp":"","userAgent":"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.4 Safari/605.1.15',
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
      'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36',
      // A whole purchase, in the order a normalized event is written: its matches span the values they surround.
      '{"name":"Purchase","eventTimeSec":17","source":"server","actionSource":"website","eventSourceUrl":"https://www.","referrerUrl":"https://","value":"","currency":"USD","orderId":"1","items":[{"id":"","quantity":"1","price":""},{"id":"","quantity":"2","price":""}],"customData":{"","consent":{"ad_user_data":"granted","ad_personalization":"granted","analytics":"granted"},"raw":{"clientIp":"","userAgent":"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36","browserIds":{"fbp":"fb.1.17","fbc":"fb.1.17.IwA","ga_client_id":".17"}},"issues":[],"v":"meta,ga4,tiktok","h":":.....:::..:..;::.;.:;|:|c|f,ca,us"}',
    ].join(''),
  ),
};
