// What the language model proposes to say. It is put into the reply by hand, and by nothing else; where it comes from is beside
// it, and why it is there at a press.
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { useChange } from '#dashboard/app/api.tsx';
import { Button } from '#dashboard/parts/button.tsx';
import { Failure } from '#dashboard/parts/page.tsx';
import { withQuery } from '#dashboard/parts/url-state.ts';
import { count, Time } from '#dashboard/parts/written.tsx';
import type { Message, Run, Ticket } from './conversation.ts';
import { useDiscarded } from './discarded.ts';
import { ticketKey, useRuns } from './use-inbox.ts';

export interface Proposal {
  readonly run: Run | undefined;
  readonly noteId: string | undefined;
  readonly text: string | undefined;
  /** By this person: it is neither shown nor inserted. */
  readonly isDiscarded: boolean;
  readonly error: unknown;
}

/** Of the last run that came to an end; its note is among the messages. */
export function useProposal(ticket: Ticket, messages: readonly Message[] | undefined): Proposal | null {
  const { data, error } = useRuns(ticket.id, ticket.message_count);
  const discarded = useDiscarded();
  const nothing = { noteId: undefined, text: undefined, isDiscarded: false };
  if (data === undefined) return error ? { ...nothing, run: undefined, error } : null;
  const completed = data.runs.find(({ status }) => status === 'completed');
  const note = messages?.find(({ id }) => id === completed?.output_message_id);
  if (completed === undefined || note === undefined) return { ...nothing, run: data.runs[0], error: null };
  return {
    run: completed,
    noteId: note.id,
    text: note.body,
    isDiscarded: discarded.has(completed.id),
    error: null,
  };
}

interface DraftCardProps {
  readonly ticket: Ticket;
  readonly proposal: Proposal;
  readonly insert: () => void;
}

export function DraftCard({ ticket, proposal, insert }: DraftCardProps) {
  const { run, error, isDiscarded } = proposal;
  const [isExplained, setExplained] = useState(false);
  const text = isDiscarded ? undefined : proposal.text;
  const queries = useQueryClient();
  const discarded = useDiscarded();
  const ask = useChange(({ helpdesk }) =>
    helpdesk.createRun({
      headers: { 'idempotency-key': crypto.randomUUID() },
      body: { ticket_id: ticket.id },
    }),
  );
  const again = (): void =>
    ask.send(undefined, () => void queries.invalidateQueries({ queryKey: ticketKey(ticket.id) }));
  return (
    <section aria-label="Draft by AI" className="mb-4 rounded-md border border-withheld p-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="text-base">
          Draft by AI{' '}
          <span className="font-normal text-dim">
            · {isDiscarded ? 'discarded by you' : 'never sent by itself'}
          </span>
        </h3>
        <span className="flex flex-wrap gap-2">
          {text !== undefined && (
            <>
              <Button onClick={insert}>
                Insert <kbd className="text-sm text-dim">d</kbd>
              </Button>
              <Button onClick={() => run && discarded.set(run.id, true)}>Discard</Button>
              <Button kind="quiet" aria-expanded={isExplained} onClick={() => setExplained(!isExplained)}>
                Why
              </Button>
            </>
          )}
          {isDiscarded && run && <Button onClick={() => discarded.set(run.id, false)}>Bring it back</Button>}
          <Button kind="quiet" busy={ask.isPending} onClick={again}>
            {proposal.text === undefined ? 'Ask for a draft' : 'Ask again'}
          </Button>
        </span>
      </div>
      <Failure error={error} />
      <Failure error={ask.error} />
      {text !== undefined && (
        <p className="foreign mt-2 max-h-60 overflow-y-auto whitespace-pre-wrap" dir="auto">
          {text}
        </p>
      )}
      {run && text !== undefined && <Citations run={run} />}
      {run && text !== undefined && isExplained && <Why run={run} />}
      {run && proposal.text === undefined && <Outcome run={run} />}
    </section>
  );
}

const Citations = ({ run }: { readonly run: Run }) => (
  <ul aria-label="Articles it is drawn from" className="mt-2 text-sm text-dim">
    {run.citations.map(({ article_id, title, score }) => (
      <li key={article_id} className="foreign">
        from “<Link href={withQuery('/articles', { id: article_id })}>{title}</Link>” · fits{' '}
        {score.toFixed(2)}
      </li>
    ))}
  </ul>
);

function Why({ run }: { readonly run: Run }) {
  const { trigger, provider, model, usage, completed_at, created_at } = run;
  const tokens =
    usage === null ? '' : `, ${count(usage.input_tokens)} tokens read, ${count(usage.output_tokens)} written`;
  return (
    <div className="foreign mt-2 rounded-sm border border-line p-2 text-sm">
      <p>
        {trigger === 'message'
          ? 'Written because the customer wrote'
          : 'Written because an agent asked for it'}
        , <Time at={completed_at ?? created_at} />
        {model !== null && `, by ${model}${provider === null ? '' : ` of ${provider}`}${tokens}`}.
      </p>
      <p className="mt-1">
        It may say only what the articles above say. The number beside an article is the share of the
        customer’s words, the rare ones counting more, that it has: 1 is all of them.
      </p>
    </div>
  );
}

function Outcome({ run }: { readonly run: Run }) {
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
