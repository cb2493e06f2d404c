import * as z from 'zod';
import type { StoredAs } from '#lib/core/record/stored-type.ts';

export const STORED_AUDIT_ENTRY = z.looseObject({
  /** UUIDv7. */
  id: z.string(),
  workspaceId: z.string(),
  atMs: z.number(),
  /** e.g. `ticket.closed` */
  action: z.string(),
  actor: z.looseObject({
    type: z.enum(['user', 'api_key', 'system']),
    id: z.string(),
    label: z.string(),
  }),
  /** `client`: what a caller recorded of itself. */
  source: z.enum(['server', 'client']),
  resourceType: z.string().nullable(),
  resourceId: z.string().nullable(),
  /** Field → from and to, as JSON text. */
  changes: z.string().nullable(),
  /** JSON text of an object. */
  metadata: z.string().nullable(),
  ip: z.string().nullable(),
  userAgent: z.string().nullable(),
  requestId: z.string().nullable(),
});
/** Who changed what, as the audit log shows it. Written once, never changed; holds no secret and no message. */
export type HelpdeskAuditEntry = StoredAs<typeof STORED_AUDIT_ENTRY>;
