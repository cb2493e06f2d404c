// Written by hand from the vendor's documentation (its pages are in README.md) and not from the code, which the
// conformance suite holds against this. Only tests load it; what each part means is said where its type is.
import type { PlatformExpectations } from '../platform-expectations.ts';

export const expected: PlatformExpectations = {
  // The type of the conversion rule the id is of.
  eventNames: {
    otherwise: 'OTHER',
    PageView: 'KEY_PAGE_VIEW',
    ViewContent: 'VIEW_CONTENT',
    Search: 'SEARCH',
    AddToWishlist: 'ADD_TO_LIST',
    AddToCart: 'ADD_TO_CART',
    RemoveFromCart: '-',
    InitiateCheckout: 'START_CHECKOUT',
    AddPaymentInfo: 'ADD_BILLING_INFO',
    Purchase: 'PURCHASE',
    Refund: '-',
    Subscribe: 'SUBSCRIBE',
    StartTrial: 'START_TRIAL',
    Donate: 'DONATE',
    CompleteRegistration: 'COMPLETE_SIGNUP',
    Login: 'LOGIN',
    Lead: 'LEAD',
    QualifiedLead: 'QUALIFIED_LEAD',
    SubmitApplication: 'SUBMIT_APPLICATION',
    Contact: 'CONTACT',
    Schedule: 'SCHEDULE',
    Download: 'DOWNLOAD',
    AppInstall: 'INSTALL',
    WatchVideo: 'VIEW_VIDEO',
    Share: 'SHARE',
    Rate: 'RATE',
    ClickButton: 'OUTBOUND_CLICK',
  },
  // Types of conversion rules (https://github.com/segmentio/action-destinations, linkedin-conversions/constants.ts, and
  // the schema of the Conversions API, read 2026-11-21). A connection has one rule for each event of ours.
  ownNames: {
    at: null,
    list: [
      ...'ADD_BILLING_INFO ADD_TO_CART ADD_TO_LIST AD_CLICK AD_VIEW BOOK_APPOINTMENT'.split(' '),
      ...'COMPLETE_SIGNUP CONTACT DONATE DOWNLOAD INSTALL INVITE JOB_APPLY KEY_PAGE_VIEW LEAD'.split(' '),
      ...'LOGIN MARKETING_QUALIFIED_LEAD OTHER OUTBOUND_CLICK PHONE_CALL PURCHASE QUALIFIED_LEAD'.split(' '),
      ...'RATE REQUEST_QUOTE SALES_QUALIFIED_LEAD SAVE SCHEDULE SEARCH SHARE SIGN_UP'.split(' '),
      ...'START_CHECKOUT START_TRIAL SUBMIT_APPLICATION SUBSCRIBE TALENT_LEAD VIEW_CONTENT'.split(' '),
      ...'VIEW_VIDEO'.split(' '),
    ],
    otherwise: {
      // Kinds of one event here, which has one rule.
      AD_CLICK: 'OUTBOUND_CLICK',
      BOOK_APPOINTMENT: 'SCHEDULE',
      JOB_APPLY: 'SUBMIT_APPLICATION',
      MARKETING_QUALIFIED_LEAD: 'QUALIFIED_LEAD',
      PHONE_CALL: 'CONTACT',
      REQUEST_QUOTE: 'CONTACT',
      SALES_QUALIFIED_LEAD: 'QUALIFIED_LEAD',
      SAVE: 'ADD_TO_LIST',
      SIGN_UP: 'COMPLETE_SIGNUP',
      TALENT_LEAD: 'LEAD',
      // No event of the catalogue; `install` as a name says too little of what was installed.
      AD_VIEW: 'OTHER',
      INSTALL: 'OTHER',
      INVITE: 'OTHER',
    },
  },
  consent: [
    ['ad_user_data=denied', 'withheld'],
    ['ad_personalization=denied', 'withheld'],
    ['ad_storage=denied', '- elements[].user.userIds[].idType: "LINKEDIN_FIRST_PARTY_ADS_TRACKING_UUID"'],
    ['ad_storage=denied', '- elements[].user.userIds[].idType: "GOOGLE_AID"'],
    ['ad_storage=denied', '- elements[].user.userIds[].idValue: "6d92078a-8246-4ba4-ae5b-76104861e7dc"'],
    ['ad_storage=denied', '- elements[].user.userIds[].idValue: "li_fat_id-1"'],
  ],
  money: {
    value: ['elements[].conversionValue.amount'],
    valueForm: 'text',
    currency: 'elements[].conversionValue.currencyCode',
    orderId: null,
    items: null,
  },
  errors: {
    body: (status) => ({ status, code: 'NONEXISTENT_VERSION', message: 'm' }),
    answers: [[426, [null], 'auth']],
  },
  person: {
    'elements[].user.': {
      plain: 'userIds[].idValue userInfo.firstName userInfo.lastName userInfo.countryCode externalIds[]',
      oneOf: { 'userIds[].idType': 'SHA256_EMAIL LINKEDIN_FIRST_PARTY_ADS_TRACKING_UUID GOOGLE_AID' },
    },
  },
};
