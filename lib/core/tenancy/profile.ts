// What every product reads of a merchant. A product that stores settings of its own in the profile extends the schema.
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
