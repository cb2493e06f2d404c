// One attempt of a language model to draft a reply, as an internal note. It never sends and never changes a state.

export const RUN_STATUSES = ['pending', 'running', 'completed', 'failed'] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

export interface Run {
  /** UUIDv7. */
  readonly id: string;
  readonly workspaceId: string;
  readonly ticketId: string;
  readonly status: RunStatus;
  readonly kind: 'draft_reply';
  readonly trigger: 'message' | 'manual';
  readonly triggerMessageId: string | null;
  readonly provider: string | null;
  readonly model: string | null;
  /** Allocated with the run, and once more when its first draft is written down; never after that, so that no two notes are written. */
  readonly noteId: string;
  /** The note that was written; null where none was. */
  readonly outputMessageId: string | null;
  readonly citations: readonly Citation[];
  readonly error: string | null;
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number } | null;
  readonly attempts: number;
  /** Until when its worker holds it; only while running. */
  readonly leaseUntilMs: number | null;
  readonly createdAtMs: number;
  readonly startedAtMs: number | null;
  readonly completedAtMs: number | null;
}

export interface Citation {
  readonly articleId: string;
  readonly title: string;
  readonly score: number;
}
