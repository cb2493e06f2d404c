// The rules of identity normalization in words, for the reference documentation and for debugging a digest. Guarantees,
// checked by a test: every variant of HashedIdentity and RawIdentity is here exactly once.
import type { HashedIdentity, IdentityIssue, RawIdentity } from './identity.ts';

type IdentityVariant = keyof HashedIdentity | keyof RawIdentity;
type Rules = Readonly<Record<string, { readonly [V in IdentityVariant]?: string }>>;

/** Wire field → variant → rule. Where two fields feed one variant they are joined by ` or ` or ` and `. */
export const IDENTITY_RULES = {
  email: {
    emailPlain:
      'Whitespace, `mailto:`, a name around it and a dot behind it removed, lowercase, NFC; SHA-256. What is not an address is left out.',
    emailGoogle: 'As emailPlain; at gmail.com and googlemail.com dots and the +tag are dropped.',
    emailGa4: 'As emailPlain; at gmail.com and googlemail.com dots are dropped and the +tag is kept.',
    emailReddit:
      'As emailPlain; the +tag and everything but a-z and 0-9 is dropped before the @, at any domain.',
    emailMicrosoft: 'As emailPlain; dots and the +tag are dropped before the @, at any domain.',
    emailAmazon:
      'As emailPlain; before the @ only a-z, 0-9 and . + - are kept; left out where the domain is not ASCII.',
  },
  phone: {
    phoneDigits:
      'Digits with the country code, no plus, no extension, no leading zeros; SHA-256. Where the country code cannot be found, the digits as sent.',
    phoneE164:
      'A plus and the digits with the country code; SHA-256. Left out where no country code can be found.',
  },
  first_name: {
    firstName: 'Lowercase, NFC, without punctuation, symbols and whitespace, accents kept; SHA-256.',
    firstNameGoogle:
      'Lowercase words of letters separated by one space, accents kept, without digits, symbols, titles (Mrs) and suffixes (Jr); SHA-256.',
    firstNameAlnum: 'Lowercase a-z and 0-9 only; SHA-256.',
  },
  last_name: {
    lastName: 'As first_name.',
    lastNameGoogle: 'As first_name.',
    lastNameAlnum: 'As first_name.',
  },
  gender: {
    gender: 'f or m, of a letter or an unmistakable word; SHA-256. Anything else is left out.',
    genderOrN:
      'f, m or n (non-binary), of a letter or an unmistakable word; SHA-256. Anything else is left out.',
  },
  date_of_birth: {
    dateOfBirth:
      'YYYYMMDD; SHA-256. Read from ISO dates and from other formats where only one date is possible; otherwise left out, as are dates after the day of receipt.',
  },
  city: {
    city: 'Lowercase, NFC, without spaces and punctuation, accents and digits kept; SHA-256.',
    cityAlnum: 'Lowercase a-z and 0-9 only; SHA-256.',
  },
  state: {
    state:
      'The lowercase ISO 3166-2 code without its country, from a code or a name; SHA-256. Without a country, names of US states are understood.',
    stateAlnum: 'The same code; where the name is unknown, its a-z and 0-9; SHA-256.',
  },
  'zip or postal_code': {
    postalCode:
      'US: the first five digits. Elsewhere lowercase without spaces, hyphens and the sign of the country (`D-`). Zeros that a spreadsheet dropped are put back where the country has such codes. SHA-256.',
  },
  country: { country: 'Lowercase ISO 3166-1 alpha-2, from a code or an English name; SHA-256.' },
  'customer_id and external_ids': {
    externalIds: 'Trimmed and lowercased; SHA-256. customer_id first, each once.',
    externalIdsCased: 'Trimmed, case kept; SHA-256. customer_id first, each once.',
  },
  'client_ip or ip': { clientIp: 'A valid address, as sent.' },
  user_agent: { userAgent: 'Trimmed, as sent.' },
  madid: { madid: 'Lowercase; as it is, and its SHA-256 for platforms that take that.' },
  fb_login_id: { fbLoginId: 'Trimmed, as sent.' },
  subscription_id: { subscriptionId: 'Trimmed, as sent.' },
  lead_id: { leadId: 'Trimmed, as sent.' },
  anon_id: { anonId: 'Trimmed, as sent.' },
  ctwa_clid: { ctwaClid: 'Trimmed, as sent.' },
  browser_ids: {
    browserIds: 'Each trimmed, as sent.',
  },
} as const satisfies Rules;

