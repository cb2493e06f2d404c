import * as z from 'zod';
import type { StoredAs } from '#lib/core/record/stored-type.ts';

export const STORED_ACCOUNT = z.looseObject({
  /** The workspace id. */
  id: z.string(),
  workspaceId: z.string(),
  name: z.string(),
  /** BCP 47. */
  defaultLanguage: z.string(),
  /** IANA. */
  defaultTimezone: z.string(),
  /** A JSON object as text; what this service reads of it is in `account-config.ts`. */
  config: z.string(),
  createdAtMs: z.number(),
  updatedAtMs: z.number(),
});
/** The workspace as its agents configure it. Made of defaults at the first change. */
export type Account = StoredAs<typeof STORED_ACCOUNT>;
