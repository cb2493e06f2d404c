import { type EventNames, everyName } from '../event-name.ts';

/**
 * Amazon's twelve conversion types. The event's own name goes along as `eventDescription.name`, so that those of type
 * OTHER stay distinguishable. https://advertising.amazon.com/API/docs/en-us/guides/events/events
 */
export const AMAZON_EVENT_NAMES: EventNames = {
  ...everyName(() => 'OTHER'),
  PageView: 'PAGE_VIEW',
  Search: 'SEARCH',
  AddToCart: 'ADD_TO_SHOPPING_CART',
  RemoveFromCart: null,
  InitiateCheckout: 'CHECKOUT',
  Purchase: 'OFF_AMAZON_PURCHASES',
  Refund: null,
  Subscribe: 'SUBSCRIBE',
  CompleteRegistration: 'SIGN_UP',
  Lead: 'LEAD',
  SubmitApplication: 'APPLICATION',
  Contact: 'CONTACT',
  AppInstall: 'MOBILE_APP_FIRST_START',
};