/** What each issue means to the merchant who sent the value. */
export const IDENTITY_ISSUES: Readonly<Record<IdentityIssue['code'], string>> = {
  empty: 'Empty, or nothing left after normalization; left out.',
  literal_null:
    'A literal that stands for no value: null, undefined, NaN, [object Object], an unfilled template, customer 0, an all-zero advertiser id; left out.',
  hash_of_empty:
    'The digest of such a literal or of empty text; left out, it would be the same for everybody.',
  already_hashed:
    'A SHA-256 already: used as it is for every variant. Platforms that normalize e-mail or phone differently may not match it; send the plain value.',
  double_hashed: 'The digest of a digest of no value; left out.',
  not_an_email: 'Not an e-mail address; left out.',
  phone_without_country_code:
    'No leading + or 00 and no country to read it in: the country code is assumed to be there, or missing from the digest.',
  not_a_phone: 'Not a phone number, or none of the stated country; left out.',
  zip_plus_four: 'A nine-digit ZIP code; the first five digits are used.',
  unknown_country: 'Neither an ISO 3166-1 code nor a known name; left out.',
  unknown_state:
    'Neither a subdivision code nor a known name of the country; left out where a code is needed.',
  unknown_gender: 'None of f, m and n; left out.',
  not_a_date: 'Not a date, one that can be read in two ways, or a date of birth in the future; left out.',
  not_an_ip: 'Not an IPv4 or IPv6 address; left out.',
  unknown_property: 'A property the event schema does not have; ignored.',
  unknown_consent:
    'Consent was refused for a category that is not known here: advertising and analytics are denied.',
  repeated_order: 'Another event is counted as this order: the order is in revenue once.',
  refund_reduced: 'A refund of more than was left of its order: what was left is taken back.',
  refund_repeated: 'A refund whose event_id was taken before: it takes nothing back.',
  refund_refused:
    'A refund in another currency than its order, without a value and a known order, or above 100 of one order: it takes nothing back.',
  order_unknown: 'A refund of an order that no purchase named yet: it is counted with that.',
  browser_copy_differs:
    'A browser event of the same event_id said something else and may have gone out before: platforms get this one under an id of its own.',
  not_an_identifier:
    'No identifier of a click or browser as its platform makes them (a blank in it, an `fbc` or `fbp` that is not `fb.<n>.<milliseconds>.<id>`); left out.',
  click_out_of_time:
    'An `fbc` or `fbp` from after the event was received, or an `fbc` from more than 90 days before it happened; left out.',
  page_missing:
    'An event of a website without the address of its page, which platforms match by; it is sent without.',
  email_removed: 'An e-mail address where none belongs; platforms get the event without it.',
  phone_removed: 'As email_removed: a phone number.',
  person_removed: 'As email_removed: a name, a street or a date of birth, by the name of its parameter.',
  card_removed: 'As email_removed: a card number.',
  iban_removed: 'As email_removed: a bank account.',
  secret_removed: 'As email_removed: a password, token or session.',
  national_id_removed: 'As email_removed: a national identity number.',
  personal_data_allowed: 'A parameter that the account allows let something personal through.',
  person_suppressed:
    'The person was erased or objected, and is on the list of the merchant: identity, addresses and custom data were left out.',
  malformed:
    'Broken text (lone surrogates, control characters), whitespace inside an e-mail address (removed), a postal code of no valid form, or an MD5 or SHA-1; left out unless said.',
};
