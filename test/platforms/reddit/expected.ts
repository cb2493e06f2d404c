// Written by hand from the vendor's documentation (its pages are in README.md) and not from the code, which the
// conformance suite holds against this. Only tests load it; what each part means is said where its type is.
import type { PlatformExpectations } from '../platform-expectations.ts';

export const expected: PlatformExpectations = {
  // A fixed list: what is not on it is a custom event of its name.
  eventNames: {
    otherwise: '{event}',
    PageView: 'PAGE_VISIT',
    ViewContent: 'VIEW_CONTENT',
    Search: 'SEARCH',
    AddToWishlist: 'ADD_TO_WISHLIST',
    AddToCart: 'ADD_TO_CART',
    Purchase: 'PURCHASE',
    Refund: '-',
    CompleteRegistration: 'SIGN_UP',
    Lead: 'LEAD',
    Custom: '{name}',
  },
  // TrackingType of version 3.
  ownNames: {
    at: 'data.events[].type.tracking_type',
    list: 'PAGE_VISIT VIEW_CONTENT SEARCH ADD_TO_CART ADD_TO_WISHLIST PURCHASE LEAD SIGN_UP CUSTOM'.split(
      ' ',
    ),
  },
  consent: [
    ['ad_user_data=denied', 'withheld'],
    ['ad_personalization=denied', '+ data.events[].user.data_processing_options.modes[]: "LDU"'],
    ['ad_storage=denied', '- data.events[].click_id'],
    ['ad_storage=denied', '- data.events[].user.uuid'],
    ['ad_storage=denied', '- data.events[].user.aaid'],
  ],
  money: {
    value: ['data.events[].metadata.value'],
    valueForm: 'number',
    currency: 'data.events[].metadata.currency',
    orderId: null,
    items: {
      id: 'data.events[].metadata.products[].id',
      quantity: 'data.events[].metadata.products[].quantity',
      quantityForm: 'number',
      whole: 'left out',
      price: 'data.events[].metadata.products[].item_price',
      priceForm: 'number',
      words: {
        name: 'data.events[].metadata.products[].name',
        category: 'data.events[].metadata.products[].category',
      },
    },
  },
  errors: {
    body: (status, code) => ({
      error: { code: status, message: code === 'schema' ? 'Does not match the schema' : 'No such Pixel ID' },
    }),
    answers: [
      [403, ['schema'], 'event_refused'],
      [404, [null], 'auth'],
      [410, [null], 'auth'],
    ],
  },
  person: {
    'data.events[].user.': {
      digest: 'email phone_number external_id aaid',
      plain: 'ip_address user_agent idfa uuid',
      oneOf: { 'data_processing_options.modes[]': 'LDU' },
    },
    'data.events[].click_': { plain: 'id' },
  },
  plainToo: ['email', 'phone_number', 'external_id'],
};
