// The audit log, by page and by cursor. Guarantees: cursor pages show each entry that existed at the first page exactly
// once, even if entries are appended in the meantime; a cursor of another workspace, with other filters, or forged is
// refused; entries that callers record are marked as theirs and cannot look like entries of the service.
import * as z from 'zod';
import { settleAudits } from '#lib/core/audit-log/audited.ts';
import type { Handlers } from '#lib/core/http/handler.ts';
import { idOfRequest, timeOfUuidv7 } from '#lib/helpdesk/domain/account/derived-id.ts';
import { whoOf } from '#lib/helpdesk/domain/audit/audit.ts';
import { auditView } from '#lib/helpdesk/domain/wire-views.ts';
import type { HELPDESK_AUDIT_ROUTES } from '#lib/helpdesk/routes/audit-log.ts';
import { invalid, listed, tooFar } from '../answers.ts';
import { type AuditFilter, type AuditScan, scanAudit } from '../audit-scan.ts';
import { helpdeskAudits } from '../audits.ts';
import type { HelpdeskApiPorts } from '../ports.ts';
import { createSealedCursor, type SealedCursor } from '../sealed-cursor.ts';

type AuditHandlers = Handlers<(typeof HELPDESK_AUDIT_ROUTES)[number]>;
/** By its fields, so that a call of the older path has the type of its v1 twin. */
type Shape<T> = { readonly [Key in keyof T]: T[Key] };
type CallOf<Id extends keyof AuditHandlers> = Shape<Parameters<AuditHandlers[Id]>[0]>;
type AnswerOf<Id extends keyof AuditHandlers> = ReturnType<AuditHandlers[Id]>;

const PAGE_END = 10_000;

const positionSchema = z.object({
  t: z.int().nonnegative(),
  i: z.string().min(1).max(100),
  /** The number of the page that begins there. */
  p: z.int().min(1),
  n: z.int().nonnegative(),
  c: z.boolean(),
});
type Position = z.output<typeof positionSchema>;

export function helpdeskAuditHandlers(ports: HelpdeskApiPorts): AuditHandlers {
  const cursors = createSealedCursor('audit', positionSchema, ports.vault);
  const list = (call: CallOf<'listAuditEntries'>) => listEntries(call, cursors, ports);
  const record = (call: CallOf<'createAuditEntry'>) => recordEntry(call, ports);
  return {
    findAuditEntries: list,
    listAuditEntries: list,
    recordSettingsChange: record,
    createAuditEntry: record,
  };
}

async function listEntries(
  { caller, query }: CallOf<'listAuditEntries'>,
  cursors: SealedCursor<Position>,
  ports: HelpdeskApiPorts,
): AnswerOf<'listAuditEntries'> {
  const { limit, cursor, page, offset, facets = [], ...filter } = query;
  const problem = problemOf(query);
  if (problem !== null) return problem;
  const { merchantId: workspaceId } = caller;
  const filters = Object.entries(filter).sort(([a], [b]) => (a < b ? -1 : 1));
  const position = cursor === undefined ? undefined : await cursors.read(workspaceId, filters, cursor);
  if (position === null) return invalid('cursor', 'must come from a page of this very query');
  const skip = position === undefined ? (offset ?? ((page ?? 1) - 1) * limit) : 0;
  if (offset === undefined && skip + limit > PAGE_END) return tooFar('page');
  const audits = helpdeskAudits(ports.audits, ports.stores);
  if (position === undefined) await settleAudits(workspaceId, { config: audits, clock: ports.clock });
  const scan = await scanAudit(
    workspaceId,
    filter,
    {
      skip,
      limit,
      before: position === undefined ? undefined : { atMs: position.t, id: position.i },
      facets: position === undefined ? facets : [],
      counts: position === undefined,
    },
    ports.stores.audit,
  );
  const counted = position === undefined ? scan : await countFacets(workspaceId, filter, facets, ports);
  const number = position?.p ?? Math.floor(skip / limit) + 1;
  const total = position?.n ?? scan.total;
  const isCapped = position?.c ?? scan.isCapped;
  const next = scan.next;
  const next_cursor =
    next === null
      ? null
      : await cursors.write(workspaceId, filters, {
          t: next.atMs,
          i: next.id,
          p: number + 1,
          n: total,
          c: isCapped,
        });
  return listed(
    {
      entries: scan.entries.map(auditView),
      total,
      page: number,
      limit,
      totalPages: Math.ceil(total / limit),
      next_cursor,
      ...(facets.length === 0 ? {} : { facets: facetsOf(counted), facets_truncated: counted.isCapped }),
    },
    { isCapped },
  );
}

/** Over all entries that match, not only the page. */
async function countFacets(
  workspaceId: string,
  filter: AuditFilter,
  facets: Parameters<typeof scanAudit>[2]['facets'],
  { stores }: HelpdeskApiPorts,
): Promise<Pick<AuditScan, 'facets' | 'isCapped'>> {
  if (facets.length === 0) return { facets: {}, isCapped: false };
  return await scanAudit(workspaceId, filter, { skip: 0, limit: 0, facets, counts: true }, stores.audit);
}

const facetsOf = ({ facets }: Pick<AuditScan, 'facets'>) =>
  Object.fromEntries(
    Object.entries(facets).map(([name, counts]) => [name, counts.map((one) => ({ ...one }))]),
  );

function problemOf({ cursor, page, offset, from, to }: CallOf<'listAuditEntries'>['query']) {
  if (cursor !== undefined && (page !== undefined || offset !== undefined))
    return invalid('cursor', 'must not come with page or offset');
  if (page !== undefined && offset !== undefined) return invalid('offset', 'must not come with page');
  if (from !== undefined && to !== undefined && from >= to) return invalid('to', 'must be after from');
  return null;
}

async function recordEntry(
  call: CallOf<'createAuditEntry'>,
  { stores, clock, random }: HelpdeskApiPorts,
): AnswerOf<'createAuditEntry'> {
  const { action, resource_type, resource_id, changes, metadata } = call.body;
  // Derived from the first attempt: an entry of this time and id is written once.
  const id = idOfRequest(call.idRoot, 'entry', () => random.uuidv7(clock.now()));
  const atMs = timeOfUuidv7(id);
  await stores.audit.append({
    ...whoOf(call),
    id,
    atMs,
    action,
    source: 'client',
    resourceType: resource_type ?? null,
    resourceId: resource_id ?? null,
    changes: changes === undefined ? null : JSON.stringify(changes),
    metadata: metadata === undefined ? null : JSON.stringify(metadata),
  });
  return { status: 201, body: { success: true, id } };
}
