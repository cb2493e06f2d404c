// Written by hand from the vendor's documentation (its pages are in README.md) and not from the code, which the
// conformance suite holds against this. Only tests load it; what each part means is said where its type is.
import type { PlatformExpectations } from '../testing/expected.ts';

export const expected: PlatformExpectations = {
  // The event type the id is of.
  eventNames: {
    PageView: 'LANDING_PAGE_VIEW',
    ViewContent: 'CONTENT_VIEW',
    ViewCategory: 'CUSTOM',
    Search: 'SEARCH',
    CustomizeProduct: 'CUSTOM',
    AddToWishlist: 'ADD_TO_WISHLIST',
    AddToCart: 'ADD_TO_CART',
    RemoveFromCart: '-',
    ViewCart: 'CUSTOM',
    InitiateCheckout: 'CHECKOUT_INITIATED',
    AddShippingInfo: 'CUSTOM',
    AddPaymentInfo: 'PAYMENT_INFO_ADDITION',
    Purchase: 'PURCHASE',
    Refund: '-',
    Subscribe: 'SUBSCRIPTION',
    StartTrial: 'CUSTOM',
    Donate: 'CUSTOM',
    CompleteRegistration: 'SIGN_UP',
    Login: 'CUSTOM',
    Lead: 'CUSTOM',
    QualifiedLead: 'CUSTOM',
    SubmitApplication: 'CUSTOM',
    Contact: 'CUSTOM',
    Schedule: 'CUSTOM',
    FindLocation: 'CUSTOM',
    Download: 'DOWNLOAD',
    AppInstall: '-',
    WatchVideo: 'CUSTOM',
    Share: 'CUSTOM',
    Rate: 'CUSTOM',
    ClickButton: 'CUSTOM',
    Custom: 'CUSTOM',
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
    },
  },
  person: {
    'conversions[].identifiers[].': {
      twclid: 'plain',
      hashed_email: 'digest',
      hashed_phone_number: 'digest',
      ip_address: 'plain',
      user_agent: 'plain',
    },
  },
};
