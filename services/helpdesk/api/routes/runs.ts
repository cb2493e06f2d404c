// Runs of the language model: read, and asked for by hand. Guarantees: what is asked for is committed with the conversation it is
// of, so that it is made however the request ends.
import type { Handlers } from '#lib/core/http/handler.ts';
import { idOfRequest } from '#lib/helpdesk/domain/account/derived-id.ts';
import { auditEntry } from '#lib/helpdesk/domain/audit/audit.ts';
import type { OutboxEntry, Stored } from '#lib/helpdesk/domain/outbox.ts';
import { runView } from '#lib/helpdesk/domain/runs/change.ts';
import { RUN_STATUSES, type Run } from '#lib/helpdesk/domain/runs/run.ts';
import type { Ticket } from '#lib/helpdesk/domain/tickets/ticket.ts';
import { timerOf } from '#lib/helpdesk/domain/tickets/transition.ts';
import { TOTAL_MAX } from '#lib/helpdesk/ports/stores.ts';
import type { RUN_ROUTES } from '#lib/helpdesk/routes/runs.ts';
import { change } from '#lib/helpdesk/work/commit.ts';
import { newRun } from '#lib/helpdesk/work/effects/run.ts';
import { answeredUnlessKnown, listed, NOT_FOUND, shown } from '../answers.ts';
import type { HelpdeskApiPorts } from '../ports.ts';

/** Runs that may still write. */
const LIVE = ['pending', 'running'] as const;

export function runHandlers(ports: HelpdeskApiPorts): Handlers<(typeof RUN_ROUTES)[number]> {
  const { stores, clock, random } = ports;
  return {
    async listRuns({ caller, query }) {
      const { ticket_id: ticketId, status, limit, offset } = query;
      const statuses = status === undefined ? RUN_STATUSES : [status];
      const { ids, total } = await stores.lists.runs(
        caller.merchantId,
        { statuses, ...(ticketId === undefined ? {} : { ticketId }) },
        { limit, offset },
      );
      const rows = await stores.runs.readMany(caller.merchantId, ids);
      const runs = rows
        .map(({ record }) => record)
        .filter((run) => statuses.includes(run.status))
        .map(runView);
      return listed({ runs, total, limit, offset }, { isCapped: total >= TOTAL_MAX });
    },

    async getRun({ caller, params, headers }) {
      const stored = await stores.runs.read(caller.merchantId, params.id);
      return stored === null ? NOT_FOUND : answeredUnlessKnown(shown(stored), headers, runView);
    },

    async createRun(call) {
      const { caller, body, idRoot } = call;
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
      const what = { action: 'run.requested', resourceType: 'run', resourceId: entry.runId };
      const asked = auditEntry(call, what, { id: random.uuidv7(atMs), atMs });
      let asking: Run | null = null;
      const read = async (workspace: string, id: string): ReturnType<typeof stores.tickets.read> => {
        const stored = await stores.tickets.read(workspace, id);
        // After the ticket, which is written only as it was read: of several requests one asks for it.
        asking = stored === null ? null : await askedAlready(stored, entry.runId, ports);
        return stored;
      };
      const run = await change<Ticket, Run | null>(
        { ...stores.tickets, read },
        { workspaceId, id: body.ticket_id },
        (stored) => {
          if (stored === null || asking !== null) return { result: asking };
          const { record } = stored;
          const result = newRun(workspaceId, entry);
          return {
            record,
            outbox: [entry, { kind: 'audit', entry: asked }],
            dueAtMs: timerOf(record),
            result,
          };
        },
        ports,
      );
      if (run === null) return NOT_FOUND;
      const stored = await stores.runs.read(workspaceId, run.id);
      return {
        status: 201,
        body: runView(stored?.record ?? run),
        headers: { location: `/api/v1/runs/${run.id}` },
      };
    },
  };
}

/**
 * What asks for a draft of this conversation as it is: an earlier attempt of this request, or another one that was made since
 * the last message and still waits or runs.
 */
async function askedAlready(
  { record: { workspaceId, id: ticketId, lastMessageAtMs }, outbox }: Stored<Ticket>,
  runId: string,
  { stores }: Pick<HelpdeskApiPorts, 'stores'>,
): Promise<Run | null> {
  const waiting = outbox.find((entry) => entry.kind === 'run' && entry.trigger === 'manual');
  if (waiting?.kind === 'run') return newRun(workspaceId, waiting);
  const own = await stores.runs.read(workspaceId, runId);
  if (own !== null) return own.record;
  const query = { statuses: LIVE, ticketId } as const;
  const { ids } = await stores.lists.runs(workspaceId, query, { limit: 1, offset: 0 });
  const [live] = await stores.runs.readMany(workspaceId, ids);
  const isOfNow = live?.record.trigger === 'manual' && live.record.createdAtMs >= (lastMessageAtMs ?? 0);
  return live !== undefined && isOfNow ? live.record : null;
}
