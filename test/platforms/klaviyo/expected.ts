// Written by hand from the vendor's documentation (its pages are in README.md) and not from the code, which the
// conformance suite holds against this. Only tests load it; what each part means is said where its type is.
import type { PlatformExpectations } from '../platform-expectations.ts';

// Where a purchase goes, since it brings its items along; other events go to an endpoint of another form.
const ROOT = 'data.attributes.events-bulk-create.data[].attributes';
const EVENT = `${ROOT}.events.data[].attributes`;

export const expected: PlatformExpectations = {
  // Metrics.
  eventNames: {
    PageView: 'Active on Site',
    ViewContent: 'Viewed Product',
    ViewCategory: 'c:Viewed Category',
    Search: 'c:Searched Site',
    CustomizeProduct: 'c:Customized Product',
    AddToWishlist: 'c:Added to Wishlist',
    AddToCart: 'Added to Cart',
    RemoveFromCart: 'c:Removed from Cart',
    ViewCart: 'c:Viewed Cart',
    InitiateCheckout: 'Started Checkout',
    AddShippingInfo: 'c:Added Shipping Info',
    AddPaymentInfo: 'c:Added Payment Info',
    Purchase: 'Placed Order',
    Refund: 'Refunded Order',
    Subscribe: 'c:Subscribed',
    StartTrial: 'c:Started Trial',
    Donate: 'c:Donated',
    CompleteRegistration: 'c:Created Account',
    Login: 'c:Logged In',
    Lead: 'c:Submitted Lead',
    QualifiedLead: 'c:Qualified Lead',
    SubmitApplication: 'c:Submitted Application',
    Contact: 'c:Contacted',
    Schedule: 'c:Booked Appointment',
    FindLocation: 'c:Found Location',
    Download: 'c:Downloaded',
    AppInstall: 'c:Installed App',
    WatchVideo: 'c:Watched Video',
    Share: 'c:Shared',
    Rate: 'c:Rated',
    ClickButton: 'c:Clicked Button',
    Custom: 'c:{name}',
  },
  // The metrics its own flows and reports know.
  ownNames: {
    at: 'metric.data.attributes.name',
    list: [
      'Active on Site',
      'Viewed Product',
      'Added to Cart',
      'Started Checkout',
      'Placed Order',
      'Ordered Product',
      'Fulfilled Order',
      'Cancelled Order',
      'Refunded Order',
    ],
  },
  consent: [
    ['ad_user_data=denied', 'withheld'],
    ['ad_storage=denied', `- ${ROOT}.profile.data.attributes._kx`],
  ],
  // Own use of own customers' data: flows carry order confirmations too.
  refusalsWithoutEffect: ['ad_personalization'],
  money: {
    value: [`${EVENT}.value`],
    valueForm: 'number',
    currency: `${EVENT}.value_currency`,
    orderId: `${EVENT}.properties.OrderId`,
    items: {
      id: `${EVENT}.properties.Items[].ProductID`,
      quantity: `${EVENT}.properties.Items[].Quantity`,
      quantityForm: 'number',
      price: `${EVENT}.properties.Items[].ItemPrice`,
      priceForm: 'number',
      words: {
        name: `${EVENT}.properties.Items[].ProductName`,
        brand: `${EVENT}.properties.Items[].Brand`,
        category: `${EVENT}.properties.Items[].Categories[]`,
        variant: `${EVENT}.properties.Items[].Variant`,
      },
    },
    computed: [`${EVENT}.properties.RowTotal`, `${EVENT}.properties.Items[].RowTotal`, `${EVENT}.value`],
  },
  errors: {
    body: (_status, code) =>
      code === 'unique_id'
        ? {
            errors: [
              { code: 'duplicate', title: 'Duplicate', source: { pointer: '/data/attributes/unique_id' } },
            ],
          }
        : { errors: [{ code: 'any_other', title: 'm' }] },
    answers: [
      [400, 'unique_id', undefined, 'duplicate'],
      [409, 'unique_id', undefined, 'duplicate'],
      [404, undefined, undefined, 'auth'],
      [410, undefined, undefined, 'auth'],
    ],
  },
  person: {
    'data.attributes.profile.data.attributes.': {
      email: 'plain',
      phone_number: 'plain',
      external_id: 'plain',
      anonymous_id: 'plain',
      _kx: 'plain',
      first_name: 'plain',
      last_name: 'plain',
      'location.city': 'plain',
      'location.region': 'plain',
      'location.zip': 'plain',
      'location.country': 'plain',
    },
  },
  schema: { open: /\.properties(?:\.|$)/ },
};
