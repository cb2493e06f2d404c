// Written by hand from the vendor's documentation (its pages are in README.md) and not from the code, which the
// conformance suite holds against this. Only tests load it; what each part means is said where its type is.
import type { PlatformExpectations } from '../platform-expectations.ts';

export const expected: PlatformExpectations = {
  // Conversion types, with the name beside them.
  eventNames: {
    otherwise: 'OTHER',
    PageView: 'PAGE_VIEW',
    Search: 'SEARCH',
    AddToCart: 'ADD_TO_SHOPPING_CART',
    RemoveFromCart: '-',
    InitiateCheckout: 'CHECKOUT',
    Purchase: 'OFF_AMAZON_PURCHASES',
    Refund: '-',
    Subscribe: 'SUBSCRIBE',
    CompleteRegistration: 'SIGN_UP',
    Lead: 'LEAD',
    SubmitApplication: 'APPLICATION',
    Contact: 'CONTACT',
    AppInstall: 'MOBILE_APP_FIRST_START',
  },
  // Amazon’s OpenAPI document, ConversionType.
  ownNames: {
    at: 'events[].eventDescription.conversionType',
    list: [
      ...'ADD_TO_SHOPPING_CART APPLICATION CHECKOUT CONTACT LEAD MOBILE_APP_FIRST_START'.split(' '),
      ...'OFF_AMAZON_PURCHASES OTHER PAGE_VIEW SEARCH SIGN_UP SUBSCRIBE'.split(' '),
    ],
  },
  consent: [
    ['ad_user_data=denied', 'withheld'],
    ['ad_user_data=granted', '+ events[].consent.amazonConsent.amznUserData: "GRANTED"'],
    ['ad_user_data=granted', '- events[].consent.geo.ipAddress'],
    ['ad_user_data=granted ad_storage=granted', '+ events[].consent.amazonConsent.amznAdStorage: "GRANTED"'],
    ['ad_user_data=granted ad_storage=denied', '+ events[].consent.amazonConsent.amznAdStorage: "DENIED"'],
    ['ad_personalization=denied', '+ events[].dataProcessingOptions.options: "LIMITED_DATA_USE"'],
    ['ad_storage=denied', '- events[].matchKeys[].type: "MAID"'],
    ['ad_storage=denied', '- events[].matchKeys[].values[]: "6d92078a-8246-4ba4-ae5b-76104861e7dc"'],
  ],
  money: {
    value: ['events[].value'],
    valueForm: 'number',
    currency: 'events[].currencyCode',
    orderId: null,
    items: null,
  },
  errors: {
    body: (status, code) =>
      status === 207
        ? { success: [], error: [{ index: 0, errors: [{ code, message: 'm' }] }] }
        : { code: code ?? 'NOT_FOUND', details: 'm', requestId: 'r' },
    answers: [
      [
        207,
        ['UNAUTHORIZED', 'FORBIDDEN', 'ACCESS_DENIED_FOR_MANAGER_ACCOUNT', 'ACCOUNT_NOT_ELIGIBLE'],
        'auth',
      ],
      [207, ['TOO_MANY_REQUESTS'], 'rate_limited'],
      [207, ['INTERNAL_ERROR'], 'maybe_delivered'],
      [207, ['INVALID_ARGUMENT'], 'event_refused'],
      [404, [null], 'auth'],
    ],
  },
  person: {
    'events[].matchKeys[].': {
      plain: 'values[]',
      oneOf: { type: 'EMAIL PHONE FIRST_NAME LAST_NAME CITY STATE POSTAL MAID MATCH_ID FIP' },
    },
    'events[].deviceInfo.': { plain: 'userAgent' },
  },
  schema: { open: /^$/ },
};
