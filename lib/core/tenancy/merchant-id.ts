// Ids of merchants that are made from what was asked for, so that a repeated request meets the merchant of the first one.
import { hash } from 'node:crypto';

/** A UUID of version 8. */
export function merchantIdOf(...parts: readonly (string | number)[]): string {
  const digits = hash('sha256', JSON.stringify(parts), 'hex');
  const variant = ((Number.parseInt(digits.charAt(16), 16) & 3) | 8).toString(16);
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `8${digits.slice(13, 16)}`,
    `${variant}${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ].join('-');
}
