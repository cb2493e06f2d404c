// The values orders are made of, each with the kind of case it is. Chosen so that every rule the vendors document, and every
// habit of senders we know of, is met: several thousand combinations come from a few hundred values.

/** A value as a shop might send it, and what it is about. */
export interface Sample {
  readonly kind: string;
  readonly value: string | null;
}

const samples = (kind: string, ...values: readonly (string | null)[]): readonly Sample[] =>
  values.map((value) => ({ kind, value }));

/** SHA-256 of nothing: what a shop sends that hashes before it looks. */
const DIGEST_OF_NOTHING = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
/** SHA-256 of jane@example.com. */
export const DIGEST_OF_JANE = '8c87b489ce35cf2e2f39f80e282cb2e804932a56a213983eeeb428407d43b52d';

/** What programs print for "no value". */
export const POISON = samples(
  'poison',
  'null',
  'undefined',
  'NULL',
  '[object Object]',
  'N/A',
  DIGEST_OF_NOTHING,
);
const EMPTY = samples('empty', '', '   ', null);

export const EMAILS: readonly Sample[] = [
  ...samples('plain', 'jane@example.com', 'j.doe@shop.example', 'info@example.co.uk', 'a1@b2.io'),
  ...samples('upper', 'Jane.Doe@Example.COM', 'JANE@EXAMPLE.ORG'),
  ...samples('padded', '  jane@example.com ', '\tJ.Doe@Example.com\n'),
  ...samples('gmail', 'jane.doe@gmail.com', 'j.a.n.e@googlemail.com', 'Jane.Q.Doe+shop@gmail.com'),
  ...samples('gmail look-alike', 'jane.doe@gmail.example', 'jane.doe@gmailer.com'),
  ...samples('tagged', 'jane+news@example.com', 'jane.doe+a+b@example.com'),
  ...samples('symbols', 'jane-doe@example.com', 'jane_doe@example.com', "o'brien@example.ie"),
  ...samples('inner space', 'jane doe@example.com', 'jane@ example.com'),
  ...samples('unicode', 'jörg@example.de', 'jane@münchen.example', '用户@例子.example'),
  ...samples('invalid', 'not-an-email', 'jane@localhost', '@example.com', 'jane@@example.com', 'a@b..com'),
  ...samples('hashed', DIGEST_OF_JANE),
  ...samples('hashed upper', DIGEST_OF_JANE.toUpperCase()),
  ...POISON,
  ...EMPTY,
];

/** Numbers that exist by their country's plan: country, calling code, national number as dialled after it, trunk prefix. */
export const NUMBERS: readonly (readonly [country: string, code: string, national: string, trunk: string])[] =
  [
    ['US', '1', '6505551212', ''],
    ['CA', '1', '4165550123', ''],
    ['GB', '44', '2079460958', '0'],
    ['GB', '44', '7911123456', '0'],
    ['DE', '49', '30123456', '0'],
    ['DE', '49', '15112345678', '0'],
    ['FR', '33', '612345678', '0'],
    ['IT', '39', '0612345678', ''],
    ['ES', '34', '612345678', ''],
    ['NL', '31', '612345678', '0'],
    ['CH', '41', '791234567', '0'],
    ['SE', '46', '701234567', '0'],
    ['PL', '48', '512345678', ''],
    ['AU', '61', '412345678', '0'],
    ['NZ', '64', '211234567', '0'],
    ['JP', '81', '9012345678', '0'],
    ['KR', '82', '1012345678', '0'],
    ['IN', '91', '9876543210', '0'],
    ['BR', '55', '11961234567', '0'],
    ['MX', '52', '5512345678', ''],
    ['AE', '971', '501234567', '0'],
    ['ZA', '27', '821234567', '0'],
  ];

const pairs = (digits: string): string => digits.replace(/(..)(?=.)/g, '$1 ');
const wide = (text: string): string =>
  text.replace(/\d/g, (digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0));

