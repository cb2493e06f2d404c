import * as z from 'zod';
import type { StoredAs } from '../record/stored-type.ts';

const request = z.looseObject({
  id: z.string(),
  ip: z.string().exactOptional(),
  userAgent: z.string().exactOptional(),
  /** Of a key, its name at that time. */
  callerName: z.string().exactOptional(),
});

export const STORED_AUDIT_ENTRY = z.looseObject({
  id: z.string(),
  merchantId: z.string(),
  atMs: z.number(),
  /** `user:<sub>` or `key:<keyId>`; of news from outside where it came from: `stripe:<event id>`. */
  actor: z.string(),
  /** e.g. `connection.create`; where the outcome is unknown the operation that was asked for. */
  action: z.string(),
  /** Id of the record. */
  subject: z.string(),
  /** The request ended before it could say what it had done. Absent: done. */
  outcome: z.literal('unknown').exactOptional(),
  /** Where it was asked for; only of products whose log shows it. */
  request: request.exactOptional(),
});
/** Who did what to which record. Written once, never changed. */
export type AuditEntry = StoredAs<typeof STORED_AUDIT_ENTRY>;
