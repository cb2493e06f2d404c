// SHA-256 as every platform wants it. Guarantees: lowercase hex of the UTF-8 bytes.
import { hash } from 'node:crypto';
import type { Sha256Hex } from './identity.ts';

const SHORT_CODE = /^[a-z0-9]{1,2}$/;
/** Genders, countries and most states: at most 1332 entries, and the same few on nearly every event. */
const shortCodes = new Map<string, Sha256Hex>();

/** @param text non-empty and normalized */
export function sha256(text: string): Sha256Hex {
  return text.length > 2 ? hash('sha256', text, 'hex') : sha256OfShort(text);
}

function sha256OfShort(text: string): Sha256Hex {
  const known = shortCodes.get(text);
  if (known !== undefined) return known;
  const digest = hash('sha256', text, 'hex');
  if (SHORT_CODE.test(text)) shortCodes.set(text, digest);
  return digest;
}
