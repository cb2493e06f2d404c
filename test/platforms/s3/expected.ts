// Written by hand from README.md: the lines are our own, the errors those of Amazon S3. Only tests load it; what each part means is
// said where its type is.
import type { PlatformExpectations } from '../platform-expectations.ts';

const IDS = [
  ...['fbp', 'fbc', 'gclid', 'gbraid', 'wbraid', 'ttclid', 'ttp', 'sc_click_id', 'sc_cookie1', 'epik'],
  ...['li_fat_id', 'rdt_cid', 'rdt_uuid', 'twclid', 'msclkid', 'kx', 'ga_client_id', 'ga_session_id'],
  ...['oppref', 'tblci', 'ob_click_id', 'awc', 'irclickid', 'crto_mapped_user_id'],
] as const;

export const expected: PlatformExpectations = {
  eventNames: { otherwise: '{event}', Custom: '{name}' },
  ownNames: { at: 'event_name', list: ['PageView', 'AddToCart', 'Purchase', 'Refund'] },
  consent: [
    ['ad_user_data=denied', 'withheld'],
    ['ad_user_data=granted', '+ consent.ad_user_data: "granted"'],
    ['ad_personalization=granted', '+ consent.ad_personalization: "granted"'],
    ['ad_personalization=denied', '+ consent.ad_personalization: "denied"'],
    ['ad_storage=granted', '+ consent.ad_storage: "granted"'],
    ['ad_storage=denied', '+ consent.ad_storage: "denied"'],
    ...IDS.map((id) => ['ad_storage=denied', `- user_data.browser_ids.${id}`] as const),
    ['ad_storage=denied', '- user_data.madid'],
    ['analytics=granted', '+ consent.analytics: "granted"'],
    ['analytics=denied', '+ consent.analytics: "denied"'],
  ],
  money: {
    value: ['value'],
    valueForm: 'number',
    currency: 'currency',
    orderId: 'order_id',
    items: {
      id: 'items[].id',
      quantity: 'items[].quantity',
      quantityForm: 'number',
      price: 'items[].price',
      priceForm: 'number',
      words: {
        name: 'items[].name',
        brand: 'items[].brand',
        category: 'items[].category',
        variant: 'items[].variant',
      },
    },
  },
  errors: {
    body: (_status, code) =>
      `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>refused</Message></Error>`,
    answers: [
      [412, ['PreconditionFailed'], 'duplicate'],
      [503, ['SlowDown', 'TooManyRequests', 'RequestLimitExceeded'], 'rate_limited'],
      [400, ['RequestTimeout', 'BadDigest', 'IncompleteBody'], 'retry'],
      [403, ['RequestTimeTooSkewed'], 'retry'],
      [409, ['ConditionalRequestConflict', 'OperationAborted'], 'retry'],
      [404, ['NoSuchBucket'], 'auth'],
      [301, ['PermanentRedirect'], 'auth'],
      [403, ['AccessDenied', 'InvalidAccessKeyId', 'SignatureDoesNotMatch', 'AllAccessDisabled'], 'auth'],
      [400, ['AuthorizationHeaderMalformed', 'IllegalLocationConstraintException'], 'auth'],
      [400, ['InvalidBucketName', 'InvalidToken', 'ExpiredToken', 'InvalidRequest'], 'auth'],
      [400, ['KMS.DisabledException', 'KMS.KMSInvalidStateException', 'KMS.NotFoundException'], 'auth'],
      [405, ['MethodNotAllowed'], 'auth'],
      [501, ['NotImplemented'], 'auth'],
      [500, ['InternalError'], 'maybe_delivered'],
      [400, ['EntityTooLarge'], 'event_refused'],
    ],
  },
  person: {
    'user_data.': {
      digest:
        'email_sha256 phone_sha256 first_name_sha256 last_name_sha256 gender_sha256 date_of_birth_sha256 city_sha256 state_sha256 postal_code_sha256 country_sha256 external_ids_sha256[]',
      plain: `client_ip user_agent madid ${IDS.map((id) => `browser_ids.${id}`).join(' ')}`,
    },
  },
};
