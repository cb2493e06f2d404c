// Frozen: stored bytes are read with it. Never change it: take the next number and keep this file.
import type { PackFormat } from '#lib/core/packing/packed-json.ts';

/** Personal parts, before they are encrypted. Numbered apart from what lies in the clear. */
export const PERSONAL_FORMAT_1: PackFormat = {
  format: 1,
  dictionary: Buffer.from(
    [
      '"subscriptionId":"fbLoginId":"leadId":"anonId":"ctwaClid":"madid":"region":"externalId":"lastName":"firstName":"email":"phone":"+1@gmail.com',
      '"gbraid":"wbraid":"ttp":"sc_click_id":"sc_cookie1":"epik":"li_fat_id":"rdt_cid":"rdt_uuid":"twclid":"msclkid":"kx":"gclid":"ttclid":"search_string":',
      '?utm_source=facebook&utm_medium=cpc&utm_campaign=google?gclid=&fbclid=IwAR/checkout/thank-you?order=/products/collections/cart',
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.4 Safari/605.1.15',
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
      'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36',
      // A whole purchase, in the order a part is written: its matches span the values they surround.
      '{"eventSourceUrl":"https://www.","referrerUrl":"https://","customData":{"":"","raw":{"clientIp":"","userAgent":"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36","browserIds":{"fbp":"fb.1.17","fbc":"fb.1.17.IwA","ga_client_id":".17"}},"plaintext":{"city":"","region":"CA","postalCode":"","country":"US","externalId":""},"h":":.....:::..:..;::.;.:;|:|c|f,ca,us"}',
    ].join(''),
  ),
};
