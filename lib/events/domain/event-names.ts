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
  PageView: ['page_view', 'page_viewed', 'PAGE_VISIT', 'page'],
  ViewContent: ['view_item', 'product_viewed', 'Viewed Product', 'CONTENT_VIEW'],
  ViewCategory: ['view_item_list', 'collection_viewed', 'Product List Viewed', 'LIST_VIEW'],
  Search: ['search_submitted', 'Products Searched', 'view_search_results'],
  AddToWishlist: ['Product Added to Wishlist', 'ADD_TO_LIST', 'SAVE'],
  AddToCart: ['product_added_to_cart', 'Product Added', 'ADD_CART'],
  RemoveFromCart: ['product_removed_from_cart', 'Product Removed'],
  ViewCart: ['cart_viewed'],
  InitiateCheckout: ['begin_checkout', 'checkout_started', 'START_CHECKOUT'],
  AddShippingInfo: ['checkout_shipping_info_submitted'],
  AddPaymentInfo: ['payment_info_submitted', 'Payment Info Entered', 'ADD_BILLING'],
  Purchase: [
    'checkout_completed',
    'Order Completed',
    'CompletePayment',
    'PlaceAnOrder',
    'checkout',
    'Placed Order',
  ],
  Refund: ['Order Refunded', 'Refunded Order'],
  Subscribe: ['SUBSCRIPTION', 'Subscription Started'],
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
  SubmitApplication: ['JOB_APPLY', 'Application Submitted'],
  Contact: ['PHONE_CALL', 'REQUEST_QUOTE'],
  Schedule: ['BOOK_APPOINTMENT', 'RESERVE'],
  Download: ['file_download'],
  AppInstall: ['Application Installed', 'MOBILE_APP_FIRST_START'],
  WatchVideo: ['video_start', 'video_complete', 'VIEW_VIDEO'],
  ClickButton: ['OUTBOUND_CLICK', 'select_content', 'AD_CLICK'],
};

const fold = (name: string): string => name.toLowerCase().replace(/[\s_-]+/g, '');

const CANONICAL: ReadonlyMap<string, EventName> = new Map(
  EVENT_NAMES.flatMap((name) =>
    [name, ...(ALIASES[name] ?? [])].map((alias) => [fold(alias), name] as const),
  ),
);

/** The canonical name an incoming `event_name` is counted and mapped under; `Custom` where none fits. */
export function canonicalEventName(name: string): EventName {
  return CANONICAL.get(fold(name)) ?? 'Custom';
}
