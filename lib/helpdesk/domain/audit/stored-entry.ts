// An entry of the helpdesk's audit log as it is stored.
import * as z from 'zod';
import type { HelpdeskAuditEntry } from './entry.ts';

export const STORED_AUDIT_ENTRY: z.ZodType<HelpdeskAuditEntry> = z.looseObject({
  id: z.string(),
  workspaceId: z.string(),
  atMs: z.number(),
  action: z.string(),
  actor: z.looseObject({
    type: z.enum(['user', 'api_key', 'system']),
    id: z.string(),
    label: z.string(),
  } satisfies Record<keyof HelpdeskAuditEntry['actor'], z.ZodType>),
  source: z.enum(['server', 'client']),
  resourceType: z.string().nullable(),
  resourceId: z.string().nullable(),
  changes: z.string().nullable(),
  metadata: z.string().nullable(),
  ip: z.string().nullable(),
  userAgent: z.string().nullable(),
  requestId: z.string().nullable(),
} satisfies Record<keyof HelpdeskAuditEntry, z.ZodType>);
