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
    Custom: '{name}',
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
              {
                id: 'i',
                code: 'duplicate',
                title: 'Duplicate',
                source: { pointer: '/data/attributes/unique_id' },
              },
            ],
          }
        : { errors: [{ id: 'i', code: 'any_other', title: code === 'revision' ? 'Invalid revision' : 'm' }] },
    answers: [
      [400, ['unique_id'], 'duplicate'],
      [409, ['unique_id'], 'duplicate'],
      [400, ['revision'], 'auth'],
      [404, [null], 'auth'],
      [410, [null], 'auth'],
    ],
  },
  person: {
    'data.attributes.profile.data.attributes.': {
      plain: 'email phone_number external_id anonymous_id _kx first_name last_name',
    },
    'data.attributes.profile.data.attributes.location.': { plain: 'city region zip country' },
  },
  schema: { open: /\.properties(?:\.|$)/ },
};
