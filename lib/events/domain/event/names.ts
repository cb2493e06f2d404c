// The canonical event names: the rows of the coverage matrix, and what every platform maps from.
// Guarantees: folding is total (any string yields a canonical name) and insensitive to case, spaces, `_` and `-`.

/** The canonical names, in the order every table shows them. `Custom` is the row of everything else. */
export const EVENT_NAMES = [
  'PageView',
  'ViewContent',
  'ViewCategory',
  'Search',
  'CustomizeProduct',
  'AddToWishlist',
  'AddToCart',
  'RemoveFromCart',
  'ViewCart',
  'InitiateCheckout',
  'AddShippingInfo',
  'AddPaymentInfo',
  'Purchase',
  'Refund',
  'Subscribe',
  'StartTrial',
  'Donate',
  'CompleteRegistration',
  'Login',
  'Lead',
  'QualifiedLead',
  'SubmitApplication',
  'Contact',
  'Schedule',
  'FindLocation',
  'Download',
  'AppInstall',
  'WatchVideo',
  'Share',
  'Rate',
  'ClickButton',
  'Custom',
] as const;

export type EventName = (typeof EVENT_NAMES)[number];

/** Other spellings in use (GA4, Shopify, Segment, the platforms' own names); the canonical spelling always counts too. */
const ALIASES: Partial<Record<EventName, readonly string[]>> = {
  PageView: [
    'page_view',
    'page_viewed',
    'PAGE_VISIT',
    'page',
    'LANDING_PAGE_VIEW',
    'KEY_PAGE_VIEW',
    'Active on Site',
  ],
  ViewContent: ['view_item', 'product_viewed', 'Viewed Product', 'CONTENT_VIEW'],
  ViewCategory: ['view_item_list', 'collection_viewed', 'Product List Viewed', 'LIST_VIEW'],
  Search: ['search_submitted', 'Products Searched', 'view_search_results'],
  AddToWishlist: ['Product Added to Wishlist', 'ADD_TO_LIST', 'SAVE'],
  AddToCart: ['product_added_to_cart', 'Product Added', 'Added to Cart', 'ADD_CART', 'ADD_TO_SHOPPING_CART'],
  RemoveFromCart: ['product_removed_from_cart', 'Product Removed'],
  ViewCart: ['cart_viewed'],
  // `checkout` is where a purchase begins. Only Pinterest calls the purchase so, and a wrong guess would be false revenue.
  InitiateCheckout: [
    'begin_checkout',
    'checkout_started',
    'Started Checkout',
    'START_CHECKOUT',
    'CHECKOUT_INITIATED',
    'checkout',
  ],
  AddShippingInfo: ['checkout_shipping_info_submitted'],
  AddPaymentInfo: [
    'payment_info_submitted',
    'Payment Info Entered',
    'ADD_BILLING',
    'ADD_BILLING_INFO',
    'PAYMENT_INFO_ADDITION',
  ],
  Purchase: [
    'checkout_completed',
    'Order Completed',
    'CompletePayment',
    'PlaceAnOrder',
    'Placed Order',
    'OFF_AMAZON_PURCHASES',
  ],
  Refund: ['Order Refunded', 'Refunded Order'],
  Subscribe: ['SUBSCRIPTION', 'Subscription Started', 'SUBSCRIBE_PAID'],
  CompleteRegistration: ['sign_up', 'Signed Up', 'COMPLETE_SIGNUP'],
  Login: ['Signed In'],
  Lead: ['generate_lead', 'SubmitForm', 'submit_lead_form', 'TALENT_LEAD'],
  QualifiedLead: [
    'qualify_lead',
    'MARKETING_QUALIFIED_LEAD',
    'SALES_QUALIFIED_LEAD',
    'close_convert_lead',
    'ApplicationApproval',
  ],
  SubmitApplication: ['JOB_APPLY', 'Application Submitted', 'APPLICATION'],
  Contact: ['PHONE_CALL', 'REQUEST_QUOTE'],
  Schedule: ['BOOK_APPOINTMENT', 'RESERVE'],
  FindLocation: ['GET_DIRECTIONS'],
  Download: ['file_download'],
  AppInstall: ['Application Installed', 'MOBILE_APP_FIRST_START'],
  WatchVideo: ['video_start', 'video_complete', 'VIEW_VIDEO'],
  ClickButton: ['OUTBOUND_CLICK', 'select_content', 'AD_CLICK'],
};

/** What two spellings of one name have in common. */
export const foldEventName = (name: string): string => name.toLowerCase().replace(/[\s_-]+/g, '');

const CANONICAL: ReadonlyMap<string, EventName> = new Map(
  EVENT_NAMES.flatMap((name) =>
    [name, ...(ALIASES[name] ?? [])].map((alias) => [foldEventName(alias), name] as const),
  ),
);

/** The canonical name an incoming `event_name` is counted and mapped under; `Custom` where none fits. */
export function canonicalEventName(name: string): EventName {
  return CANONICAL.get(foldEventName(name)) ?? 'Custom';
}

export interface NamesAsSent {
  readonly name: EventName;
  /** The name as sent, where it is not one of the canonical ones. */
  readonly customName?: string;
  /** The name as sent, where it is another word for `name`. */
  readonly sentName?: string;
}

/** A spelling of the canonical name itself says nothing more, and is not kept. */
export function namesAsSent(sent: string): NamesAsSent {
  const name = canonicalEventName(sent);
  if (name === 'Custom') return { name, customName: sent };
  return sent === name || foldEventName(sent) === foldEventName(name) ? { name } : { name, sentName: sent };
}
