// Written by hand from the vendor's documentation (its pages are in README.md) and not from the code, which the
// conformance suite holds against this. Only tests load it; what each part means is said where its type is.
import type { PlatformExpectations } from '../platform-expectations.ts';

export const expected: PlatformExpectations = {
  eventNames: {
    otherwise: '{event_name}',
    ViewContent: 'view_item',
    ViewCategory: 'view_item_list',
    InitiateCheckout: 'begin_checkout',
    CompleteRegistration: 'sign_up',
    Lead: 'generate_lead',
    QualifiedLead: 'qualify_lead',
    Download: 'file_download',
    AppInstall: '-',
    Custom: '{name}',
  },
  // Recommended events and those of enhanced measurement, without the ones reserved for Google itself.
  ownNames: {
    at: 'events[].eventName',
    list: [
      ...'page_view add_payment_info add_shipping_info add_to_cart add_to_wishlist begin_checkout'.split(' '),
      ...'click close_convert_lead close_unconvert_lead disqualify_lead earn_virtual_currency'.split(' '),
      ...'file_download form_start form_submit generate_lead join_group level_end level_start'.split(' '),
      ...'level_up login post_score purchase qualify_lead refund remove_from_cart scroll search'.split(' '),
      ...'select_content select_item select_promotion share sign_up spend_virtual_currency'.split(' '),
      ...'tutorial_begin tutorial_complete unlock_achievement video_complete video_progress'.split(' '),
      ...'video_start view_cart view_item view_item_list view_promotion view_search_results'.split(' '),
      ...'working_lead'.split(' '),
    ],
  },
  consent: [
    ['analytics=denied', 'withheld'],
    ['ad_user_data=granted', '+ events[].consent.adUserData: "CONSENT_GRANTED"'],
    ['ad_user_data=denied', '+ events[].consent.adUserData: "CONSENT_DENIED"'],
    ['ad_user_data=denied', '- events[].userData.userIdentifiers[].emailAddress'],
    ['ad_user_data=denied', '- events[].userData.userIdentifiers[].phoneNumber'],
    ['ad_user_data=denied', '- events[].userData.userIdentifiers[].address.givenName'],
    ['ad_user_data=denied', '- events[].userData.userIdentifiers[].address.familyName'],
    ['ad_user_data=denied', '- events[].userData.userIdentifiers[].address.regionCode'],
    ['ad_user_data=denied', '- events[].userData.userIdentifiers[].address.postalCode'],
    ['ad_user_data=denied', '- events[].userData.userIdentifiers[].address.city'],
    ['ad_user_data=denied', '- events[].userData.userIdentifiers[].address.administrativeArea'],
    ['ad_personalization=granted', '+ events[].consent.adPersonalization: "CONSENT_GRANTED"'],
    ['ad_personalization=denied', '+ events[].consent.adPersonalization: "CONSENT_DENIED"'],
  ],
  // It gets no advertising id from here.
  refusalsWithoutEffect: ['ad_storage'],
  money: {
    value: ['events[].conversionValue'],
    valueForm: 'number',
    currency: 'events[].currency',
    orderId: 'events[].transactionId',
    items: {
      id: 'events[].cartData.items[].itemId',
      quantity: 'events[].cartData.items[].quantity',
      quantityForm: 'number',
      whole: 'no items',
      price: 'events[].cartData.items[].unitPrice',
      priceForm: 'number',
      words: {
        name: 'events[].cartData.items[].additionalItemParameters[].value',
        brand: 'events[].cartData.items[].additionalItemParameters[].value',
        category: 'events[].cartData.items[].additionalItemParameters[].value',
        variant: 'events[].cartData.items[].additionalItemParameters[].value',
      },
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
          'DESTINATION_ACCOUNT_TYPE_MISMATCH',
          'OPERATING_ACCOUNT_LOGIN_ACCOUNT_MISMATCH',
          'INVALID_PROPERTY_TYPE',
          'GOOGLE_ANALYTICS_SUBPROPERTY_OR_ROLLUP_PROPERTY_NOT_ALLOWED',
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
      [400, ['INVALID_STREAM_TYPE', 'INVALID_DESTINATION'], 'setting_refused'],
      [400, ['INVALID_ARGUMENT', 'INVALID_EVENT_NAME', 'EVENT_TIME_INVALID'], 'event_refused'],
    ],
  },
  person: {
    'events[].userData.userIdentifiers[].': {
      digest: 'emailAddress phoneNumber address.givenName address.familyName',
      plain: 'address.regionCode address.postalCode address.city address.administrativeArea',
    },
    'events[].client': { plain: 'Id' },
    'events[].user': { plain: 'Id' },
  },
  schema: { open: null },
};
