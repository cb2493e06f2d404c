import type { EventName } from '../../domain/event/names.ts';

/**
 * Google Ads has no event names: every conversion action has an id. These are the categories suggested for the actions
 * (ConversionActionCategory of the Google Ads API). A refund would retract a conversion, which is not an event here.
 */
export const GOOGLE_ADS_EVENT_NAMES = {
  PageView: 'PAGE_VIEW',
  ViewContent: 'DEFAULT',
  ViewCategory: 'DEFAULT',
  Search: 'DEFAULT',
  CustomizeProduct: 'DEFAULT',
  AddToWishlist: 'DEFAULT',
  AddToCart: 'ADD_TO_CART',
  RemoveFromCart: null,
  ViewCart: 'DEFAULT',
  InitiateCheckout: 'BEGIN_CHECKOUT',
  AddShippingInfo: 'DEFAULT',
  AddPaymentInfo: 'DEFAULT',
  Purchase: 'PURCHASE',
  Refund: null,
  Subscribe: 'SUBSCRIBE_PAID',
  StartTrial: 'DEFAULT',
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
  Custom: 'DEFAULT',
} as const satisfies Record<EventName, string | null>;
