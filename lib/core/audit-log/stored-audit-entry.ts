// An entry of the audit log as it is stored.
import * as z from 'zod';
import type { AuditEntry, AuditedRequest } from './audit-entry.ts';

export const STORED_AUDIT_ENTRY: z.ZodType<AuditEntry> = z.looseObject({
  id: z.string(),
  merchantId: z.string(),
  atMs: z.number(),
  actor: z.string(),
  action: z.string(),
  subject: z.string(),
  outcome: z.literal('unknown').exactOptional(),
  request: z
    .looseObject({
      id: z.string(),
      ip: z.string().exactOptional(),
      userAgent: z.string().exactOptional(),
      callerName: z.string().exactOptional(),
    } satisfies Record<keyof AuditedRequest, z.ZodType>)
    .exactOptional(),
} satisfies Record<keyof AuditEntry, z.ZodType>);
