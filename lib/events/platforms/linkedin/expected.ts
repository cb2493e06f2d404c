// Written by hand from the vendor's documentation (its pages are in README.md) and not from the code, which the
// conformance suite holds against this. Only tests load it; what each part means is said where its type is.
import type { PlatformExpectations } from '../testing/expected.ts';

export const expected: PlatformExpectations = {
  // The type of the conversion rule the id is of.
  eventNames: {
    PageView: 'KEY_PAGE_VIEW',
    ViewContent: 'VIEW_CONTENT',
    ViewCategory: 'OTHER',
    Search: 'SEARCH',
    CustomizeProduct: 'OTHER',
    AddToWishlist: 'ADD_TO_LIST',
    AddToCart: 'ADD_TO_CART',
    RemoveFromCart: '-',
    ViewCart: 'OTHER',
    InitiateCheckout: 'START_CHECKOUT',
    AddShippingInfo: 'OTHER',
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
    FindLocation: 'OTHER',
    Download: 'DOWNLOAD',
    AppInstall: 'INSTALL',
    WatchVideo: 'VIEW_VIDEO',
    Share: 'SHARE',
    Rate: 'RATE',
    ClickButton: 'OUTBOUND_CLICK',
    Custom: 'OTHER',
  },
  consent: [
    ['ad_user_data=denied', 'withheld'],
    ['ad_personalization=denied', 'withheld'],
    ['ad_storage=denied', '- elements[].user.userIds[].idType: "LINKEDIN_FIRST_PARTY_ADS_TRACKING_UUID"'],
    ['ad_storage=denied', '- elements[].user.userIds[].idValue: "li_fat_id-1"'],
  ],
  money: {
    value: ['elements[].conversionValue.amount'],
    valueForm: 'text',
    currency: 'elements[].conversionValue.currencyCode',
    orderId: null,
    items: null,
  },
  person: {
    'elements[].user.': {
      'userIds[].idType': ['SHA256_EMAIL', 'LINKEDIN_FIRST_PARTY_ADS_TRACKING_UUID'],
      'userIds[].idValue': 'plain',
      'userInfo.firstName': 'plain',
      'userInfo.lastName': 'plain',
      'userInfo.countryCode': 'plain',
      'externalIds[]': 'plain',
    },
  },
};
