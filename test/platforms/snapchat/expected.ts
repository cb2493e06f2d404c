// Written by hand from the vendor's documentation (its pages are in README.md) and not from the code, which the
// conformance suite holds against this. Only tests load it; what each part means is said where its type is.
import type { PlatformExpectations } from '../platform-expectations.ts';

export const expected: PlatformExpectations = {
  // A fixed list: what is not on it shares a slot for custom events.
  eventNames: {
    otherwise: 'CUSTOM_EVENT_5',
    PageView: 'PAGE_VIEW',
    ViewContent: 'VIEW_CONTENT',
    ViewCategory: 'LIST_VIEW',
    Search: 'SEARCH',
    CustomizeProduct: 'CUSTOM_EVENT_3',
    AddToWishlist: 'ADD_TO_WISHLIST',
    AddToCart: 'ADD_CART',
    InitiateCheckout: 'START_CHECKOUT',
    AddPaymentInfo: 'ADD_BILLING',
    Purchase: 'PURCHASE',
    Refund: '-',
    Subscribe: 'SUBSCRIBE',
    StartTrial: 'START_TRIAL',
    CompleteRegistration: 'SIGN_UP',
    Login: 'LOGIN',
    Lead: 'CUSTOM_EVENT_1',
    SubmitApplication: 'CUSTOM_EVENT_4',
    Contact: 'CUSTOM_EVENT_2',
    Schedule: 'RESERVE',
    AppInstall: 'APP_INSTALL',
    Share: 'SHARE',
    Rate: 'RATE',
  },
  // https://developers.snap.com/api/marketing-api/Conversions-API/Parameters, read 2026-11-21.
  ownNames: {
    at: 'data[].event_name',
    list: [
      ...'PURCHASE SAVE START_CHECKOUT ADD_CART VIEW_CONTENT ADD_BILLING SIGN_UP SEARCH PAGE_VIEW'.split(' '),
      ...'SUBSCRIBE AD_CLICK AD_VIEW COMPLETE_TUTORIAL LEVEL_COMPLETE INVITE LOGIN SHARE RESERVE'.split(' '),
      ...'ACHIEVEMENT_UNLOCKED ADD_TO_WISHLIST SPENT_CREDITS RATE START_TRIAL LIST_VIEW'.split(' '),
      ...'APP_INSTALL APP_OPEN CUSTOM_EVENT_1 CUSTOM_EVENT_2 CUSTOM_EVENT_3 CUSTOM_EVENT_4'.split(' '),
      ...'CUSTOM_EVENT_5'.split(' '),
    ],
  },
  consent: [
    ['ad_user_data=denied', 'withheld'],
    ['ad_personalization=denied', '+ data[].data_processing_options[]: "LMU"'],
    ['ad_personalization=denied', '+ data[].data_processing_options[]: "LDU"'],
    ['ad_storage=denied', '- data[].user_data.sc_click_id'],
    ['ad_storage=denied', '- data[].user_data.sc_cookie1'],
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
      quantityForm: 'text',
      price: 'data[].custom_data.contents[].item_price',
      priceForm: 'text',
      words: {
        brand: 'data[].custom_data.contents[].brand',
        category: 'data[].custom_data.content_category',
      },
    },
  },
  errors: {
    body: (_status, code) => ({ status: code, reason: 'm' }),
    answers: [
      [200, ['VALID', 'SUCCESS', 'OK'], 'delivered'],
      [200, ['INVALID', 'FAILURE', 'FAILED', 'ERROR'], 'event_refused'],
      [404, ['INVALID'], 'auth'],
    ],
  },
  person: {
    'data[].user_data.': {
      digest: 'em[] ph[] fn[] ln[] ge[] db[] ct[] st[] zp[] country[] external_id[]',
      plain: 'client_ip_address client_user_agent madid subscription_id lead_id sc_click_id sc_cookie1',
    },
  },
};
