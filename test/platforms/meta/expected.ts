// Written by hand from the vendor's documentation (its pages are in README.md) and not from the code, which the
// conformance suite holds against this. Only tests load it; what each part means is said where its type is.
import type { PlatformExpectations } from '../platform-expectations.ts';

export const expected: PlatformExpectations = {
  eventNames: { otherwise: '{event}', Refund: '-', Custom: '{name}' },
  // The standard events and PageView.
  ownNames: {
    at: 'data[].event_name',
    list: [
      ...'AddPaymentInfo AddToCart AddToWishlist CompleteRegistration Contact CustomizeProduct'.split(' '),
      ...'Donate FindLocation InitiateCheckout Lead PageView Purchase Schedule Search StartTrial'.split(' '),
      ...'SubmitApplication Subscribe ViewContent'.split(' '),
    ],
  },
  consent: [
    ['ad_user_data=denied', 'withheld'],
    ['ad_personalization=denied', '+ data[].opt_out: true'],
    ['ad_personalization=denied', '+ data[].data_processing_options[]: "LDU"'],
    ['ad_personalization=denied', '+ data[].data_processing_options_country: 0'],
    ['ad_personalization=denied', '+ data[].data_processing_options_state: 0'],
    ['ad_storage=denied', '- data[].user_data.fbp'],
    ['ad_storage=denied', '- data[].user_data.fbc'],
    ['ad_storage=denied', '- data[].user_data.madid'],
  ],
  money: {
    value: ['data[].custom_data.value'],
    valueForm: 'number',
    currency: 'data[].custom_data.currency',
    orderId: 'data[].custom_data.order_id',
    items: {
      id: 'data[].custom_data.contents[].id',
      quantity: 'data[].custom_data.contents[].quantity',
      quantityForm: 'number',
      price: 'data[].custom_data.contents[].item_price',
      priceForm: 'number',
      words: {
        name: 'data[].custom_data.contents[].title',
        brand: 'data[].custom_data.contents[].brand',
        category: 'data[].custom_data.contents[].category',
      },
    },
  },
  errors: {
    body: (_status, name) => {
      const [code, error_subcode] = `${name}`.split('.').map(Number);
      return { error: { message: 'm', type: 'OAuthException', code, error_subcode } };
    },
    answers: [
      [400, [4, 17, 32, 613, 80000, 80004, 80014], 'rate_limited'],
      [429, [1234], 'rate_limited'],
      [400, [3, 10, 102, 104, 190, 200, 294, 299, '100.33'], 'auth'],
      [403, [200], 'auth'],
      [500, [190], 'auth'],
      [400, [1, 2, 341, 368, 5000, 21009], 'maybe_delivered'],
      [500, [1234], 'maybe_delivered'],
      [400, ['100.2804003', 80015], 'event_refused'],
    ],
  },
  person: {
    'data[].user_data.': {
      digest: 'em[] ph[] ge db fn ln ct st zp country external_id[]',
      plain:
        'client_ip_address client_user_agent fbp fbc madid fb_login_id lead_id subscription_id anon_id ctwa_clid',
    },
  },
};
