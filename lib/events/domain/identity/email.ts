// E-mail: five ways to normalize one address, because five platforms hash it differently.
// Guarantees: a variant whose local part would be empty is absent. Refuses: what is not an address (issue
// `not_an_email`): a repaired guess may be another person's address. Quoted local parts and address literals are
// refused too. What an address is wrapped in is taken off (issue `malformed`): there is nothing to guess.

import { sha256 } from './digest.ts';
import { type IdentityDraft, isPrintableAscii, note, readHashable } from './draft.ts';
import type { Sha256Hex } from './identity.ts';
import { lowercase } from './letters.ts';

/** RFC 5321 4.5.3.1. */
const LOCAL_MAX_CHARS = 64;
const ADDRESS_MAX_CHARS = 254;

const SPACE = /\s/;
const SPACES = /\s+/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it refuses
const LOCAL = /^[^\u0000-\u0020\u007f-\u00a0"(),:;<>@[\\\]]+$/;
const DOMAIN = /^[a-z0-9.\-\u00a1-\uffff]+$/;
const DIGITS = /^[0-9]+$/;
const ALNUM = /^[a-z0-9]+$/;
const NOT_ALNUM = /[^a-z0-9]+/g;
const AMAZON = /^[a-z0-9.+-]+$/;
const NOT_AMAZON = /[^a-z0-9.+-]+/g;

interface Address {
  readonly local: string;
  readonly domain: string;
}

/** Null when `address` (lowercase, no whitespace) is not a deliverable-looking address. */
function splitAddress(address: string): Address | null {
  const at = address.indexOf('@');
  if (at < 1 || at > LOCAL_MAX_CHARS || address.length > ADDRESS_MAX_CHARS) return null;
  const local = address.slice(0, at);
  const domain = address.slice(at + 1);
  if (!LOCAL.test(local) || !DOMAIN.test(domain) || domain.includes('..')) return null;
  const dot = domain.lastIndexOf('.');
  const top = domain.slice(dot + 1);
  if (dot < 1 || top.length < 2 || DIGITS.test(top)) return null;
  if (domain.startsWith('.') || domain.startsWith('-') || domain.endsWith('-')) return null;
  return { local, domain };
}

/** Full-width forms of ASCII, as keyboards of East Asia write them. */
const FULL_WIDTH = /[\uff01-\uff5e]/g;
const NAMED = /^[^<>]*<([^<>]+)>$/;
const WRAPPED = /^mailto:|>$|\.$/;

/** An address without the link, the name or the dot it was copied with. */
function unwrapped(text: string): string {
  const narrow = text.replace(FULL_WIDTH, (char) => String.fromCharCode(char.charCodeAt(0) - 0xfee0));
  const inside = (NAMED.exec(narrow)?.[1] ?? narrow).trim().replace(/^mailto:/, '');
  return inside.endsWith('.') ? inside.slice(0, -1) : inside;
}

function withoutTag(local: string): string {
  const plus = local.indexOf('+');
  return plus === -1 ? local : local.slice(0, plus);
}

function withoutDots(local: string): string {
  return local.includes('.') ? local.replaceAll('.', '') : local;
}

export function addEmail(draft: IdentityDraft): void {
  const { hashed } = draft;
  const value = readHashable(draft, 'email', draft.userData.email);
  if (value === null) return;
  if (value.digest !== null) {
    // The address is unknown, and so are its variants. Almost all senders hash trim + lowercase: right for the plain
    // variant, and for the others if the address has no dot, tag or symbol that they drop. A wrong guess costs a match
    // that would not have been made anyway.
    const digest = value.digest;
    hashed.emailPlain = digest;
    hashed.emailGoogle = digest;
    hashed.emailGa4 = digest;
    hashed.emailReddit = digest;
    hashed.emailMicrosoft = digest;
    hashed.emailAmazon = digest;
    return;
  }
  const lower = lowercase(value.text);
  const isBare = isPrintableAscii(lower) && !WRAPPED.test(lower);
  const bare = isBare ? lower : unwrapped(lower);
  const plain = SPACE.test(bare) ? bare.replace(SPACES, '') : bare;
  const address = splitAddress(plain);
  if (address === null) {
    note(draft, 'email', 'not_an_email');
    return;
  }
  if (plain !== lower) note(draft, 'email', 'malformed');
  draft.plain.email = plain;
  addVariants(draft, address);
}

/** Digests of local parts at one domain; none for an empty one, which every address of the domain would share. */
function digestsAt(domain: string): (local: string) => Sha256Hex | undefined {
  const locals: string[] = [];
  const digests: Sha256Hex[] = [];
  return (local) => {
    if (local === '') return undefined;
    const known = digests[locals.indexOf(local)];
    if (known !== undefined) return known;
    const digest = sha256(`${local}@${domain}`);
    locals.push(local);
    digests.push(digest);
    return digest;
  };
}

/** Most variants are equal: each distinct local part is hashed once. */
function addVariants(draft: IdentityDraft, { local, domain }: Address): void {
  const { hashed } = draft;
  const untagged = withoutTag(local);
  const undotted = withoutDots(local);
  const bare = withoutDots(untagged);
  const isGmail = domain === 'gmail.com' || domain === 'googlemail.com';
  const digestOf = digestsAt(domain);
  const plain = digestOf(local);
  if (plain !== undefined) hashed.emailPlain = plain;
  const google = digestOf(isGmail ? bare : local);
  if (google !== undefined) hashed.emailGoogle = google;
  const ga4 = digestOf(isGmail ? undotted : local);
  if (ga4 !== undefined) hashed.emailGa4 = ga4;
  const microsoft = digestOf(bare);
  if (microsoft !== undefined) hashed.emailMicrosoft = microsoft;
  const reddit = digestOf(ALNUM.test(bare) ? bare : bare.replace(NOT_ALNUM, ''));
  if (reddit !== undefined) hashed.emailReddit = reddit;
  // A domain without some of its letters is another domain: no variant is better than a stranger's.
  const amazon = isPrintableAscii(domain)
    ? digestOf(AMAZON.test(local) ? local : local.replace(NOT_AMAZON, ''))
    : undefined;
  if (amazon !== undefined) hashed.emailAmazon = amazon;
}
