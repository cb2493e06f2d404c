// An answer: its text, as text, with each figure and citation leading to the query it comes from; the queries; and what the
// assistant would change, which runs only when it is confirmed here.
import { Link } from 'wouter';
import { Button } from '#dashboard/parts/button.tsx';
import { JsonView } from '#dashboard/parts/json.tsx';
import { Failure, Notice } from '#dashboard/parts/page.tsx';
import { statusOf } from '#dashboard/parts/problems.ts';
import { Time } from '#dashboard/parts/written.tsx';
import { type Part, partsOf } from './cited.ts';
import type { End, Figure, Piece, Proposal, Turn } from './conversation.ts';
import { addressOf, pageOf } from './page-of.ts';
import type { Assistant, Decision } from './use-assistant.ts';

const queryId = (turn: string, source: string): string => `query-${turn}-${source}`;

export function Answer({ turn, assistant }: { readonly turn: Turn; readonly assistant: Assistant }) {
  const figures = turn.end.kind === 'done' ? turn.end.figures : [];
  const hasUnknown = figures.some(({ sources }) => sources.length === 0);
  return (
    <div className="grid gap-3">
      {turn.pieces.map((piece, index) => (
        <OnePiece
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces are added at the end only
          key={index}
          piece={piece}
          turn={turn.id}
          figures={figures}
          assistant={assistant}
        />
      ))}
      {hasUnknown && (
        <p className="text-sm text-dim">* stands in no result: the model computed it, or made it up.</p>
      )}
      <Ending turn={turn} />
    </div>
  );
}

interface OnePieceProps {
  readonly piece: Piece;
  readonly turn: string;
  readonly figures: readonly Figure[];
  readonly assistant: Assistant;
}

function OnePiece({ piece, turn, figures, assistant }: OnePieceProps) {
  switch (piece.kind) {
    case 'text':
      return (
        <p className="foreign whitespace-pre-wrap" dir="auto">
          {partsOf(piece.text, figures).map((part, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: parts keep their places
            <OnePart key={index} part={part} turn={turn} />
          ))}
        </p>
      );
    case 'query':
      return <Query piece={piece} turn={turn} />;
    case 'proposal':
      return (
        <Proposed
          proposal={piece.proposal}
          decision={assistant.decisions[piece.proposal.id]}
          assistant={assistant}
        />
      );
  }
}

function show(turn: string, source: string): void {
  const query = document.getElementById(queryId(turn, source));
  if (!(query instanceof HTMLDetailsElement)) return;
  query.open = true;
  query.querySelector('summary')?.focus();
}

function OnePart({ part: { kind, text, sources }, turn }: { readonly part: Part; readonly turn: string }) {
  const [source] = sources;
  if (kind === 'text') return text;
  if (source === undefined)
    return (
      <span title="In no result: computed or made up by the model">
        {text}
        <span aria-hidden className="text-wait">
          *
        </span>
        <span className="sr-only"> (in no result)</span>
      </span>
    );
  return (
    <button
      type="button"
      className="text-accent underline"
      title={`From ${sources.join(', ')}: show the query`}
      onClick={() => show(turn, source)}
    >
      {text}
      <span className="sr-only"> (show query {source})</span>
    </button>
  );
}

interface QueryProps {
  readonly piece: Extract<Piece, { kind: 'query' }>;
  readonly turn: string;
}

