// What a merchant can do about an issue, and about a field that events lack: one sentence each.

import type { KnownField } from '#lib/events/domain/event/known-fields.ts';
import type { IdentityIssue } from '#lib/events/domain/identity/identity.ts';

const removed =
  (what: string, place?: string) =>
  (field: string): string =>
    `Leave ${what} out of ${field}${place === undefined ? '' : ` and send them as ${place}, which is hashed`}: they are removed before an event goes out.`;

const ISSUES: Readonly<Record<IdentityIssue['code'], (field: string) => string>> = {
  empty: (field) => `Leave ${field} out where there is no value, instead of sending an empty text.`,
  literal_null: (field) =>
    `Send ${field} only where it is known: a word for "no value" was sent as the value.`,
  hash_of_empty: (field) =>
    `Hash ${field} only where there is a value: the digest of an empty text was sent.`,
  already_hashed: (field) =>
    `Send ${field} unhashed: platforms normalize it differently, and a digest fits some only.`,
  double_hashed: (field) => `Hash ${field} once, or send it unhashed: a digest was hashed again.`,
  not_an_email: () => 'Send an e-mail address with a name, an @ and a domain.',
  phone_without_country_code: () =>
    'Send phone numbers with their country code (+1 650 555 1212), or the country beside them.',
  not_a_phone: () => 'Send phone numbers that can be dialled, with their country code.',
  zip_plus_four: () => 'Nothing to do: the first five digits of a US postal code are used.',
  unknown_country: () => 'Send the country as its two-letter code, such as DE.',
  unknown_state: () => 'Send the state as its code, such as CA, with the country beside it.',
  unknown_gender: () => 'Send gender as f or m, or leave it out.',
  not_a_date: (field) => `Send ${field} as YYYY-MM-DD.`,
  not_an_ip: () => 'Send the IPv4 or IPv6 address of the visitor, without port.',
  unknown_property: () => 'Use the names of the schema: properties with other names are ignored.',
  unknown_consent: () =>
    'Name consent categories as docs/reference/segment.md has them: a refusal under another name denies advertising and analytics.',
  repeated_order: () => 'Send each order once, or all its events under one event_id.',
  refund_reduced: () => 'Send what was paid back, and the order with its full value before.',
  refund_repeated: () => 'Give each refund an event_id of its own.',
  refund_refused: () => 'Send refunds with the order_id and in the currency of the order.',
  order_unknown: () => 'Send the order_id of the purchase with its refund.',
  browser_copy_differs: () => 'Send the same values from browser and server for one event_id.',
  not_an_identifier: (field) =>
    /fb[cp]$/.test(field)
      ? `Send the cookie _${field.slice(-3)} as it is: fb.1.<milliseconds>.<id>.`
      : `Send ${field} as the platform put it into the link or cookie.`,
  click_out_of_time: (field) => `Send ${field} with the time of its click, in milliseconds, and for 90 days.`,
  page_missing: () => 'Send event_source_url, or action_source where it happened on no page.',
  email_removed: removed('e-mail addresses', 'user_data.email'),
  phone_removed: removed('phone numbers', 'user_data.phone'),
  person_removed: removed('names, streets and dates of birth', 'user_data'),
  card_removed: removed('card numbers'),
  iban_removed: removed('bank accounts'),
  secret_removed: removed('passwords, tokens and sessions'),
  national_id_removed: removed('national identity numbers'),
  personal_data_allowed: () =>
    'Take names out of allowed_parameters where platforms need not see what stands under them.',
  person_suppressed: () => 'Nothing to do: the person was erased, or objected.',
  malformed: (field) => `Send ${field} as valid text, without control characters.`,
};

const FIELDS: Partial<Readonly<Record<KnownField, string>>> = {
  email:
    'Send user_data.email wherever the visitor is known: from the order, the account or the checkout form.',
  phone: 'Send user_data.phone with its country code, from the order or the delivery address.',
  external_id: 'Send your own id of the customer as user_data.customer_id.',
  client_ip: "Send the visitor's address as user_data.client_ip; from a server it is not the server's own.",
  user_agent: "Send the visitor's User-Agent header as user_data.user_agent.",
  fbp: 'Send the cookie _fbp as user_data.browser_ids.fbp; the pixel does so by itself.',
  fbc: 'Send the cookie _fbc, or what it is made of (fbclid), as user_data.browser_ids.fbc; the pixel does so by itself.',
  first_name: 'Send user_data.first_name from the order or the account.',
  last_name: 'Send user_data.last_name from the order or the account.',
  postal_code: 'Send user_data.zip from the delivery address.',
};

export function issueFix(field: string, code: string): string {
  return Object.hasOwn(ISSUES, code) ? ISSUES[code as IdentityIssue['code']](field) : `Look at ${field}.`;
}

export const fieldFix = (field: KnownField): string => FIELDS[field] ?? `Send ${field}.`;
