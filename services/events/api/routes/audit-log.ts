// GET /v1/audit-log. Guarantees: bounded, however many entries a filter leaves out; the pages of a list show every entry that
// was there for the first of them once; what was begun and never ended is in it.
import * as z from 'zod';
import type { AuditEntry } from '#lib/core/audit-log/audit-entry.ts';
import { settleAudits } from '#lib/core/audit-log/audited.ts';
import { type Handlers, refuse, type Success } from '#lib/core/http/handler.ts';
import { createListCursor, FOREIGN_CURSOR } from '#lib/core/http/list-cursor.ts';
import type { AUDIT_LOG_ROUTES, listAuditLog } from '#lib/events/routes/audit-log.ts';
import type { ApiPorts } from '../ports.ts';
import { iso } from '../wire-time.ts';

type EntryView = Success<typeof listAuditLog>['body']['entries'][number];

/** Read for one page at most, and at a time. */
const SCANNED_MAX = 2_000;
const READ_MAX = 200;

const cursors = createListCursor(
  z.strictObject({ t: z.int().nonnegative().max(8.64e15), i: z.string().min(1).max(100) }),
);

export function auditLogHandlers(ports: ApiPorts): Handlers<(typeof AUDIT_LOG_ROUTES)[number]> {
  return {
    async listAuditLog({ caller, query }) {
      const place = cursors.read(query);
      if (place === null) return FOREIGN_CURSOR;
      const { start: fromMs, end: toMs, limit } = query;
      if (fromMs !== undefined && toMs !== undefined && fromMs >= toMs)
        return refuse('end', 'must be after start');
      await settleAudits(caller.merchantId, ports);
      let before = place === undefined ? undefined : { atMs: place.t, id: place.i };
      const entries: EntryView[] = [];
      for (let scanned = 0; scanned < SCANNED_MAX; ) {
        const read = await ports.config.listAudit(caller.merchantId, READ_MAX, { fromMs, toMs, before });
        for (const entry of read) {
          before = { atMs: entry.atMs, id: entry.id };
          if (isAsked(entry, query)) entries.push(viewOf(entry));
          if (entries.length === limit) return page(entries, before);
        }
        scanned += read.length;
        if (read.length < READ_MAX) return page(entries, undefined);
      }
      return page(entries, before);

      function page(shown: EntryView[], last: Pick<AuditEntry, 'atMs' | 'id'> | undefined) {
        const next_cursor = cursors.write(query, last === undefined ? null : { t: last.atMs, i: last.id });
        return { status: 200, body: { success: true, entries: shown, limit, next_cursor } } as const;
      }
    },
  };
}

const isAsked = (
  entry: AuditEntry,
  { actor, action, subject }: Partial<Readonly<Record<'actor' | 'action' | 'subject', string | undefined>>>,
): boolean =>
  (actor === undefined || entry.actor === actor) &&
  (action === undefined || entry.action === action) &&
  (subject === undefined || entry.subject === subject);

const viewOf = ({ id, atMs, actor, action, subject, outcome }: AuditEntry): EntryView => ({
  id,
  at: iso(atMs),
  actor,
  action,
  subject,
  outcome: outcome ?? 'done',
});
