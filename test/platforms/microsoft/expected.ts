// Written by hand from the vendor's documentation (its pages are in README.md) and not from the code, which the
// conformance suite holds against this. Only tests load it; what each part means is said where its type is.
import type { PlatformExpectations } from '../platform-expectations.ts';

export const expected: PlatformExpectations = {
  // Names suggested for goals.
  eventNames: {
    otherwise: '{event_name}',
    PageView: 'pageLoad',
    ViewContent: 'view_item',
    ViewCategory: 'view_item_list',
    InitiateCheckout: 'begin_checkout',
    // Its purchase, which it restates or retracts.
    Refund: 'purchase',
    CompleteRegistration: 'sign_up',
    Lead: 'submit_lead_form',
    QualifiedLead: 'qualify_lead',
    Schedule: 'book_appointment',
    FindLocation: 'get_directions',
    AppInstall: '-',
    Custom: '{name}',
  },
  // The name is free text, the event action of a goal: the suggested actions, without the page view, which has no name.
  ownNames: {
    at: 'data[].eventName',
    list: [
      ...'add_payment_info add_to_cart begin_checkout book_appointment contact download'.split(' '),
      ...'get_directions login purchase search sign_up submit_lead_form subscribe view_item'.split(' '),
      ...'view_item_list'.split(' '),
    ],
  },
  consent: [
    ['ad_user_data=denied', 'withheld'],
    ['ad_personalization=denied', '+ data[].adStorageConsent: "D"'],
    ['ad_storage=denied', '+ data[].adStorageConsent: "D"'],
    ['ad_storage=granted ad_personalization=granted|absent', '+ data[].adStorageConsent: "G"'],
    ['ad_storage=denied', '- data[].userData.msclkid'],
    ['ad_storage=denied', '- data[].userData.gaid'],
  ],
  money: {
    value: ['data[].customData.value', 'data[].customData.ecommTotalValue', 'data[].customData.eventValue'],
    valueForm: 'number',
    currency: 'data[].customData.currency',
    orderId: 'data[].customData.transactionId',
    items: {
      id: 'data[].customData.items[].id',
      quantity: 'data[].customData.items[].quantity',
      quantityForm: 'number',
      whole: 'left out',
      price: 'data[].customData.items[].price',
      priceForm: 'number',
      words: { name: 'data[].customData.items[].name' },
    },
  },
  errors: {
    body: (_status, code) => ({ error: { code: code ?? 'AnyOther', message: 'm' }, traceId: 't' }),
    answers: [
      [404, [null], 'auth'],
      [400, ['Unauthorized'], 'auth'],
      [401, ['InvalidCredentials', 'UserIsNotAuthorized', 'AuthenticationTokenExpired'], 'setting_refused'],
      [400, ['OfflineConversionNameInvalid', 'OfflineConversionNotAcceptedForGoal'], 'setting_refused'],
      [400, ['CallRateExceeded', 'ConcurrentRequestOverLimit'], 'rate_limited'],
    ],
  },
  person: {
    'data[].userData.': {
      digest: 'externalId em ph',
      plain: 'anonymousId msclkid clientIpAddress clientUserAgent idfa gaid',
    },
  },
  plainToo: ['externalId'],
};
