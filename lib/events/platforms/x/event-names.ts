import { type EventNames, everyName } from '../event-name.ts';

/** X has no event names: every event of the Events Manager has an id. These are the types suggested for them. */
export const X_EVENT_NAMES: EventNames = {
  ...everyName(() => 'CUSTOM'),
  PageView: 'LANDING_PAGE_VIEW',
  ViewContent: 'CONTENT_VIEW',
  Search: 'SEARCH',
  AddToWishlist: 'ADD_TO_WISHLIST',
  AddToCart: 'ADD_TO_CART',
  RemoveFromCart: null,
  InitiateCheckout: 'CHECKOUT_INITIATED',
  AddPaymentInfo: 'PAYMENT_INFO_ADDITION',
  Purchase: 'PURCHASE',
  Refund: null,
  Subscribe: 'SUBSCRIPTION',
  CompleteRegistration: 'SIGN_UP',
  Download: 'DOWNLOAD',
  AppInstall: null,
};