/** Ways to write one number; `national` ones need the country to be read. */
export const PHONE_FORMS: readonly {
  readonly kind: string;
  readonly national?: true;
  readonly write: (code: string, national: string, trunk: string) => string;
}[] = [
  { kind: 'e164', write: (code, national) => `+${code}${national}` },
  { kind: 'spaced', write: (code, national) => ` +${code} ${pairs(national)}` },
  {
    kind: 'punctuated',
    write: (code, national) =>
      `+${code}-(${national.slice(0, 3)})-${national.slice(3, 6)}.${national.slice(6)}`,
  },
  { kind: '00 prefix', write: (code, national) => `00${code} ${national}` },
  { kind: 'no plus', write: (code, national) => `${code}${national}` },
  {
    kind: 'trunk zero',
    write: (code, national, trunk) =>
      trunk === '' ? `+${code} ${national}` : `+${code} (${trunk})${national}`,
  },
  { kind: 'extension', write: (code, national) => `+${code} ${national} ext. 12` },
  { kind: 'full width', write: (code, national) => wide(`+${code} ${national}`) },
  { kind: 'national', national: true, write: (_code, national, trunk) => `${trunk}${pairs(national)}` },
];

export const PHONE_ODDITIES: readonly Sample[] = [
  ...samples('too short', '1234', '+1 555'),
  ...samples('too long', '+49 1234567890123456789'),
  ...samples('letters', '1-800-FLOWERS', 'call me'),
  ...samples('hashed', DIGEST_OF_JANE),
  ...POISON,
  ...EMPTY,
];

export const NAMES: readonly Sample[] = [
  ...samples('plain', 'Jane', 'DOE', 'li', '  Smith '),
  ...samples('hyphen', 'Anne-Marie', 'Smith–Jones'),
  ...samples('apostrophe', "O'Brien", 'D’Angelo'),
  ...samples('words', 'Mary Jane', 'van der Berg', 'de  la Cruz'),
  ...samples('accents', 'José', 'Müller', 'Łukasz', 'Øystein', 'Şeyma', 'raphaël'),
  ...samples('decomposed', 'Jose\u0301'),
  ...samples('script', 'Иван', '山田', 'محمد', 'Γιώργος'),
  ...samples('title', 'Dr. Jane', 'Doe Jr.', 'Mrs Jane'),
  ...samples('symbols', 'Eve 😀', 'R2D2', 'J.', '---'),
  ...samples('hashed', DIGEST_OF_JANE),
  ...POISON,
  ...EMPTY,
];

export const GENDERS: readonly Sample[] = [
  ...samples('letter', 'f', 'm', 'F', ' M '),
  ...samples('word', 'female', 'Male'),
  ...samples('other word', 'woman', 'Frau', 'mr', 'hombre'),
  ...samples('unknown', 'other', 'nonbinary', 'x', 'widow'),
  ...POISON,
  ...EMPTY,
];

export const BIRTH_DATES: readonly Sample[] = [
  ...samples('compact', '19900131', '20001231'),
  ...samples('iso', '1990-01-31', '1990-1-3', '1990-01-31T00:00:00Z'),
  ...samples('local', '31.01.1990', '01/31/1990', '31/01/1990'),
  ...samples('words', 'January 31, 1990'),
  ...samples('ambiguous', '04/05/1990'),
  ...samples('impossible', '1990-02-30', '19901331', '1850-01-01', 'unknown', '1990'),
  ...POISON,
  ...EMPTY,
];

/** A place whose parts belong together: country as written, ISO code, state, state code, city, postal code. */
export interface Place {
  readonly country: string;
  readonly iso: string;
  readonly state: string;
  readonly stateCode: string;
  readonly city: string;
  readonly zip: string;
}

const place = (
  country: string,
  iso: string,
  state: string,
  stateCode: string,
  city: string,
  zip: string,
): Place => ({ country, iso, state, stateCode, city, zip });

