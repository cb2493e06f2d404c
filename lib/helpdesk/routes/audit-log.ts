// Reading who changed what, and recording a change of settings that happened elsewhere.
import * as z from 'zod';
import { defineRoute } from '../../core/http/route.ts';
import { limitParam } from '../../core/routes/list-query.ts';
import { OFFSET_MAX } from '../domain/account/limits.ts';
import { CAPPED, count, freeForm, line, older, success, successReply, time, timeMs, v1 } from './wire.ts';

const FREE_MAX_BYTES = 16_384;
const NAME_MAX_CHARS = 100;
const ID_MAX_CHARS = 300;
export const AUDIT_FACETS = ['action', 'actor', 'resource_type'] as const;
export type AuditFacet = (typeof AUDIT_FACETS)[number];

const free = z.record(z.string(), z.unknown()).nullable();

export const auditEntryBody = z
  .strictObject({
    id: z.string(),
    created_at: time,
    action: z.string(),
    actor: z.object({ type: z.enum(['user', 'api_key', 'system']), id: z.string(), label: z.string() }),
    source: z.enum(['server', 'client']).meta({ description: '`client`: what a caller recorded itself.' }),
    resource_type: z.string().nullable(),
    resource_id: z.string().nullable(),
    changes: free.meta({ description: 'Field → `{from, to}`; what people wrote and secrets are hidden.' }),
    metadata: free,
    ip: z.string().nullable(),
    user_agent: z.string().nullable(),
    request_id: z.string().nullable(),
  })
  .meta({ id: 'HelpdeskAuditEntry' });

const listPosition = (description: string, min: number) =>
  z
    .string()
    .regex(/^[0-9]{1,5}$/, `must be between ${min} and ${OFFSET_MAX}`)
    .transform(Number)
    .pipe(z.int().min(min).max(OFFSET_MAX))
    .optional()
    .meta({ type: 'integer', minimum: min, maximum: OFFSET_MAX, description });

const facetNames = z
  .string()
  .max(100)
  .transform((text, context): readonly AuditFacet[] => {
    const names = text === 'true' ? AUDIT_FACETS : text.split(',').map((name) => name.trim());
    const known = AUDIT_FACETS.filter((name) => names.includes(name));
    if (names.every((name) => (AUDIT_FACETS as readonly string[]).includes(name))) return known;
    context.addIssue({ code: 'custom', message: `must be true, or some of ${AUDIT_FACETS.join(', ')}` });
    return z.NEVER;
  })
  .optional();

const query = z.strictObject({
  limit: limitParam(50, 100),
  page: listPosition('Number of the page, from 1 on.', 1),
  offset: listPosition('Entries before the page.', 0),
  cursor: z.string().min(1).max(600).optional().meta({
    description: '`next_cursor` of the page before, with the same filters; without `page` and `offset`.',
  }),
  action: line(NAME_MAX_CHARS).optional(),
  actor_id: line(ID_MAX_CHARS).optional(),
  resource_type: line(NAME_MAX_CHARS).optional(),
  resource_id: line(ID_MAX_CHARS).optional(),
  source: z.enum(['server', 'client']).optional(),
  from: timeMs.optional().meta({ description: 'At or after.' }),
  to: timeMs.optional().meta({ description: 'Before.' }),
  facets: facetNames.meta({ description: `\`true\`, or some of ${AUDIT_FACETS.join(', ')}.` }),
});

const facet = z.array(z.object({ value: z.string(), count }));
const reply = z
  .object({
    success,
    entries: z.array(auditEntryBody),
    total: count.meta({ description: 'Exact up to 10,000.' }),
    page: z.int().min(1),
    limit: z.int(),
    totalPages: count,
    next_cursor: z.string().nullable().meta({ description: 'Null after the last entry.' }),
    facets: z
      .object({ action: facet.optional(), actor: facet.optional(), resource_type: facet.optional() })
      .optional()
      .meta({ description: 'Over the newest 10,000 entries that match.' }),
    facets_truncated: z.boolean().optional(),
  })
  .meta({ id: 'AuditLogResponse' });

/** Loose: settings that say who changed them and when are taken, and that is not believed. */
const recordBody = z.object({
  action: z.string().regex(/^settings\.[a-z0-9_.]{1,90}$/, 'must be settings. and lower-case letters'),
  resource_type: line(NAME_MAX_CHARS).optional(),
  resource_id: line(ID_MAX_CHARS).optional(),
  changes: freeForm(FREE_MAX_BYTES).optional(),
  metadata: freeForm(FREE_MAX_BYTES).optional(),
});

const managed = v1('manage:workspace');
const listed = {
  method: 'GET',
  summary: 'Who changed what, newest first; entries are never changed and are kept for 400 days',
  query,
  replies: { 200: reply },
  replyHeaders: CAPPED,
  errors: [],
} as const;
const recorded = {
  method: 'POST',
  summary: 'Record a change of settings; the caller, the time and the source are set here',
  idempotent: true,
  body: recordBody,
  replies: { 201: successReply },
  errors: [],
} as const;

export const HELPDESK_AUDIT_ROUTES = [
  defineRoute({ ...older('manage:workspace'), ...listed, id: 'findAuditEntries', path: '/api/audit-log' }),
  defineRoute({ ...managed, ...recorded, id: 'recordSettingsChange', path: '/api/audit-log' }),
  defineRoute({ ...managed, ...listed, id: 'listAuditEntries', path: '/api/v1/audit-log' }),
  defineRoute({ ...managed, ...recorded, id: 'createAuditEntry', path: '/api/v1/audit-log' }),
] as const;
