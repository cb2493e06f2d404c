// What the name of a parameter or of a member of custom data says about its value. Pure, linear: names are read up to 256
// characters.

import { hasCard } from './card-number.ts';
import type { PersonalKind } from './kinds.ts';
import { isNationalIdValue } from './national-id.ts';
import { isPhoneValue } from './phone-number.ts';
import { base64Within, readingsOf } from './readings.ts';

const NAME_MAX_CHARS = 256;
/** Splits `resetToken`, `APIKey`, `billing[last_name]` and `x-auth.key` into words. */
const BETWEEN_WORDS = /[^\p{L}\p{N}]+|(?<=[\p{Ll}\d])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;

export const wordsOf = (name: string): readonly string[] =>
  name
    .slice(0, NAME_MAX_CHARS)
    .split(BETWEEN_WORDS)
    .flatMap((word) => (word === '' ? [] : [word.toLowerCase()]));

/** Names that a longer look is worth. Anything that `kindByName` finds has one of these in its name. */
export const SPEAKING =
  /tok|pass|pwd|otp|sid|ses|key|sig|auth|reset|secret|jwt|bearer|csrf|xsrf|contras|motde|code|phone|tel|mobil|cell|msisdn|whatsapp|handy|gsm|fax|sms|pin(?![a-z])|name|nom|vorn|apell|cogn|str|rue|calle|addr|dob|birth|geburt|naiss|card|cc|pan|cvv|cvc|karte|ssn|social|nino|national|cpf|nir|insee|codice|dni|nie|nif|aadha|bsn|burger|pesel|personn|tax|steuer|identity/i;

const set = (words: string): ReadonlySet<string> => new Set(words.split(' '));
const ends = (words: string): RegExp => new RegExp(`(?:${words.replaceAll(' ', '|')})$`);

const PHONE = set(
  'phone phones phonenumber phoneno telephone tel mobile mobilenumber mobilephone cell cellphone msisdn whatsapp telefon telefono handy handynummer gsm fax sms',
);
const NUMBERED = set('number no nr num nummer 1 2');
const PERSON = ends(
  'firstname lastname givenname familyname surname fullname middlename maidenname customername recipientname billingname shippingname cardholdername contactname nachname vorname prenom apellido apellidos cognome',
);
const PERSON_WORDS = set('fname lname');
const STREET = ends('street street1 street2 address address1 address2 addr strasse straße streetaddress');
const NO_STREET = set('ip mac email mail web wallet id');
const BIRTH = ends(
  'dob birth birthday birthdate dateofbirth birthyear geburtsdatum geburtstag datenaissance',
);
const CARD = ends('creditcard debitcard cardnumber cardno ccnumber ccnum kreditkarte kartennummer');
const CARD_WORDS = set('card cc pan');
const CARD_CODE = set('cvv cvc cvv2 cvc2');
const NATIONAL = ends(
  'ssn socialsecurity socialsecuritynumber nino nationalinsurance nationalinsurancenumber cpf insee codicefiscale dni aadhaar aadhar aadhaarnumber bsn burgerservicenummer pesel personnummer nationalid nationalidnumber passport passportnumber passportno taxid steuerid identitynumber',
);
const NATIONAL_WORDS = set('nir nie nif');
const PASSWORD = ends('password passwd passwort pwd passphrase passcode motdepasse contrasena');
const ONE_TIME = set('otp totp');
const SECRET = ends('token sessionid sessid apikey accesskey secretkey authkey privatekey signature secret');
const SECRET_WORDS = set(
  'token reset sid session sessions key sig auth authorization jwt bearer csrf xsrf phpsessid jsessionid',
);
/** What may follow such a word: of `key_feature` and `session_duration` it is none. */
const AFTER_SECRET = set('id code key token hash value string password link');

/** Names of what shops and advertising put into addresses: long, random, and of no use to a finder. */
const TRACKING =
  /^(?:utm_.+|hsa_.+|mc_[ce]id|_?(?:ga|gl|gac|gid)(?:_.+)?|gad_(?:source|campaignid)|g(?:clid|braid|clsrc)|wbraid|dclid|fbclid|fbp|fbc|_fb[pc]|ttclid|ttp|_ttp|twclid|msclkid|li_fat_id|rdt_cid|rdt_uuid|epik|_epik|sc_?c(?:lick_?|)id|sc_cookie1|_?kx|oppref|tblci|dicbo|ob_?click_?id|outbrainclickid|crto_mapped_user_id|srsltid|irclickid|irgwc|yclid|wickedid|zanpid|awc|cjevent|ranmid|raneaid|ransiteid|vmcid|igshid|si|_hsenc|_hsmi|ref_?|dm_i|_sid|_pos|_psq|_ss|_fid|_v)$/;
