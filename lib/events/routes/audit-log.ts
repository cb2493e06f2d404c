// Reading who changed what.
import * as z from 'zod';
import { READS } from '../../core/routes/call-limits.ts';
import { cursorParam, nextCursor, succeeds } from '../../core/routes/wire.ts';
import { defineRoute, MANAGES } from './define-route.ts';
import { instant } from './instant.ts';

const LIMIT_MAX = 100;
const LIMIT_DEFAULT = 50;

const entry = z
  .object({
    id: z.string(),
    at: z.iso.datetime(),
    actor: z.string().meta({
      description:
        '`user:<id>`, `key:<id>`, `operator:<name>` for those who run the deployment, or `stripe:<event id>` where the payment provider changed something.',
    }),
    action: z.string().meta({ description: 'e.g. `connection.create`; the operation where it is unknown.' }),
    subject: z.string().meta({ description: 'Id of the record.' }),
    outcome: z.enum(['done', 'unknown']).meta({
      description: '`unknown`: the request failed or died before it could say whether it was done.',
    }),
  })
  .meta({ id: 'AuditEntry' });

export const listAuditLog = defineRoute({
  ...MANAGES,
  id: 'listAuditLog',
  rateLimit: READS,
  method: 'GET',
  path: '/v1/audit-log',
  summary: 'Who changed what, newest first; entries are never changed',
  query: z.strictObject({
    actor: z.string().min(1).max(300).optional(),
    action: z.string().min(1).max(100).optional(),
    subject: z.string().min(1).max(300).optional(),
    start: instant.optional().meta({ description: 'At or after.' }),
    end: instant.optional().meta({ description: 'Before.' }),
    limit: z
      .string()
      .regex(/^\d{1,3}$/, 'must be a whole number')
      .transform(Number)
      .pipe(z.int().min(1).max(LIMIT_MAX))
      .meta({ type: 'integer', minimum: 1, maximum: LIMIT_MAX })
      .default(LIMIT_DEFAULT),
    cursor: cursorParam,
  }),
  replies: succeeds({
    entries: z.array(entry),
    limit: z.int(),
    next_cursor: nextCursor,
  }),
});

export const AUDIT_LOG_ROUTES = [listAuditLog] as const;
