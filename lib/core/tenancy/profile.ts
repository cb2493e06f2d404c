// What every product reads of a merchant. A product that stores settings of its own in the profile extends the schema.
import { hash } from 'node:crypto';
import * as z from 'zod';
import type { StoredAs } from '../record/stored-type.ts';

export const STORED_PROFILE = z.looseObject({
  merchantId: z.string(),
  name: z.string(),
  email: z.string(),
  createdAtMs: z.number(),
});
export type Profile = StoredAs<typeof STORED_PROFILE>;

export interface ProfileStore {
  /** What a process remembers of it may be half a minute old. */
  merchant(merchantId: string): Promise<Profile | null>;
}

/** Made from what was asked for, so that a repeated request meets the merchant of the first one. A UUID of version 8. */
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