const ORDERED =
  /(?:^|_)(?:order|orders|transaction|item|items|content|contents|product|products|variant|variants|sku|skus|upc|ean|gtin|isbn|asin|mpn|tracking|shipment|invoice|cart|checkout|collection|category|coupon|campaign|adset|ad|group|creative)(?:_?(?:id|ids|no|number|code|sku|skus))?$/;

export type Exemption = 'tracking' | 'ordered' | null;

/** Click ids and `utm_*`, or ids of orders and items: random and numeric by nature. */
export function exemptionOf(name: string): Exemption {
  const lower = name.toLowerCase();
  if (TRACKING.test(lower)) return 'tracking';
  return ORDERED.test(lower) ? 'ordered' : null;
}

/**
 * The kind that the name gives away, if the value could be one, however it is encoded; null otherwise. `words`: of the name,
 * from the outermost.
 */
export function kindByName(words: readonly string[], value: string): PersonalKind | null {
  const readings = readingsOf(value);
  for (const reading of readings) {
    const kind = kindOfReading(words, reading);
    if (kind !== null) return kind;
  }
  for (const reading of base64Within(readings.at(-1) ?? '')) {
    const kind = kindOfReading(words, reading);
    if (kind !== null) return kind;
  }
  return null;
}

function kindOfReading(words: readonly string[], value: string): PersonalKind | null {
  const text = value.trim();
  if (text === '' || NO_VALUE.test(text)) return null;
  const joined = words.join('');
  const last = words.at(-1) ?? '';
  if (isSecret(words, joined, text)) return 'secret';
  if (NATIONAL.test(joined) || NATIONAL_WORDS.has(last))
    return isNationalIdValue(text) ? 'national_id' : null;
  if (CARD_CODE.has(last)) return /^\d{3,4}$/.test(text) ? 'card' : null;
  if (CARD.test(joined) || words.some((word) => CARD_WORDS.has(word))) if (hasCard(text, true)) return 'card';
  if (isPhoneName(words)) return isPhoneValue(text) ? 'phone' : null;
  return isPersonal(words, joined, text) ? 'person' : null;
}

const NO_VALUE = /^(?:true|false|yes|no|on|off|null|undefined|none|asc|desc|\d|\[removed\])$/i;
const DIGEST = /^[\da-f]{32,64}$/i;
/** Unix seconds: what analytics call a session. */
const UNIX_TIME = /^1\d{9}$/;

function isSecret(words: readonly string[], joined: string, value: string): boolean {
  if (PASSWORD.test(joined) || words.some((word) => ONE_TIME.has(word))) return true;
  if (words.at(-1) === 'pin' && /^\d{4,8}$/.test(value)) return true;
  if (UNIX_TIME.test(value)) return false;
  // Codes that a person types in are short.
  if (joined.endsWith('token') ? !/\s/.test(value) : joined.startsWith('reset') && /^\d{4,}$/.test(value))
    return true;
  const isNamed =
    SECRET.test(joined) ||
    words.some(
      (word, at) =>
        (SECRET_WORDS.has(word) || word.endsWith('token')) &&
        (at === words.length - 1 || AFTER_SECRET.has(words[at + 1] ?? '')),
    );
  return isNamed && (words.at(-1) === 'key' ? isRandom(value) : couldOpen(value));
}

/** Of `key`, which also names attributes: `wc_order_Ab12Cd34Ef56g`, not `color1`. */
const isRandom = (value: string): boolean =>
  /^\d{8,}$/.test(value) ||
  value.split(/[_.-]/).some((piece) => piece.length >= 8 && /[a-z]/i.test(piece) && couldOpen(piece));

/** Six characters and more that are neither one plain word nor prose. */
export function couldOpen(value: string): boolean {
  if (value.length < 6 || /\s/.test(value)) return false;
  return /\d/.test(value) || /[a-z][A-Z]|[A-Z]{2}[a-z]/.test(value) || /^[A-Za-z]{20,}$/.test(value);
}

function isPhoneName(words: readonly string[]): boolean {
  const last = words.at(-1) ?? '';
  if (PHONE.has(last)) return true;
  return NUMBERED.has(last) && PHONE.has(words.at(-2) ?? '');
}

function isPersonal(words: readonly string[], joined: string, value: string): boolean {
  if (DIGEST.test(value)) return false;
  const hasLetter = /\p{L}/u.test(value);
  if (PERSON.test(joined) || PERSON_WORDS.has(words.at(-1) ?? '')) return hasLetter;
  if (BIRTH.test(joined)) return /\d{4}|\d[./ -]{1,2}\d{1,2}[./ -]{1,2}\d/.test(value);
  if (!STREET.test(joined) || words.some((word) => NO_STREET.has(word)) || value.includes('://'))
    return false;
  // A title may end in a street and go on with a price.
  return hasLetter && /[\d ]/.test(value) && !/[$€£%]/.test(value);
}
