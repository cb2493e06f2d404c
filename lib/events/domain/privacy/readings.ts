// What a text may mean to who decodes it: as it is, percent-decoded up to four times, with `+` as a blank, and base64
// within it. Pure, total, linear in the length of the text.

/** Three of the value, one of an address that it stands in. */
const ROUNDS_MAX = 4;
const ENCODED = /(?:%[\da-f]{2})+/gi;
const NOT_ASCII = /[\u0080-\u{10ffff}]/u;
/** Characters without width, which split a value for a pattern and not for a reader. */
const INVISIBLE = /[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]/g;

/** The text and its decoded forms, each once, as written and as of a form (`+` is a blank). */
export function readingsOf(text: string): readonly string[] {
  const first = folded(text);
  if (!first.includes('%') && !first.includes('+')) return [first];
  const readings = new Set<string>();
  addRounds(first, readings);
  if (first.includes('+')) addRounds(first.replaceAll('+', ' '), readings);
  return [...readings];
}

/** Compatibility forms, such as full-width letters, as plain ones. */
const folded = (text: string): string =>
  NOT_ASCII.test(text) ? text.normalize('NFKC').replace(INVISIBLE, '') : text;

function addRounds(text: string, readings: Set<string>): void {
  let at = text;
  readings.add(at);
  for (let round = 0; round < ROUNDS_MAX && at.includes('%'); round++) {
    const decoded = folded(at.replace(ENCODED, decodedOr));
    if (decoded === at) return;
    readings.add(decoded);
    at = decoded;
  }
}

/** Bytes that are no UTF-8 are read as Latin-1, as old shops write them. */
function decodedOr(encoded: string): string {
  if (encoded.length === 3) {
    const code = Number.parseInt(encoded.slice(1), 16);
    if (code < 128) return String.fromCharCode(code);
  }
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded.replace(/%([\da-f]{2})/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
  }
}

const BASE64URL = /[\w-]{16,}/g;
const BASE64 = /[\w+/-]{16,}/g;
const BASE64_MAX_CHARS = 400;
/** Control characters other than blanks, and what stands for broken UTF-8. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it is about
const UNPRINTABLE = /[\u0000-\u0008\u000e-\u001f\u007f\ufffd]/;

/** Texts that lie in the text as base64 or base64url of 16 to 400 characters. */
export function base64Within(text: string): readonly string[] {
  const found: string[] = [];
  for (const [token] of text.matchAll(BASE64URL)) addDecoded(token, found);
  if (/[+/]/.test(text)) for (const [token] of text.matchAll(BASE64)) addDecoded(token, found);
  return found;
}

function addDecoded(token: string, found: string[]): void {
  if (token.length < 16 || token.length > BASE64_MAX_CHARS) return;
  // Most tokens are random: their first bytes say so.
  if (UNPRINTABLE.test(Buffer.from(token.slice(0, 8), 'base64').toString('latin1'))) return;
  const decoded = Buffer.from(token, 'base64').toString('utf8');
  if (!UNPRINTABLE.test(decoded)) found.push(decoded);
}
