// State changes of a run. Guarantees: pure; a finished run has no lease and does not change; its events contain no text
// that people wrote. Refuses nothing.
import { isHeld, takeLease } from '#lib/core/work/lease.ts';
import { type RetryPolicy, waitAfter } from '#lib/core/work/retry-policy.ts';
import type { OutboxEntry } from '../outbox.ts';
import { type Committed, eventEntry } from '../webhooks/event-payload.ts';
import { iso } from '../wire-views.ts';
import type { Run } from './run.ts';

/** Longer than a Lambda function may run. */
const LEASE = { ms: 300_000 };
const RETRY: RetryPolicy = { ladderMs: [10_000, 60_000], afterLadder: 'give up', jitter: 0 };

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

/** True if a worker may begin it, or begin it again. */
export const isFree = (run: Run, nowMs: number): boolean =>
  run.status === 'pending' || (run.status === 'running' && !isHeld(run, nowMs));

export const claimed = (run: Run, nowMs: number): Run =>
  takeLease({ ...run, status: 'running', startedAtMs: run.startedAtMs ?? nowMs }, LEASE, nowMs);

/** Waits for another try. */
export const released = (run: Run): Run => ({ ...run, status: 'pending', leaseUntilMs: null });

/** Wait until the next try; null: that was the last one. */
export const pauseMs = ({ attempts }: Run): number | null => waitAfter(RETRY, { attempts, random: 0 });

const over = (run: Run, nowMs: number): Run => ({ ...run, leaseUntilMs: null, completedAtMs: nowMs });

export const completed = (run: Run, noteId: string | null, nowMs: number): Run => ({
  ...over(run, nowMs),
  status: 'completed',
  outputMessageId: noteId,
  citations: noteId === null ? [] : run.citations,
  error: null,
});

export const failed = (run: Run, error: RunError, nowMs: number): Run => ({
  ...over(run, nowMs),
  status: 'failed',
  citations: [],
  error,
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