export const PLACES: readonly Place[] = [
  place('US', 'US', 'CA', 'ca', 'Menlo Park', '94025'),
  place('us', 'US', 'California', 'ca', 'San José', '95112-1234'),
  place('United States', 'US', 'New York', 'ny', 'New York', ' 10001 '),
  place('USA', 'US', 'nc', 'nc', 'Winston-Salem', '271011234'),
  place('US', 'US', 'District of Columbia', 'dc', 'Washington D.C.', '20001'),
  place('US', 'US', 'West Virginia', 'wv', 'Charleston', '25301'),
  place('CA', 'CA', 'ON', 'on', 'St. Catharines', 'L2R 7K4'),
  place('Canada', 'CA', 'British Columbia', 'bc', 'Vancouver', 'V5K-0A1'),
  place('ca', 'CA', 'Québec', 'qc', 'Montréal', 'H2Y 1C6'),
  place('GB', 'GB', '', '', 'London', 'SW1A 1AA'),
  place('United Kingdom', 'GB', 'ENG', 'eng', 'Stoke-on-Trent', 'ST1 1AA'),
  place('DE', 'DE', 'BY', 'by', 'München', '80331'),
  place('Germany', 'DE', 'Bayern', 'by', 'Nürnberg', '90402'),
  place('FR', 'FR', '', '', "L'Haÿ-les-Roses", '94240'),
  place('BR', 'BR', 'SP', 'sp', 'São Paulo', '01310-100'),
  place('JP', 'JP', '13', '13', '東京', '100-0001'),
  place('NL', 'NL', '', '', "'s-Hertogenbosch", '5211 AB'),
  place('AU', 'AU', 'NSW', 'nsw', 'Sydney', '2000'),
  place('Australia', 'AU', 'New South Wales', 'nsw', 'Wagga Wagga', '2650'),
  place('AE', 'AE', 'DU', 'du', 'Dubai', ''),
  place('IN', 'IN', 'MH', 'mh', 'Mumbai', '400001'),
  place('IE', 'IE', '', '', 'Dublin', 'D02 AF30'),
  place('PL', 'PL', '', '', 'Łódź', '90-001'),
];

export const PLACE_ODDITIES: readonly Sample[] = [
  ...samples('unknown', 'Narnia', 'Zz', 'Atlantis 7', '42!'),
  ...samples('hashed', DIGEST_OF_JANE),
  ...POISON,
  ...EMPTY,
];

export const CUSTOMER_IDS: readonly Sample[] = [
  ...samples('plain', 'cust-42', '100234', 'a1b2c3'),
  ...samples('cased', 'Cust-42', 'ABC123'),
  ...samples('padded', ' 42 ', 'Cust-42 '),
  ...samples('inner space', 'Cust 42', 'Jane D 7'),
  ...samples('e-mail', 'jane@example.com'),
  ...samples('zero', '0'),
  ...samples('hashed', DIGEST_OF_JANE),
  ...POISON,
  ...EMPTY,
];

export const ADDRESSES: readonly Sample[] = [
  ...samples('v4', '203.0.113.7', '8.8.8.8'),
  ...samples('v6', '2001:db8::1', '2001:0DB8:0000:0000:0000:0000:0000:0001'),
  ...samples('invalid', '999.1.1.1', '203.0.113.7:443', 'unknown'),
  ...EMPTY,
];

export const USER_AGENTS: readonly Sample[] = [
  ...samples(
    'desktop',
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36',
  ),
  ...samples(
    'ios',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148',
  ),
  ...samples(
    'android',
    'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36',
  ),
];

export const ADVERTISING_IDS: readonly Sample[] = [
  ...samples('lower', '6d92078a-8246-4ba4-ae5b-76104861e7dc'),
  ...samples('upper', '6D92078A-8246-4BA4-AE5B-76104861E7DC'),
  ...samples('zero', '00000000-0000-0000-0000-000000000000'),
];

/** By digits after the point, so that each is met. */
export const CURRENCIES: readonly string[] = [
  ...[
    'USD',
    'EUR',
    'GBP',
    'CAD',
    'AUD',
    'BRL',
    'INR',
    'MXN',
    'PLN',
    'CHF',
    'SEK',
    'AED',
    'ZAR',
    'NGN',
    'HUF',
  ],
  ...['JPY', 'KRW', 'CLP', 'VND', 'ISK', 'XAF', 'UGX', 'PYG'],
  ...['KWD', 'BHD', 'JOD', 'TND', 'OMR'],
  ...['usd', ' eur '],
];

export const ITEM_IDS: readonly string[] = ['SKU-1', '42', 'Schuh größe 9', '靴-7', 'a/b:c', "it's"];
