// The signature that X expects of a request, from the standard (RFC 5849, sections 3.4.1, 3.4.2 and 3.6) and not from what
// signs requests here.
import { createHmac } from 'node:crypto';

export type Parameter = readonly [name: string, value: string];

/** Section 3.6: byte by byte, capitals in the escapes. */
const escaped = (text: string): string =>
  Array.from(Buffer.from(text, 'utf8'), (byte) => {
    const sign = String.fromCharCode(byte);
    return /[\w.~-]/.test(sign) ? sign : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }).join('');

/** Sections 3.4.1 and 3.4.2; `secrets`: of the consumer, then of the token. */
export function signatureOf(
  method: string,
  url: string,
  parameters: readonly Parameter[],
  secrets: readonly string[],
): string {
  // By name, then by value: nothing sorts before the blank that keeps the two apart.
  const sorted = parameters.map((pair) => pair.map(escaped).join(' ')).sort();
  const normalized = sorted.map((pair) => pair.replace(' ', '=')).join('&');
  const base = [method.toUpperCase(), url, normalized].map(escaped).join('&');
  return createHmac('sha1', secrets.map(escaped).join('&')).update(base).digest('base64');
}
