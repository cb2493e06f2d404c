import type { EventName } from '../../domain/event/names.ts';
import { NAME_AS_SENT } from '../event-name.ts';

/** https://ads-api.reddit.com/docs/v3/operations/Post%20Conversion%20Events (type.tracking_type, without CUSTOM) */
export const REDDIT_STANDARD_EVENTS = [
  'PAGE_VISIT',
  'VIEW_CONTENT',
  'SEARCH',
  'ADD_TO_CART',
  'ADD_TO_WISHLIST',
  'PURCHASE',
  'LEAD',
  'SIGN_UP',
] as const;

/** What is none of the standard events goes as CUSTOM with this name. */
export const REDDIT_EVENT_NAMES = {
  PageView: 'PAGE_VISIT',
  ViewContent: 'VIEW_CONTENT',
  ViewCategory: 'ViewCategory',
  Search: 'SEARCH',
  CustomizeProduct: 'CustomizeProduct',
  AddToWishlist: 'ADD_TO_WISHLIST',
  AddToCart: 'ADD_TO_CART',
  RemoveFromCart: 'RemoveFromCart',
  ViewCart: 'ViewCart',
  InitiateCheckout: 'InitiateCheckout',
  AddShippingInfo: 'AddShippingInfo',
  AddPaymentInfo: 'AddPaymentInfo',
  Purchase: 'PURCHASE',
  Refund: null,
  Subscribe: 'Subscribe',
  StartTrial: 'StartTrial',
  Donate: 'Donate',
  CompleteRegistration: 'SIGN_UP',
  Login: 'Login',
  Lead: 'LEAD',
  QualifiedLead: 'QualifiedLead',
  SubmitApplication: 'SubmitApplication',
  Contact: 'Contact',
  Schedule: 'Schedule',
  FindLocation: 'FindLocation',
  Download: 'Download',
  AppInstall: 'AppInstall',
  WatchVideo: 'WatchVideo',
  Share: 'Share',
  Rate: 'Rate',
  ClickButton: 'ClickButton',
  Custom: NAME_AS_SENT,
} as const satisfies Record<EventName, string | null>;
