// Written by hand from README.md: the contract is our own, and the specification of Standard Webhooks. Only tests load it; what each
// part means is said where its type is.
import type { PlatformExpectations } from '../platform-expectations.ts';

export const expected: PlatformExpectations = {
  eventNames: { otherwise: '{event_name}', Custom: '{name}' },
  ownNames: { at: 'type', list: ['page_view', 'add_to_cart', 'purchase', 'refund'] },
  consent: [
    ['ad_user_data=denied', 'withheld'],
    ['ad_user_data=granted', '+ data.consent.ad_user_data: "granted"'],
    ['ad_personalization=granted', '+ data.consent.ad_personalization: "granted"'],
    ['ad_personalization=denied', '+ data.consent.ad_personalization: "denied"'],
    ['ad_storage=granted', '+ data.consent.ad_storage: "granted"'],
    ['ad_storage=denied', '+ data.consent.ad_storage: "denied"'],
    ['ad_storage=denied', '- data.user.browser_ids.fbp'],
    ['ad_storage=denied', '- data.user.browser_ids.fbc'],
    ['ad_storage=denied', '- data.user.browser_ids.gclid'],
    ['ad_storage=denied', '- data.user.browser_ids.gbraid'],
    ['ad_storage=denied', '- data.user.browser_ids.wbraid'],
    ['ad_storage=denied', '- data.user.browser_ids.ttclid'],
    ['ad_storage=denied', '- data.user.browser_ids.ttp'],
    ['ad_storage=denied', '- data.user.browser_ids.sc_click_id'],
    ['ad_storage=denied', '- data.user.browser_ids.sc_cookie1'],
    ['ad_storage=denied', '- data.user.browser_ids.epik'],
    ['ad_storage=denied', '- data.user.browser_ids.li_fat_id'],
    ['ad_storage=denied', '- data.user.browser_ids.rdt_cid'],
    ['ad_storage=denied', '- data.user.browser_ids.rdt_uuid'],
    ['ad_storage=denied', '- data.user.browser_ids.twclid'],
    ['ad_storage=denied', '- data.user.browser_ids.msclkid'],
    ['ad_storage=denied', '- data.user.browser_ids.kx'],
    ['ad_storage=denied', '- data.user.browser_ids.oppref'],
    ['ad_storage=denied', '- data.user.browser_ids.tblci'],
    ['ad_storage=denied', '- data.user.browser_ids.ob_click_id'],
    ['ad_storage=denied', '- data.user.browser_ids.awc'],
    ['ad_storage=denied', '- data.user.browser_ids.irclickid'],
    ['ad_storage=denied', '- data.user.browser_ids.crto_mapped_user_id'],
    ['ad_storage=denied', '- data.user.browser_ids.ga_client_id'],
    ['ad_storage=denied', '- data.user.browser_ids.ga_session_id'],
    ['ad_storage=denied', '- data.user.madid'],
    ['analytics=granted', '+ data.consent.analytics: "granted"'],
    ['analytics=denied', '+ data.consent.analytics: "denied"'],
  ],
  money: {
    value: ['data.value'],
    valueForm: 'number',
    currency: 'data.currency',
    orderId: 'data.order_id',
    items: {
      id: 'data.items[].id',
      quantity: 'data.items[].quantity',
      quantityForm: 'number',
      price: 'data.items[].price',
      priceForm: 'number',
      words: {
        name: 'data.items[].name',
        brand: 'data.items[].brand',
        category: 'data.items[].category',
        variant: 'data.items[].variant',
      },
    },
  },
  errors: {
    body: () => ({ error: { code: 'refused', message: 'refused' } }),
    answers: [
      [409, [null], 'duplicate'],
      [404, [null], 'auth'],
      [410, [null], 'auth'],
    ],
  },
  person: {
    'data.user.': {
      digest:
        'email_sha256 phone_sha256 first_name_sha256 last_name_sha256 gender_sha256 date_of_birth_sha256 city_sha256 state_sha256 postal_code_sha256 country_sha256 external_ids_sha256[]',
      plain:
        'client_ip user_agent madid browser_ids.fbp browser_ids.fbc browser_ids.gclid browser_ids.gbraid browser_ids.wbraid browser_ids.ttclid browser_ids.ttp browser_ids.sc_click_id browser_ids.sc_cookie1 browser_ids.epik browser_ids.li_fat_id browser_ids.rdt_cid browser_ids.rdt_uuid browser_ids.twclid browser_ids.msclkid browser_ids.kx browser_ids.oppref browser_ids.tblci browser_ids.ob_click_id browser_ids.awc browser_ids.irclickid browser_ids.crto_mapped_user_id browser_ids.ga_client_id browser_ids.ga_session_id',
    },
  },
};
