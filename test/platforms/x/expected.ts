// Written by hand from the vendor's documentation (its pages are in README.md) and not from the code, which the
// conformance suite holds against this. Only tests load it; what each part means is said where its type is.
import type { PlatformExpectations } from '../platform-expectations.ts';

export const expected: PlatformExpectations = {
  // The event type the id is of.
  eventNames: {
    otherwise: 'CUSTOM',
    PageView: 'LANDING_PAGE_VIEW',
    ViewContent: 'CONTENT_VIEW',
    Search: 'SEARCH',
    AddToWishlist: 'ADD_TO_WISHLIST',
    AddToCart: 'ADD_TO_CART',
    RemoveFromCart: '-',
    InitiateCheckout: 'CHECKOUT_INITIATED',
    AddPaymentInfo: 'PAYMENT_INFO_ADDITION',
    Purchase: 'PURCHASE',
    Refund: '-',
    Subscribe: 'SUBSCRIPTION',
    CompleteRegistration: 'SIGN_UP',
    Download: 'DOWNLOAD',
    AppInstall: '-',
  },
  // Types of events that name one kind of event.
  ownNames: {
    at: null,
    list: [
      ...'ADD_TO_CART ADD_TO_WISHLIST CHECKOUT_INITIATED CONTENT_VIEW DOWNLOAD LANDING_PAGE_VIEW'.split(' '),
      ...'PAYMENT_INFO_ADDITION PURCHASE SEARCH SIGN_UP SUBSCRIPTION'.split(' '),
    ],
  },
  consent: [
    ['ad_user_data=denied', 'withheld'],
    ['ad_personalization=denied', 'withheld'],
    ['ad_storage=denied', '- conversions[].identifiers[].twclid'],
  ],
  money: {
    value: ['conversions[].value'],
    valueForm: 'text',
    currency: 'conversions[].price_currency',
    orderId: null,
    items: {
      id: 'conversions[].contents[].content_id',
      quantity: 'conversions[].contents[].num_items',
      quantityForm: 'number',
      whole: 'left out',
      price: 'conversions[].contents[].content_price',
      priceForm: 'number',
      words: {
        name: 'conversions[].contents[].content_name',
        category: 'conversions[].contents[].content_type',
      },
    },
  },
  errors: {
    body: (_status, code) => ({
      errors: [{ code: code ?? 'ANY_OTHER', message: 'm' }],
      request: { params: {} },
    }),
    answers: [
      [429, [null], 'rate_limited'],
      [400, ['TOO_MANY_REQUESTS', 'TWEET_RATE_LIMIT_EXCEEDED'], 'rate_limited'],
      [401, [null], 'auth'],
      [403, [null], 'auth'],
      [
        404,
        [
          'UNAUTHORIZED_ACCESS',
          'UNAUTHORIZED_CLIENT_APPLICATION',
          'READONLY_CLIENT_APPLICATION',
          'ACCOUNT_NOT_FOUND',
          'ACCOUNT_LOCKED_OUT',
          'CURRENT_USER_SUSPENDED',
          'USER_NOT_FOUND',
          'ACTION_NOT_ALLOWED',
          'NOT_FOUND',
          'ROUTE_NOT_FOUND',
        ],
        'auth',
      ],
      [500, [null], 'maybe_delivered'],
      [408, [null], 'retry'],
      [423, [null], 'retry'],
      [425, [null], 'retry'],
      [
        400,
        [
          'CANCELLED_REQUEST',
          'LOCK_ACQUISITION_TIMEOUT',
          'INTERNAL_ERROR',
          'OVER_CAPACITY',
          'SERVICE_UNAVAILABLE',
        ],
        'retry',
      ],
      [404, ['WEB_EVENT_TAG_NOT_FOUND'], 'setting_refused'],
      [400, ['INVALID_PARAMETER'], 'event_refused'],
      [200, [null], 'maybe_delivered'],
    ],
  },
  person: {
    'conversions[].identifiers[].': {
      digest: 'hashed_email hashed_phone_number',
      plain: 'twclid ip_address user_agent',
    },
  },
};
