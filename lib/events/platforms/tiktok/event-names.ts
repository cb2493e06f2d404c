import type { EventName } from '../../domain/event/names.ts';
import { NAME_AS_SENT, ownNames } from '../event-name.ts';

/** https://ads.tiktok.com/help/article/standard-events-parameters; `Pageview` as in TikTok's own tag template. */
export const TIKTOK_EVENT_NAMES = {
  PageView: 'Pageview',
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
  Refund: null,
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

/** Names before 2024, still bound to the optimisation of pixels that use them. */
export const TIKTOK_LEGACY_NAMES = {
  ...TIKTOK_EVENT_NAMES,
  Purchase: 'CompletePayment',
  Lead: 'SubmitForm',
} as const satisfies Record<EventName, string | null>;

/** Standard events that are another word for one of ours. https://ads.tiktok.com/help/article/supported-standard-events */
export const TIKTOK_OWN_NAMES = ownNames([
  'ApplicationApproval',
  'CompletePayment',
  'PlaceAnOrder',
  'SubmitForm',
]);