function Query({ piece: { source, result }, turn }: QueryProps) {
  const page = pageOf(source);
  const isGood = result !== undefined && result.status < 400;
  return (
    <details id={queryId(turn, source.id)} className="rounded-sm border border-line bg-ground px-3 py-1">
      <summary className="foreign text-sm">
        <span className="font-bold">{source.id}</span>{' '}
        <span className="font-mono">
          {source.method} {addressOf(source)}
        </span>{' '}
        {result === undefined ? (
          <span className="text-wait">↻ asked</span>
        ) : (
          <span className={isGood ? 'text-good' : 'text-bad'}>
            {isGood ? '✔' : '✖'} {result.status}
          </span>
        )}
      </summary>
      <div className="grid gap-2 py-2">
        {page !== undefined && (
          <p>
            <Link href={page.to}>Open {page.title}</Link>
          </p>
        )}
        {bodyOf(source.input) !== undefined && <JsonView name="Sent" value={bodyOf(source.input)} />}
        {result !== undefined && (
          <>
            {result.truncated && <p className="text-sm text-dim">The beginning of a long answer:</p>}
            <JsonView name={`Result of ${source.id}`} value={result.result} />
          </>
        )}
      </div>
    </details>
  );
}

const bodyOf = (input: unknown): unknown =>
  typeof input === 'object' && input !== null && 'body' in input ? input.body : undefined;

interface ProposedProps {
  readonly proposal: Proposal;
  readonly decision: Decision | undefined;
  readonly assistant: Assistant;
}

function Proposed({ proposal, decision, assistant }: ProposedProps) {
  const { id, operation, summary, method, expires_at } = proposal;
  const body = bodyOf(proposal.input);
  return (
    <section
      aria-label={`Change to confirm: ${summary}`}
      className="rounded-md border border-wait bg-wait-tint p-4"
    >
      <h3>{decision === undefined ? 'Shall this be done?' : 'What was proposed'}</h3>
      <p className="foreign mt-2">
        {operation}: {summary}
      </p>
      <p className="foreign mb-2 font-mono text-sm">
        {method} {addressOf(proposal)}
      </p>
      {body !== undefined && <JsonView name="What would be sent" value={body} />}
      {decision === undefined ? (
        <>
          <p className="my-2 text-sm">
            Nothing was changed. It runs exactly as shown when you confirm it, until <Time at={expires_at} />.
          </p>
          <div className="flex flex-wrap gap-2">
            <Button
              kind="primary"
              refused={assistant.isRunning ? 'Wait until the answer has ended.' : undefined}
              onClick={() => assistant.confirm(id, summary)}
            >
              Confirm
            </Button>
            <Button onClick={() => assistant.decline(id)}>Do not</Button>
          </div>
        </>
      ) : (
        <p className="mt-2 font-bold">
          {decision === 'confirmed' ? '✔ Confirmed: see below what came of it.' : '– Not done.'}
        </p>
      )}
    </section>
  );
}

const SHORT = {
  steps: 'It took as many steps as an answer may.',
  tokens: 'It became as long as an answer may.',
  time: 'It took as long as an answer may.',
} as const;

function Ending({ turn }: { readonly turn: Turn }) {
  const { end, confirms } = turn;
  const isEmpty = turn.pieces.length === 0;
  if (end.kind === 'done') {
    if (end.reason !== 'finished')
      return <Notice tone="wait">▲ {SHORT[end.reason]} Ask on, or ask for less.</Notice>;
    return isEmpty ? <p className="text-dim">It had nothing to say.</p> : null;
  }
  if (end.kind === 'running') return isEmpty ? <p className="late text-dim">Thinking…</p> : null;
  return (
    <>
      {end.kind === 'failed' && <Failure error={end.error} />}
      {end.kind === 'stopped' && <p className="text-dim">❚❚ Stopped.</p>}
      {end.kind === 'cut' && <Notice tone="bad">The answer broke off. Ask once more.</Notice>}
      {confirms !== undefined && <WhetherItRan end={end} turn={turn} />}
    </>
  );
}

/** Of a confirmed change whose answer did not come. */
function WhetherItRan({ end, turn }: { readonly end: End; readonly turn: Turn }) {
  if (turn.pieces.some((piece) => piece.kind === 'query' && piece.result !== undefined)) return null;
  if (end.kind === 'failed' && (statusOf(end.error) ?? 0) >= 400) return <p>Nothing was changed.</p>;
  return <Notice tone="wait">▲ Whether it ran is not known: look before you ask for it again.</Notice>;
}
