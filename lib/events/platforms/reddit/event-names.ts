import { type EventNames, OUR_NAMES } from '../event-name.ts';

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
export const REDDIT_EVENT_NAMES: EventNames = {
  ...OUR_NAMES,
  PageView: 'PAGE_VISIT',
  ViewContent: 'VIEW_CONTENT',
  Search: 'SEARCH',
  AddToWishlist: 'ADD_TO_WISHLIST',
  AddToCart: 'ADD_TO_CART',
  Purchase: 'PURCHASE',
  Refund: null,
  CompleteRegistration: 'SIGN_UP',
  Lead: 'LEAD',
};
