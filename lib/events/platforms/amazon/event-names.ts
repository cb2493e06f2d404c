import type { EventName } from '../../domain/event/names.ts';

/**
 * Amazon's twelve conversion types. The event's own name goes along as `eventDescription.name`, so that those of type
 * OTHER stay distinguishable. https://advertising.amazon.com/API/docs/en-us/guides/events/events
 */
export const AMAZON_EVENT_NAMES = {
  PageView: 'PAGE_VIEW',
  ViewContent: 'OTHER',
  ViewCategory: 'OTHER',
  Search: 'SEARCH',
  CustomizeProduct: 'OTHER',
  AddToWishlist: 'OTHER',
  AddToCart: 'ADD_TO_SHOPPING_CART',
  RemoveFromCart: null,
  ViewCart: 'OTHER',
  InitiateCheckout: 'CHECKOUT',
  AddShippingInfo: 'OTHER',
  AddPaymentInfo: 'OTHER',
  Purchase: 'OFF_AMAZON_PURCHASES',
  Refund: null,
  Subscribe: 'SUBSCRIBE',
  StartTrial: 'OTHER',
  Donate: 'OTHER',
  CompleteRegistration: 'SIGN_UP',
  Login: 'OTHER',
  Lead: 'LEAD',
  QualifiedLead: 'OTHER',
  SubmitApplication: 'APPLICATION',
  Contact: 'CONTACT',
  Schedule: 'OTHER',
  FindLocation: 'OTHER',
  Download: 'OTHER',
  AppInstall: 'MOBILE_APP_FIRST_START',
  WatchVideo: 'OTHER',
  Share: 'OTHER',
  Rate: 'OTHER',
  ClickButton: 'OTHER',
  Custom: 'OTHER',
} as const satisfies Record<EventName, string | null>;
