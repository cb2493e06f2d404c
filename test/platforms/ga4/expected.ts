// Written by hand from the vendor's documentation (its pages are in README.md) and not from the code, which the
// conformance suite holds against this. Only tests load it; what each part means is said where its type is.
import type { PlatformExpectations } from '../platform-expectations.ts';

export const expected: PlatformExpectations = {
  eventNames: {
    otherwise: '{event_name}',
    ViewContent: 'view_item',
    ViewCategory: 'view_item_list',
    InitiateCheckout: 'begin_checkout',
    CompleteRegistration: 'sign_up',
    Lead: 'generate_lead',
    QualifiedLead: 'qualify_lead',
    Download: 'file_download',
    AppInstall: '-',
    Custom: '{name}',
  },
  // Recommended events and those of enhanced measurement, without the ones reserved for Google itself.
  ownNames: {
    at: 'events[].name',
    list: [
      ...'page_view add_payment_info add_shipping_info add_to_cart add_to_wishlist begin_checkout'.split(' '),
      ...'click close_convert_lead close_unconvert_lead disqualify_lead earn_virtual_currency'.split(' '),
      ...'file_download form_start form_submit generate_lead join_group level_end level_start'.split(' '),
      ...'level_up login post_score purchase qualify_lead refund remove_from_cart scroll search'.split(' '),
      ...'select_content select_item select_promotion share sign_up spend_virtual_currency'.split(' '),
      ...'tutorial_begin tutorial_complete unlock_achievement video_complete video_progress'.split(' '),
      ...'video_start view_cart view_item view_item_list view_promotion view_search_results'.split(' '),
      ...'working_lead'.split(' '),
    ],
  },
  consent: [
    ['analytics=denied', 'withheld'],
    ['ad_user_data=granted', '+ consent.ad_user_data: "GRANTED"'],
    ['ad_user_data=denied', '+ consent.ad_user_data: "DENIED"'],
    ['ad_user_data=denied', '- user_data.sha256_email_address[]'],
    ['ad_user_data=denied', '- user_data.sha256_phone_number[]'],
    ['ad_user_data=denied', '- user_data.address[].sha256_first_name'],
    ['ad_user_data=denied', '- user_data.address[].sha256_last_name'],
    ['ad_user_data=denied', '- user_data.address[].city'],
    ['ad_user_data=denied', '- user_data.address[].region'],
    ['ad_user_data=denied', '- user_data.address[].postal_code'],
    ['ad_user_data=denied', '- user_data.address[].country'],
    ['ad_personalization=granted', '+ consent.ad_personalization: "GRANTED"'],
    ['ad_personalization=denied', '+ consent.ad_personalization: "DENIED"'],
  ],
  // It gets no advertising id from here.
  refusalsWithoutEffect: ['ad_storage'],
  money: {
    value: ['events[].params.value'],
    valueForm: 'number',
    currency: 'events[].params.currency',
    orderId: 'events[].params.transaction_id',
    items: {
      id: 'events[].params.items[].item_id',
      quantity: 'events[].params.items[].quantity',
      quantityForm: 'number',
      price: 'events[].params.items[].price',
      priceForm: 'number',
      words: {
        name: 'events[].params.items[].item_name',
        brand: 'events[].params.items[].item_brand',
        category: 'events[].params.items[].item_category',
        variant: 'events[].params.items[].item_variant',
      },
    },
  },
  errors: {
    body: () => ({}),
    answers: [],
  },
  person: {
    'user_data.': { digest: 'sha256_email_address[] sha256_phone_number[]' },
    'user_data.address[].': {
      digest: 'sha256_first_name sha256_last_name',
      plain: 'city region postal_code country',
    },
    client_: { plain: 'id' },
    user_: { plain: 'id' },
  },
};
