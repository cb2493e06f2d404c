// Drafts for a claimed run. Guarantees: a note that was written is found again and never written twice; the provider is
// not asked if the run is superseded, or if no article helps.

import { readAnswer } from '#lib/helpdesk/domain/runs/answer.ts';
import { RUN_ERRORS, type RunError } from '#lib/helpdesk/domain/runs/change.ts';
import { promptOf } from '#lib/helpdesk/domain/runs/prompt.ts';
import type { Run } from '#lib/helpdesk/domain/runs/run.ts';
import { askModel, type ModelAnswer } from './ask-model.ts';
import { type Conversation, newestOfCustomer, readConversation } from './conversation.ts';
import type { DraftModel, RunPorts } from './ports.ts';
import { findSources, type Sources } from './sources.ts';
import { writeNote } from './write-note.ts';

export type DraftOutcome =
  | { readonly kind: 'completed'; readonly run: Run; readonly noteId: string | null }
  | { readonly kind: 'failed'; readonly error: RunError }
  /** A later try may succeed. */
  | {
      readonly kind: 'again';
      readonly error: RunError;
      /** The run as written, if it was: its note keeps its id. */
      readonly run?: Run;
    }
  /** Another worker has the run. */
  | { readonly kind: 'lost' };

/** Writes the run while this worker still has it; false if not. */
export type Keep = (run: Run) => Promise<boolean>;

export async function draftFor(run: Run, keep: Keep, ports: RunPorts): Promise<DraftOutcome> {
  const { model } = ports;
  const seen = await readConversation(run, ports);
  if (seen === null) return failing(RUN_ERRORS.ticketGone);
  if (seen.hasNote) return { kind: 'completed', run, noteId: run.noteId };
  if (model === null) return failing(RUN_ERRORS.noProvider);
  if (isSuperseded(run, seen)) return failing(RUN_ERRORS.superseded);
  if (seen.ticket.state === 'REJECTED' && run.trigger === 'message') return failing(RUN_ERRORS.rejected);
  const sources = await findSources(run.workspaceId, seen, ports);
  const { provider, name } = model;
  const named: Run = { ...run, provider, model: name, usage: null, citations: [] };
  if (sources.articles.length === 0) return { kind: 'completed', run: named, noteId: null };
  const answer = await tryModel(run, seen, sources, model, ports);
  if ('kind' in answer) return answer;
  return await useAnswer(answer, { run: withNoteId(named, run, ports), seen, sources, keep }, ports);
}

/**
 * The note gets an id of the time it is written, not of the time of the run, so that it comes after messages written in
 * the meantime. Once only: a worker that stored a draft may have written the note as well.
 */
const withNoteId = (drafted: Run, before: Run, { clock, random }: RunPorts): Run =>
  before.provider === null ? { ...drafted, noteId: random.uuidv7(clock.now()) } : drafted;

async function useAnswer(
  { text, usage }: ModelAnswer,
  {
    run,
    seen,
    sources,
    keep,
  }: { readonly run: Run; readonly seen: Conversation; readonly sources: Sources; readonly keep: Keep },
  ports: RunPorts,
): Promise<DraftOutcome> {
  const draft = readAnswer(
    text,
    sources.articles.map(({ id }) => id),
  );
  if (draft.kind === 'unreadable') return { kind: 'again', error: RUN_ERRORS.unreadable };
  const asked: Run = { ...run, usage };
  if (draft.kind === 'nothing') return { kind: 'completed', run: asked, noteId: null };
  const citations = sources.citations.filter(({ articleId }) => draft.articleIds.includes(articleId));
  const drafted: Run = { ...asked, citations };
  // Stored before the note, so that a worker that finds the note knows its draft.
  if (!(await keep(drafted))) return { kind: 'lost' };
  const outcome = await writeNote(run, seen, draft.reply, ports);
  switch (outcome) {
    case 'written':
      return { kind: 'completed', run: drafted, noteId: run.noteId };
    case 'superseded':
      return failing(RUN_ERRORS.superseded);
    case 'gone':
      return failing(RUN_ERRORS.ticketGone);
    case 'busy':
      return { kind: 'again', error: RUN_ERRORS.died, run: drafted };
  }
}

async function tryModel(
  { workspaceId }: Run,
  { ticket, messages }: Conversation,
  { articles, words }: Sources,
  model: DraftModel,
  ports: RunPorts,
): Promise<ModelAnswer | DraftOutcome> {
  const prompt = promptOf({ subject: ticket.subject, messages, articles, words });
  try {
    return (await askModel(workspaceId, prompt, model, ports)) ?? failing(RUN_ERRORS.budget);
  } catch (error) {
    ports.report('a draft was not made', error);
    return { kind: 'again', error: RUN_ERRORS.provider };
  }
}

/** True if the customer has written since the run was created. */
function isSuperseded({ trigger, triggerMessageId }: Run, seen: Conversation): boolean {
  const newest = newestOfCustomer(seen);
  return trigger === 'message' && newest !== null && triggerMessageId !== null && newest > triggerMessageId;
}

const failing = (error: RunError): DraftOutcome => ({ kind: 'failed', error });
