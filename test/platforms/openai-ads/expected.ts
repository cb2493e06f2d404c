// Written by hand from the vendor's documentation (its pages are in README.md) and not from the code, which the
// conformance suite holds against this. Only tests load it; what each part means is said where its type is.
import type { PlatformExpectations } from '../platform-expectations.ts';

export const expected: PlatformExpectations = {
  eventNames: {
    otherwise: '{event_name}',
    PageView: 'page_viewed',
    ViewContent: 'contents_viewed',
    AddToCart: 'items_added',
    InitiateCheckout: 'checkout_started',
    Purchase: 'order_created',
    Refund: '-',
    Subscribe: 'subscription_created',
    StartTrial: 'trial_started',
    CompleteRegistration: 'registration_completed',
    Lead: 'lead_created',
    Schedule: 'appointment_scheduled',
    AppInstall: 'app_installed',
    Custom: '{name}',
  },
  // Without those of apps, which no page has.
  ownNames: {
    at: 'events[].type',
    list: [
      ...['appointment_scheduled', 'checkout_started', 'contents_viewed', 'items_added', 'lead_created'],
      ...['order_created', 'page_viewed', 'registration_completed', 'subscription_created', 'trial_started'],
    ],
  },
  consent: [
    ['ad_user_data=denied', 'withheld'],
    ['ad_personalization=denied', '+ events[].opt_out: true'],
    ['ad_storage=denied', '- events[].oppref'],
  ],
  money: {
    value: ['events[].data.amount'],
    valueForm: 'minor',
    currency: 'events[].data.currency',
    orderId: null,
    items: {
      id: 'events[].data.contents[].id',
      quantity: 'events[].data.contents[].quantity',
      quantityForm: 'number',
      whole: 'left out',
      price: 'events[].data.contents[].amount',
      priceForm: 'minor',
      words: { name: 'events[].data.contents[].name' },
    },
  },
  errors: {
    body: () => ({ error: { message: 'm', type: 'invalid_request_error', param: null, code: null } }),
    answers: [[404, [null], 'auth']],
  },
  person: {
    'events[].user.': {
      digest: 'email_sha256 external_id_sha256',
      plain: 'country city zip_code ip_address user_agent',
    },
    'events[].opp': { plain: 'ref' },
  },
  schema: { open: null },
};
