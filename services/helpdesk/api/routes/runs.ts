// Runs of the language model: read, and asked for by hand. Guarantees: what is asked for is committed with the conversation it is
// of, so that it is made however the request ends.
import { hasCopy } from '../../../../lib/core/http/etag.ts';
import type { Handlers } from '../../../../lib/core/http/handler.ts';
import { auditEntry } from '../../../../lib/helpdesk/domain/audit.ts';
import { idOfRequest } from '../../../../lib/helpdesk/domain/derived-id.ts';
import type { OutboxEntry } from '../../../../lib/helpdesk/domain/outbox.ts';
import { RUN_STATUSES } from '../../../../lib/helpdesk/domain/run.ts';
import { runView } from '../../../../lib/helpdesk/domain/run-change.ts';
import type { Ticket } from '../../../../lib/helpdesk/domain/ticket.ts';
import { timerOf } from '../../../../lib/helpdesk/domain/ticket-transition.ts';
import { TOTAL_MAX } from '../../../../lib/helpdesk/ports/stores.ts';
import type { RUN_ROUTES } from '../../../../lib/helpdesk/routes/runs.ts';
import { change } from '../../../../lib/helpdesk/work/commit.ts';
import { newRun } from '../../../../lib/helpdesk/work/effects/run.ts';
import { shown } from '../conditions.ts';
import type { HelpdeskApiPorts } from '../ports.ts';
import { capped, tooFar } from '../totals.ts';

const NOT_FOUND = { failure: 'not_found' } as const;
const OFFSET_END = 10_000;

export function runHandlers(ports: HelpdeskApiPorts): Handlers<(typeof RUN_ROUTES)[number]> {
  const { stores, clock, random } = ports;
  return {
    async listRuns({ caller, query }) {
      const { ticket_id: ticketId, status, limit, offset } = query;
      if (offset + limit > OFFSET_END) return tooFar('offset');
      const statuses = status === undefined ? RUN_STATUSES : [status];
      const listed = await stores.lists.runs(
        caller.merchantId,
        { statuses, ...(ticketId === undefined ? {} : { ticketId }) },
        { limit, offset },
      );
      const rows = await stores.runs.readMany(caller.merchantId, listed.ids);
      const runs = rows
        .map(({ record }) => record)
        .filter((run) => statuses.includes(run.status))
        .map(runView);
      return {
        status: 200,
        body: { success: true, runs, total: listed.total, limit, offset },
        headers: capped({ isCapped: listed.total >= TOTAL_MAX }),
      };
    },

    async getRun({ caller, params, headers }) {
      const stored = await stores.runs.read(caller.merchantId, params.id);
      if (stored === null) return NOT_FOUND;
      const { record, etag } = shown(stored);
      if (hasCopy(headers['if-none-match'], etag)) return { status: 304, body: undefined, headers: { etag } };
      return { status: 200, body: runView(record), headers: { etag } };
    },

    async createRun({ caller, body, requestId, clientIp, userAgent, idRoot }) {
      const workspaceId = caller.merchantId;
      const atMs = clock.now();
      const entry: Extract<OutboxEntry, { kind: 'run' }> = {
        kind: 'run',
        runId: idOfRequest(idRoot, 'run', () => random.uuidv7(atMs)),
        noteId: random.uuidv7(atMs),
        ticketId: body.ticket_id,
        trigger: 'manual',
        messageId: null,
        atMs,
      };
      const asked: OutboxEntry = {
        kind: 'audit',
        entry: auditEntry(
          { caller, requestId, clientIp, userAgent },
          { action: 'run.requested', resourceType: 'run', resourceId: entry.runId },
          { id: random.uuidv7(atMs), atMs },
        ),
      };
      let isAsked = false;
      const read = async (workspace: string, id: string): ReturnType<typeof stores.tickets.read> => {
        const stored = await stores.tickets.read(workspace, id);
        // After the ticket, which is written only as it was read: of two attempts one asks for it.
        isAsked = idRoot !== undefined && (await stores.runs.read(workspace, entry.runId)) !== null;
        return stored;
      };
      const isThere = await change<Ticket, boolean>(
        { ...stores.tickets, read },
        { workspaceId, id: body.ticket_id },
        (stored) => {
          if (stored === null || isAsked) return { result: stored !== null };
          const { record } = stored;
          return { record, outbox: [entry, asked], dueAtMs: timerOf(record), result: true };
        },
        ports,
      );
      if (!isThere) return NOT_FOUND;
      const stored = await stores.runs.read(workspaceId, entry.runId);
      return {
        status: 201,
        body: runView(stored?.record ?? newRun(workspaceId, entry)),
        headers: { location: `/api/v1/runs/${entry.runId}` },
      };
    },
  };
}
