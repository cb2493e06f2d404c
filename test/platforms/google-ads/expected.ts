// Written by hand from the vendor's documentation (its pages are in README.md) and not from the code, which the
// conformance suite holds against this. Only tests load it; what each part means is said where its type is.
import type { PlatformExpectations } from '../platform-expectations.ts';

export const expected: PlatformExpectations = {
  // The category of the conversion action the id is of.
  eventNames: {
    otherwise: 'DEFAULT',
    PageView: 'PAGE_VIEW',
    AddToCart: 'ADD_TO_CART',
    RemoveFromCart: '-',
    InitiateCheckout: 'BEGIN_CHECKOUT',
    Purchase: 'PURCHASE',
    // To the action of its purchase, whose value it restates.
    Refund: 'PURCHASE',
    Subscribe: 'SUBSCRIBE_PAID',
    Donate: 'PURCHASE',
    CompleteRegistration: 'SIGNUP',
    Login: '-',
    Lead: 'SUBMIT_LEAD_FORM',
    QualifiedLead: 'QUALIFIED_LEAD',
    SubmitApplication: 'SUBMIT_LEAD_FORM',
    Contact: 'CONTACT',
    Schedule: 'BOOK_APPOINTMENT',
    FindLocation: 'GET_DIRECTIONS',
    Download: 'DOWNLOAD',
    AppInstall: '-',
    WatchVideo: 'ENGAGEMENT',
    Share: 'ENGAGEMENT',
    Rate: 'ENGAGEMENT',
    ClickButton: 'OUTBOUND_CLICK',
  },
  // Categories of conversion actions (ConversionActionCategory, read 2026-11-21). A connection has one action for each
  // event of ours.
  ownNames: {
    at: null,
    list: [
      ...'ADD_TO_CART BEGIN_CHECKOUT BOOK_APPOINTMENT CONTACT CONVERTED_LEAD DEFAULT DOWNLOAD'.split(' '),
      ...'ENGAGEMENT GET_DIRECTIONS IMPORTED_LEAD OUTBOUND_CLICK PAGE_VIEW PHONE_CALL_LEAD'.split(' '),
      ...'PURCHASE QUALIFIED_LEAD REQUEST_QUOTE SIGNUP STORE_SALE STORE_VISIT SUBMIT_LEAD_FORM'.split(' '),
      ...'SUBSCRIBE_PAID'.split(' '),
    ],
    otherwise: {
      // Kinds of one event here, which has one action.
      REQUEST_QUOTE: 'CONTACT',
      // No event of the catalogue.
      CONVERTED_LEAD: 'DEFAULT',
      ENGAGEMENT: 'DEFAULT',
      IMPORTED_LEAD: 'DEFAULT',
      PHONE_CALL_LEAD: 'DEFAULT',
      STORE_SALE: 'DEFAULT',
      STORE_VISIT: 'DEFAULT',
    },
  },
  consent: [
    ['ad_user_data=denied', 'withheld'],
    ['ad_user_data=granted', '+ events[].consent.adUserData: "CONSENT_GRANTED"'],
    ['ad_personalization=granted', '+ events[].consent.adPersonalization: "CONSENT_GRANTED"'],
    ['ad_personalization=denied', '+ events[].consent.adPersonalization: "CONSENT_DENIED"'],
    ['ad_storage=denied', '- events[].adIdentifiers.gclid'],
  ],
  money: {
    value: ['events[].conversionValue'],
    valueForm: 'number',
    currency: 'events[].currency',
    orderId: null,
    items: {
      id: 'events[].cartData.items[].merchantProductId',
      quantity: 'events[].cartData.items[].quantity',
      quantityForm: 'number',
      whole: 'no items',
      price: 'events[].cartData.items[].unitPrice',
      priceForm: 'number',
      words: {},
    },
  },
  errors: {
    body: (status, code) => ({ error: { code: status, message: 'm', status: code ?? 'ANY_OTHER' } }),
    answers: [
      [429, [null], 'rate_limited'],
      [400, ['RESOURCE_EXHAUSTED'], 'rate_limited'],
      [401, [null], 'auth'],
      [403, [null], 'auth'],
      [
        400,
        [
          'UNAUTHENTICATED',
          'PERMISSION_DENIED',
          'NOT_ALLOWLISTED',
          'TERMS_AND_CONDITIONS_NOT_SIGNED',
          'DESTINATION_ACCOUNT_NOT_ENABLED_ENHANCED_CONVERSIONS_FOR_LEADS',
          'DESTINATION_ACCOUNT_DATA_POLICY_PROHIBITS_ENHANCED_CONVERSIONS',
          'DESTINATION_ACCOUNT_ENHANCED_CONVERSIONS_TERMS_NOT_SIGNED',
          'DESTINATION_ACCOUNT_TYPE_MISMATCH',
          'OPERATING_ACCOUNT_LOGIN_ACCOUNT_MISMATCH',
          'EU_POLITICAL_ADVERTISING_DECLARATION_REQUIRED',
        ],
        'auth',
      ],
      [500, [null], 'maybe_delivered'],
      [408, [null], 'maybe_delivered'],
      [425, [null], 'maybe_delivered'],
      [
        400,
        ['INTERNAL', 'INTERNAL_ERROR', 'UNAVAILABLE', 'DEADLINE_EXCEEDED', 'ABORTED', 'CANCELLED', 'UNKNOWN'],
        'maybe_delivered',
      ],
      [400, ['INVALID_CONVERSION_ACTION_ID', 'INVALID_CONVERSION_ACTION_TYPE'], 'setting_refused'],
      [400, ['INVALID_ARGUMENT'], 'event_refused'],
    ],
  },
  person: {
    'events[].userData.userIdentifiers[].': {
      digest: 'emailAddress phoneNumber address.givenName address.familyName',
      plain: 'address.regionCode address.postalCode',
    },
    'events[].adIdentifiers.': { plain: 'gclid gbraid wbraid' },
    'events[].eventDeviceInfo.': { plain: 'userAgent ipAddress' },
  },
  schema: { open: null },
};
