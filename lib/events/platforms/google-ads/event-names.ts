import { type EventNames, everyName } from '../event-name.ts';

/**
 * Google Ads has no event names: every conversion action has an id. These are the categories suggested for the actions
 * (ConversionActionCategory of the Google Ads API). A refund goes to the action of its purchase.
 */
export const GOOGLE_ADS_EVENT_NAMES: EventNames = {
  ...everyName(() => 'DEFAULT'),
  PageView: 'PAGE_VIEW',
  AddToCart: 'ADD_TO_CART',
  RemoveFromCart: null,
  InitiateCheckout: 'BEGIN_CHECKOUT',
  Purchase: 'PURCHASE',
  Refund: 'PURCHASE',
  Subscribe: 'SUBSCRIBE_PAID',
  Donate: 'PURCHASE',
  CompleteRegistration: 'SIGNUP',
  Login: null,
  Lead: 'SUBMIT_LEAD_FORM',
  QualifiedLead: 'QUALIFIED_LEAD',
  SubmitApplication: 'SUBMIT_LEAD_FORM',
  Contact: 'CONTACT',
  Schedule: 'BOOK_APPOINTMENT',
  FindLocation: 'GET_DIRECTIONS',
  Download: 'DOWNLOAD',
  AppInstall: null,
  WatchVideo: 'ENGAGEMENT',
  Share: 'ENGAGEMENT',
  Rate: 'ENGAGEMENT',
  ClickButton: 'OUTBOUND_CLICK',
};
