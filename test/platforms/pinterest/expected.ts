// Written by hand from the vendor's documentation (its pages are in README.md) and not from the code, which the
// conformance suite holds against this. Only tests load it; what each part means is said where its type is.
import type { PlatformExpectations } from '../platform-expectations.ts';

export const expected: PlatformExpectations = {
  // What its guide does not list shares `custom`; names of one's own go as they are.
  eventNames: {
    otherwise: '{event_name}',
    PageView: 'page_visit',
    RemoveFromCart: 'custom',
    ViewCart: 'custom',
    AddShippingInfo: 'custom',
    Purchase: 'checkout',
    Refund: '-',
    Donate: 'custom',
    CompleteRegistration: 'signup',
    Login: 'custom',
    QualifiedLead: 'custom',
    Download: 'custom',
    Share: 'custom',
    Rate: 'custom',
    ClickButton: 'custom',
    Custom: '{name}',
  },
  // https://developers.pinterest.com/docs/conversions/event/, read 2026-11-21.
  ownNames: {
    at: 'data[].event_name',
    list: [
      ...'add_payment_info add_to_cart add_to_wishlist app_install app_open checkout contact'.split(' '),
      ...'custom customize_product find_location initiate_checkout lead page_visit schedule search'.split(
        ' ',
      ),
      ...'signup start_trial submit_application subscribe view_category view_content watch_video'.split(' '),
    ],
    // Everybody else's word for the step before the purchase: as a purchase it would be false revenue.
    otherwise: { checkout: 'initiate_checkout' },
  },
  consent: [
    ['ad_user_data=denied', 'withheld'],
    ['ad_personalization=denied', '+ data[].custom_data.opt_out_type: "LDP"'],
    ['ad_storage=denied', '- data[].user_data.click_id'],
    ['ad_storage=denied', '- data[].user_data.hashed_maids[]'],
  ],
  money: {
    value: ['data[].custom_data.value'],
    valueForm: 'text',
    currency: 'data[].custom_data.currency',
    orderId: 'data[].custom_data.order_id',
    items: {
      id: 'data[].custom_data.contents[].id',
      quantity: 'data[].custom_data.contents[].quantity',
      quantityForm: 'number',
      whole: 'left out',
      price: 'data[].custom_data.contents[].item_price',
      priceForm: 'text',
      words: {
        name: 'data[].custom_data.contents[].item_name',
        brand: 'data[].custom_data.contents[].item_brand',
        category: 'data[].custom_data.contents[].item_category',
      },
    },
  },
  errors: {
    body: (_status, code) => ({ code, message: 'm' }),
    answers: [[404, [50], 'auth']],
  },
  person: {
    'data[].user_data.': {
      digest: 'em[] ph[] ge[] db[] fn[] ln[] ct[] st[] zp[] country[] external_id[] hashed_maids[]',
      plain: 'client_ip_address client_user_agent click_id',
    },
  },
  schema: { open: /^$|\.user_data$/ },
};
