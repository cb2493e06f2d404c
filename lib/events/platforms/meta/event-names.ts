import type { EventName } from '../../domain/event/names.ts';
import { NAME_AS_SENT } from '../event-name.ts';

/**
 * Meta's 17 standard events and PageView by their own names; every other name is sent as a custom event.
 * https://developers.facebook.com/documentation/meta-pixel/reference
 */
export const META_EVENT_NAMES = {
  PageView: 'PageView',
  ViewContent: 'ViewContent',
  ViewCategory: 'ViewCategory',
  Search: 'Search',
  CustomizeProduct: 'CustomizeProduct',
  AddToWishlist: 'AddToWishlist',
  AddToCart: 'AddToCart',
  RemoveFromCart: 'RemoveFromCart',
  ViewCart: 'ViewCart',
  InitiateCheckout: 'InitiateCheckout',
  AddShippingInfo: 'AddShippingInfo',
  AddPaymentInfo: 'AddPaymentInfo',
  Purchase: 'Purchase',
  Refund: 'Refund',
  Subscribe: 'Subscribe',
  StartTrial: 'StartTrial',
  Donate: 'Donate',
  CompleteRegistration: 'CompleteRegistration',
  Login: 'Login',
  Lead: 'Lead',
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
