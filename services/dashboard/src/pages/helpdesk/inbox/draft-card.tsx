// What the language model proposes to say. It is put into the reply by hand, and by nothing else; where it comes from is beside
// it.
import { useQueryClient } from '@tanstack/react-query';
import { type Client, useChange } from '../../../app/api.tsx';
import { Button } from '../../../parts/button.tsx';
import { Failure } from '../../../parts/states.tsx';
import { Time } from '../../../parts/written.tsx';
import type { Message, Run, Ticket } from './conversation.ts';
import { useRuns } from './use-inbox.ts';

export interface Proposal {
  readonly run: Run | undefined;
  readonly noteId: string | undefined;
  readonly text: string | undefined;
  readonly error: unknown;
}

/** Of the last run that came to an end; its note is among the messages. */
export function useProposal(ticket: Ticket, messages: readonly Message[] | undefined): Proposal | null {
  const { data, error } = useRuns(ticket.id, ticket.message_count);
  if (data === undefined) return error ? { run: undefined, noteId: undefined, text: undefined, error } : null;
  const newest = data.runs[0];
  const completed = data.runs.find(({ status }) => status === 'completed');
  const note = messages?.find(({ id }) => id === completed?.output_message_id);
  return { run: newest, noteId: note?.id, text: note?.body, error: null, ...(note && { run: completed }) };
}

interface DraftCardProps {
  readonly ticket: Ticket;
  readonly proposal: Proposal;
  readonly insert: () => void;
}

export function DraftCard({ ticket, proposal: { run, text, error }, insert }: DraftCardProps) {
  const queries = useQueryClient();
  const ask = useChange((_client: Client, _: null, helpdesk) =>
    helpdesk.createRun({
      headers: { 'idempotency-key': crypto.randomUUID() },
      body: { ticket_id: ticket.id },
    }),
  );
  const again = (): void =>
    ask.send(null, () => void queries.invalidateQueries({ queryKey: ['inbox', 'ticket', ticket.id] }));
  return (
    <section aria-label="Draft by AI" className="mb-4 rounded-md border border-withheld p-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="text-base">
          Draft by AI <span className="font-normal text-dim">· never sent by itself</span>
        </h3>
        <span className="flex gap-2">
          {text !== undefined && (
            <Button onClick={insert}>
              Insert <kbd className="text-sm text-dim">d</kbd>
            </Button>
          )}
          <Button kind="quiet" busy={ask.isPending} onClick={again}>
            {text === undefined ? 'Ask for a draft' : 'Ask again'}
          </Button>
        </span>
      </div>
      {error ? <Failure error={error} /> : null}
      {ask.error && <Failure error={ask.error} />}
      {text !== undefined && (
        <p className="foreign mt-2 max-h-60 overflow-y-auto whitespace-pre-wrap" dir="auto">
          {text}
        </p>
      )}
      {run && <Source run={run} hasText={text !== undefined} />}
    </section>
  );
}

function Source({ run, hasText }: { readonly run: Run; readonly hasText: boolean }) {
  if (hasText)
    return (
      <ul aria-label="Articles it is drawn from" className="mt-2 text-sm text-dim">
        {run.citations.map(({ article_id, title, score }) => (
          <li key={article_id} className="foreign">
            from “{title}” · fits {score.toFixed(2)}
          </li>
        ))}
      </ul>
    );
  const words = {
    pending: 'One was asked for and is waited for.',
    running: 'One is being written.',
    completed: 'No article helps with this ticket: nothing was drafted.',
    failed: `The last one failed: ${run.error ?? 'no reason is known'}`,
  };
  return (
    <p className="foreign mt-2 text-sm text-dim">
      {words[run.status]} · <Time at={run.created_at} as="ago" />
    </p>
  );
}
