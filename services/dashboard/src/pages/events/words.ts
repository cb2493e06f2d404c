// What the API says by a code, in words. A code without words does not compile; one that a newer API knows is written plainly.
import type { OutcomeKind } from '#lib/events/domain/deliveries/delivery.ts';
import type { ConsentSignal } from '#lib/events/domain/event/consent.ts';
import type { IdentityIssue } from '#lib/events/domain/identity/identity.ts';
import type { STATUSES } from '#lib/events/routes/events.ts';

const STATUS: Readonly<Record<(typeof STATUSES)[number], string>> = {
  processing: 'not looked at yet',
  pending: 'to be sent',
  not_connected: 'not connected',
  not_selected: 'sent again to other platforms only',
  connection_paused: 'waits, for its connection is paused',
  rule_excluded: 'kept back by a rule',
  consent_denied: 'withheld: consent was denied',
  consent_missing: 'withheld: the connection requires a consent that was not granted',
  event_not_listed: 'withheld: not in the list of the connection',
  invalid: 'lacks what the platform requires',
  unmapped: 'no such event there',
  too_old: 'older than the platform accepts',
  bot: 'from a crawler or a headless browser',
  personal_found: 'withheld: something personal was found in it',
  suppressed: 'of a person who was erased or objected',
  server_copy: 'yielded to its server copy',
  same_order: 'has the order from another event',
  not_taken_back: 'not taken back by this platform',
  test_mode: 'withheld: it came with a test key',
  delivered: 'delivered',
  failed: 'refused by the platform',
  error: 'given up',
  skipped: 'not sent',
  QUEUED: 'waits for its first attempt',
  SENDING: 'is being sent',
  DELIVERED: 'delivered',
  RETRY: 'waits to be sent again',
  FAILED: 'refused by the platform',
  ERROR: 'given up',
  SKIPPED: 'not sent',
};

export const SIGNALS = {
  ad_user_data: 'user data for ads',
  ad_personalization: 'personal ads',
  ad_storage: 'storage for ads',
  analytics: 'analytics',
} as const satisfies Readonly<Record<ConsentSignal, string>>;

const OUTCOME: Readonly<Record<OutcomeKind, string>> = {
  delivered: 'taken',
  duplicate: 'known there already',
  retry: 'to be tried again',
  rate_limited: 'asked to wait',
  auth: 'credentials refused',
  permanent: 'refused for good',
  batch_refused: 'refused with others',
};

/** After the name of a field. */
const ISSUE: Readonly<Record<IdentityIssue['code'], string>> = {
  empty: 'is empty',
  literal_null: 'is a word like “null”',
  hash_of_empty: 'is the hash of nothing',
  already_hashed: 'came hashed',
  double_hashed: 'looks hashed twice',
  not_an_email: 'is no e-mail address',
  phone_without_country_code: 'has no country code',
  not_a_phone: 'is no phone number',
  zip_plus_four: 'is a ZIP+4',
  unknown_country: 'is no country',
  unknown_state: 'is no state of the country',
  unknown_gender: 'is neither f nor m',
  not_a_date: 'is no date',
  not_an_ip: 'is no IP address',
  unknown_property: 'is not known',
  repeated_order: 'is the order of another purchase, too',
  refund_reduced: 'is more than was left of the order',
  refund_repeated: 'is that of an earlier refund',
  refund_refused: 'does not fit its order: nothing is taken back',
  order_unknown: 'is of no known order',
  browser_copy_differs: 'is not what the browser sent',
  malformed: 'is not well formed',
  person_suppressed: 'is of a person who was erased or objected',
  email_removed: 'goes out without an e-mail address it held',
  phone_removed: 'goes out without a phone number it held',
  person_removed: 'goes out without a name, a street or a date of birth it held',
  card_removed: 'goes out without a card number it held',
  iban_removed: 'goes out without a bank account it held',
  secret_removed: 'goes out without a password, a token or a session it held',
  national_id_removed: 'goes out without a national identity number it held',
  personal_data_allowed: 'lets something personal through, as the account allows',
  not_an_identifier: 'is no identifier of a click or a visitor',
  click_out_of_time: 'is of a click in the future, or of one that is too old',
  page_missing: 'is missing, or no address of the web',
  unknown_consent:
    'is a refusal under a name that is not known: it counts as one of advertising and of analytics',
};

const wordsIn = (words: Readonly<Record<string, string>>, code: string): string =>
  Object.hasOwn(words, code) ? (words[code] ?? code) : code.replaceAll('_', ' ').toLowerCase();

/** Of a delivery or a verdict; absent where there is neither. */
export const statusWords = (status: string = 'not_connected'): string => wordsIn(STATUS, status);
export const outcomeWords = (outcome: string): string => wordsIn(OUTCOME, outcome);
export const issueWords = (code: string): string => wordsIn(ISSUE, code);
