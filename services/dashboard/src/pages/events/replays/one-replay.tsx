// One replay: what it is of, how far it is, what came of it by platform.
import { Progress } from '#dashboard/parts/bar.tsx';
import { Cell, Row, Table } from '#dashboard/parts/table.tsx';
import { count, Time } from '#dashboard/parts/written.tsx';
import { labelOf, usePlatforms } from '../platform-list.ts';
import { type Replay, SendCounted, Steering } from './steering.tsx';

const STATES = {
  running: ['↻', 'text-wait'],
  paused: ['❚❚', 'text-wait'],
  done: ['✔', 'text-good'],
  cancelled: ['✖', 'text-dim'],
} as const;

interface OneReplayProps {
  readonly replay: Replay;
  /** Why this session changes none; absent where it may. */
  readonly refusal: string | undefined;
}

export function OneReplay({ replay, refusal }: OneReplayProps) {
  const { state, dry_run, filter, only, rate, progress, created_at, updated_at } = replay;
  const [sign, look] = STATES[state];
  const isOver = state === 'done' || state === 'cancelled';
  return (
    <li className="border-b border-line py-4">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h3>
          <span className={look}>
            <span aria-hidden>{sign}</span> {state}
          </span>{' '}
          · {dry_run ? 'dry run' : 'replay'} of {only === 'all' ? 'all events' : 'what was not delivered'}
        </h3>
        <span className="text-sm text-dim">
          made <Time at={created_at} as="ago" />, looked at <Time at={updated_at} as="ago" />
        </span>
      </div>
      <p className="foreign text-dim">
        received <Time at={filter.start} /> to <Time at={filter.end} />
        {filter.event_name && <>, {filter.event_name}</>}
        {filter.source && <>, from {filter.source}</>}
        {filter.event_ids && <>, {count(filter.event_ids.length)} ids</>} · {count(rate)} a second at most
      </p>
      <p className="my-2">
        <strong>{count(progress.sent)}</strong> {dry_run ? 'would be sent' : 'sent'} of{' '}
        {count(progress.matched)} that fit, {count(progress.seen)} looked at
        {progress.unreadable > 0 && <>, {count(progress.unreadable)} unreadable</>}.
      </p>
      {!isOver && (
        <Progress label={`Looked at by the ${dry_run ? 'dry run' : 'replay'}`} share={shareOf(replay)} />
      )}
      <Counts replay={replay} />
      {refusal === undefined && !isOver && <Steering replay={replay} />}
      {refusal === undefined && dry_run && state === 'done' && progress.sent > 0 && (
        <SendCounted replay={replay} />
      )}
    </li>
  );
}

/** Of the time that the plan is for; what came last is looked at some seconds after it came. */
function shareOf({ filter: { start, end }, progress: { up_to } }: Replay): number {
  if (up_to === undefined) return 0;
  const [fromMs, toMs, atMs] = [start, end, up_to].map(Date.parse) as [number, number, number];
  return toMs > fromMs ? Math.min(0.99, Math.max(0, (atMs - fromMs) / (toMs - fromMs))) : 0;
}

const WORDS = [
  ['will_send', 'sent'],
  ['already_delivered', 'already there'],
  ['in_progress', 'under way'],
  ['too_old', 'too old'],
  ['excluded', 'excluded'],
  ['erased', 'erased'],
] as const;

function Counts({ replay: { counts, dry_run } }: { readonly replay: Replay }) {
  const platforms = usePlatforms();
  const entries = Object.entries(counts);
  if (entries.length === 0) return null;
  const head = WORDS.map(([word, name]) => (word === 'will_send' && dry_run ? 'would be sent' : name));
  return (
    <details>
      <summary className="text-sm">By platform</summary>
      <Table name="By platform" head={['Platform', ...head]}>
        {entries.map(([slug, words]) => (
          <Row key={slug}>
            <Cell className="font-bold">{labelOf(platforms.data, slug)}</Cell>
            {WORDS.map(([word]) => (
              <Cell key={word}>{count(words[word] ?? 0)}</Cell>
            ))}
          </Row>
        ))}
      </Table>
    </details>
  );
}
