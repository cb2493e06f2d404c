import { type EventNames, NAME_AS_SENT } from '../event-name.ts';

/**
 * Metrics. Klaviyo's own flows and reports know Active on Site, Viewed Product, Added to Cart, Started Checkout, Placed
 * Order and Refunded Order; the others become metrics of one's own.
 * https://developers.klaviyo.com/en/docs/guide_to_integrating_a_platform_without_a_pre_built_klaviyo_integration
 */
export const KLAVIYO_EVENT_NAMES: EventNames = {
  PageView: 'Active on Site',
  ViewContent: 'Viewed Product',
  ViewCategory: 'Viewed Category',
  Search: 'Searched Site',
  CustomizeProduct: 'Customized Product',
  AddToWishlist: 'Added to Wishlist',
  AddToCart: 'Added to Cart',
  RemoveFromCart: 'Removed from Cart',
  ViewCart: 'Viewed Cart',
  InitiateCheckout: 'Started Checkout',
  AddShippingInfo: 'Added Shipping Info',
  AddPaymentInfo: 'Added Payment Info',
  Purchase: 'Placed Order',
  Refund: 'Refunded Order',
  Subscribe: 'Subscribed',
  StartTrial: 'Started Trial',
  Donate: 'Donated',
  CompleteRegistration: 'Created Account',
  Login: 'Logged In',
  Lead: 'Submitted Lead',
  QualifiedLead: 'Qualified Lead',
  SubmitApplication: 'Submitted Application',
  Contact: 'Contacted',
  Schedule: 'Booked Appointment',
  FindLocation: 'Found Location',
  Download: 'Downloaded',
  AppInstall: 'Installed App',
  WatchVideo: 'Watched Video',
  Share: 'Shared',
  Rate: 'Rated',
  ClickButton: 'Clicked Button',
  Custom: NAME_AS_SENT,
};

/** One for each item of a purchase. */
export const ORDERED_PRODUCT = 'Ordered Product';
