// Creates a run unless its row exists, and supersedes earlier pending runs of the same ticket.
// Guarantees: one row per run id; a run that a worker has begun is not changed; a late call supersedes no newer run.
import type { OutboxEntry, Stored } from '../../domain/outbox.ts';
import { failed, RUN_ERRORS, runOutbox } from '../../domain/runs/change.ts';
import type { Run } from '../../domain/runs/run.ts';
import type { DrainPorts } from '../drain.ts';
import { pendingOf, storedOf } from '../stored-of.ts';
import { pointTo } from './point-to.ts';

/** A ticket normally has one pending run; a crash between two steps can leave a few more. */
const WAITING_MAX = 100;

/** Returns the runs it superseded, with what must follow from that. */
export async function ensureRun(
  workspaceId: string,
  entry: Extract<OutboxEntry, { kind: 'run' }>,
  ports: DrainPorts,
): Promise<readonly Stored<Run>[]> {
  const { stores, runs, report } = ports;
  const { runId: id, ticketId, atMs } = entry;
  const isNew = await stores.runs.put(pendingOf(newRun(workspaceId, entry), atMs), null);
  const query = { statuses: ['pending'], ticketId } as const;
  const { ids } = await stores.lists.runs(workspaceId, query, { limit: WAITING_MAX, offset: 0 });
  const earlier = await stores.runs.readMany(
    workspaceId,
    // A new run is later than all others, because the ticket's next commit waits until this one's outbox is drained. If
    // the run existed already, its id decides: ids are in the order of time.
    ids.filter((other) => (isNew ? other !== id : other < id)),
  );
  const superseded = await Promise.all(earlier.map((run) => supersede(run, ports)));
  if (isNew) await pointTo(runs, { workspaceId, id }, workspaceId, report);
  return superseded.filter((run) => run !== null);
}

export function newRun(
  workspaceId: string,
  { runId, noteId, ticketId, trigger, messageId, atMs }: Extract<OutboxEntry, { kind: 'run' }>,
): Run {
  return {
    id: runId,
    workspaceId,
    ticketId,
    status: 'pending',
    kind: 'draft_reply',
    trigger,
    triggerMessageId: messageId,
    provider: null,
    model: null,
    noteId,
    outputMessageId: null,
    citations: [],
    error: null,
    usage: null,
    attempts: 0,
    leaseUntilMs: null,
    createdAtMs: atMs,
    startedAtMs: null,
    completedAtMs: null,
  };
}

/** Null if it is no longer pending. */
async function supersede(
  { record, version, outbox }: Stored<Run>,
  { stores, clock, random }: DrainPorts,
): Promise<Stored<Run> | null> {
  if (record.status !== 'pending' || outbox.length > 0) return null;
  const nowMs = clock.now();
  const ended = failed(record, RUN_ERRORS.superseded, nowMs);
  const at = { version: version + 1, atMs: nowMs, newId: () => random.uuidv7(nowMs) };
  const next = storedOf(ended, {
    version: version + 1,
    outbox: runOutbox(ended, at),
    timerAtMs: null,
    nowMs,
  });
  return (await stores.runs.put(next, version)) ? next : null;
}
