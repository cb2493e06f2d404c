// What becomes of a run. Guarantees: pure; a run that is over has no lease and stays as it is; what is told of it holds nothing
// that was written. Refuses nothing.
import { type Committed, eventEntry } from './event-payload.ts';
import type { OutboxEntry } from './outbox.ts';
import type { Citation, Run } from './run.ts';
import { iso } from './wire-views.ts';

export const RUN_TRIES_MAX = 3;
/** Longer than a function lasts. */
export const RUN_LEASE_MS = 300_000;
const PAUSES_MS = [10_000, 60_000];

/** Why a run failed, as callers read it. */
export const RUN_ERRORS = {
  noProvider: 'no AI provider configured',
  superseded: 'superseded',
  ticketGone: 'the ticket is gone',
  rejected: 'the ticket was rejected',
  budget: 'the AI budget of the day is used up',
  provider: 'the AI provider failed',
  unreadable: 'the AI answer could not be read',
  died: 'the worker ended before it was done',
} as const;
export type RunError = (typeof RUN_ERRORS)[keyof typeof RUN_ERRORS];

export const isOver = ({ status }: Run): boolean => status === 'completed' || status === 'failed';

/** True where somebody may begin it, or begin it again. */
export const isFree = (run: Run, nowMs: number): boolean =>
  run.status === 'pending' || (run.status === 'running' && (run.leaseUntilMs ?? 0) <= nowMs);

export const claimed = (run: Run, nowMs: number): Run => ({
  ...run,
  status: 'running',
  attempts: run.attempts + 1,
  leaseUntilMs: nowMs + RUN_LEASE_MS,
  startedAtMs: run.startedAtMs ?? nowMs,
});

/** Waits for another try. */
export const released = (run: Run): Run => ({ ...run, status: 'pending', leaseUntilMs: null });

/** Until the try after this one. */
export const pauseMs = ({ attempts }: Run): number => PAUSES_MS[attempts - 1] ?? PAUSES_MS.at(-1) ?? 0;

/** What it rests on is written down before the note is, so that whoever finds the note knows. */
export const withDraft = (
  run: Run,
  of: Pick<Run, 'provider' | 'model' | 'usage'> & { readonly citations: readonly Citation[] },
): Run => ({ ...run, ...of });

export const completed = (run: Run, noteId: string | null, nowMs: number): Run => ({
  ...run,
  status: 'completed',
  outputMessageId: noteId,
  citations: noteId === null ? [] : run.citations,
  error: null,
  leaseUntilMs: null,
  completedAtMs: nowMs,
});

export const failed = (run: Run, error: RunError, nowMs: number): Run => ({
  ...run,
  status: 'failed',
  citations: [],
  error,
  leaseUntilMs: null,
  completedAtMs: nowMs,
});

/** What follows from the end of a run. */
export function runOutbox(run: Run, at: Committed): readonly OutboxEntry[] {
  if (!isOver(run)) return [];
  return [eventEntry(run.status === 'completed' ? 'run.completed' : 'run.failed', { run: runView(run) }, at)];
}

export function runView(run: Run) {
  const time = (ms: number | null) => (ms === null ? null : iso(ms));
  return {
    id: run.id,
    ticket_id: run.ticketId,
    status: run.status,
    kind: run.kind,
    trigger: run.trigger,
    trigger_message_id: run.triggerMessageId,
    provider: run.provider,
    model: run.model,
    output_message_id: run.outputMessageId,
    citations: run.citations.map(({ articleId, title, score }) => ({ article_id: articleId, title, score })),
    error: run.error,
    usage:
      run.usage === null
        ? null
        : { input_tokens: run.usage.inputTokens, output_tokens: run.usage.outputTokens },
    attempts: run.attempts,
    created_at: iso(run.createdAtMs),
    started_at: time(run.startedAtMs),
    completed_at: time(run.completedAtMs),
  };
}
