// Written by hand from the vendor's documentation (its pages are in README.md) and not from the code, which the
// conformance suite holds against this. Only tests load it; what each part means is said where its type is.
import type { PlatformExpectations } from '../platform-expectations.ts';

export const expected: PlatformExpectations = {
  eventNames: { otherwise: '{event}', PageView: 'Pageview', Refund: '-', Custom: '{name}' },
  // https://ads.tiktok.com/help/article/supported-standard-events, read 2026-11-21, and the names before 2024.
  ownNames: {
    at: 'data[].event',
    list: [
      ...'AddPaymentInfo AddToCart AddToWishlist ApplicationApproval ClickButton CompletePayment'.split(' '),
      ...'CompleteRegistration Contact CustomizeProduct Download FindLocation InitiateCheckout'.split(' '),
      ...'Lead Pageview PlaceAnOrder Purchase Schedule Search StartTrial SubmitApplication'.split(' '),
      ...'SubmitForm Subscribe ViewContent'.split(' '),
    ],
  },
  consent: [
    ['ad_user_data=denied', 'withheld'],
    ['ad_personalization=denied', '+ data[].limited_data_use: true'],
    ['ad_storage=denied', '- data[].user.ttclid'],
    ['ad_storage=denied', '- data[].user.ttp'],
  ],
  money: {
    value: ['data[].properties.value'],
    valueForm: 'number',
    currency: 'data[].properties.currency',
    orderId: 'data[].properties.order_id',
    items: {
      id: 'data[].properties.contents[].content_id',
      quantity: 'data[].properties.contents[].quantity',
      quantityForm: 'number',
      price: 'data[].properties.contents[].price',
      priceForm: 'number',
      words: {
        name: 'data[].properties.contents[].content_name',
        brand: 'data[].properties.contents[].brand',
        category: 'data[].properties.contents[].content_category',
      },
    },
  },
  errors: {
    body: (_status, code) => ({ code, message: 'm', request_id: 'r' }),
    answers: [
      [200, [0], 'delivered'],
      [200, [40050], 'duplicate'],
      [200, [40100, 40132, 61000], 'rate_limited'],
      [429, [51000], 'rate_limited'],
      [200, [40001, 40101, 40102, 40103, 40104, 40105, 40113, 40118], 'auth'],
      [200, [40700, 60001, 50000], 'maybe_delivered'],
      [200, [40002], 'event_refused'],
    ],
  },
  person: {
    'data[].user.': {
      digest: 'email phone external_id[] first_name last_name zip_code idfa gaid',
      plain: 'ttclid ttp ip user_agent idfv locale city state country',
      oneOf: { att_status: 'AUTHORIZED DENIED NOT_DETERMINED RESTRICTED NOT_APPLICABLE' },
    },
  },
};
