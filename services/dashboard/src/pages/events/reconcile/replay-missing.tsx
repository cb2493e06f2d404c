// A replay plan of the orders that a platform misses: first a dry run, which sends nothing, then the run. A plan takes 500 orders;
// the next one goes on where it ended.
import { useState } from 'react';
import { Link } from 'wouter';
import { useRefusal } from '#dashboard/app/account.ts';
import { type Answer, type Input, useAsk, useKeyedChange } from '#dashboard/app/api.tsx';
import { Button } from '#dashboard/parts/button.tsx';
import { Choice } from '#dashboard/parts/field.tsx';
import { Failure, Loaded, Notice, Panel } from '#dashboard/parts/page.tsx';
import { codeOf } from '#dashboard/parts/problems.ts';
import { useUrlState } from '#dashboard/parts/url-state.ts';
import { count, counted } from '#dashboard/parts/written.tsx';
import { labelOf, usePlatforms } from '../platform-list.ts';
import type { Reconciliation } from './standings.ts';

type Body = Input<'replayReconciliation'>['body'];
type Made = Answer<'replayReconciliation'>;

export function ReplayMissing({ reconciliation }: { readonly reconciliation: Reconciliation }) {
  const { id, platforms } = reconciliation;
  const { data: list } = usePlatforms();
  const refusal = useRefusal('replayReconciliation');
  const lacking = Object.entries(platforms).filter(([, figures]) => (figures?.missing ?? 0) > 0);
  const [{ platform: shown }] = useUrlState();
  const [chosen, choose] = useState('');
  const [made, setMade] = useState<readonly Made[]>([]);
  const change = useKeyedChange(
    ({ client }, body: Body, headers) => client.replayReconciliation({ params: { id }, body, headers }),
    { done: ({ body }) => setMade([...made, body]) },
  );
  if (lacking.length === 0) return null;
  // The one that is looked at, where it lacks something.
  const platform = chosen || (lacking.find(([slug]) => slug === shown) ?? lacking[0])?.[0] || '';
  const last = made.at(-1);
  const send = (dry_run: boolean, cursor?: string): void => change.send({ platform, dry_run, cursor });
  return (
    <Panel title="Send what is missing">
      <p className="mb-3">
        The orders that a platform misses, and that events were found of, sent to it once more. What it has by
        then is not sent again.
      </p>
      <div className="flex flex-wrap items-end gap-3">
        <Choice
          label="To"
          value={platform}
          options={lacking.map(([slug, figures]) => [
            slug,
            `${labelOf(list, slug)}: ${count(figures?.missing ?? 0)} missing`,
          ])}
          change={(slug) => {
            choose(slug);
            setMade([]);
          }}
        />
        <Button kind="primary" busy={change.isPending} refused={refusal} onClick={() => send(true)}>
          Dry run: count, send nothing
        </Button>
        <Button busy={change.isPending} refused={refusal} onClick={() => send(false)}>
          Send once more
        </Button>
      </div>
      {refusal !== undefined && <p className="mt-2 text-sm text-dim">{refusal}</p>}
      <Refused error={change.error} />
      {made.map(({ replay, orders }) => (
        <Plan key={replay.id} id={replay.id} orders={orders} isDry={replay.dry_run} />
      ))}
      {last?.next_cursor && (
        <Button
          className="mt-3"
          busy={change.isPending}
          onClick={() => send(last.replay.dry_run, last.next_cursor ?? undefined)}
        >
          The next orders
        </Button>
      )}
    </Panel>
  );
}

function Refused({ error }: { readonly error: unknown }) {
  if (codeOf(error) !== 'nothing_to_replay') return <Failure error={error} />;
  return (
    <div className="mt-3">
      <Notice tone="wait">
        There is nothing to send: no event was found of the missing orders. They never came here; what your
        shop sends is to be looked at.
      </Notice>
    </div>
  );
}

interface PlanProps {
  readonly id: string;
  readonly orders: number;
  readonly isDry: boolean;
}

const EVERY_MS = 2_000;

function Plan({ id, orders, isDry }: PlanProps) {
  const plan = useAsk(
    'readReplay',
    { params: { id } },
    { everyMs: (known) => (/^(?:done|cancelled)$/.test(known?.replay.state ?? '') ? 0 : EVERY_MS) },
  );
  return (
    <div role="status" className="mt-3 rounded-md border border-line p-3">
      <Loaded query={plan} rows={1}>
        {({ replay: { state, progress } }) => (
          <p>
            {state === 'done' ? '✔' : '↻'} {isDry ? 'Dry run' : 'Replay'} of {counted(orders, 'order')},{' '}
            {state}: <strong>{count(progress.sent)}</strong> {isDry ? 'would be sent' : 'sent'} of{' '}
            {count(progress.matched)} that fit. <Link href="/replays">To the plans</Link>
          </p>
        )}
      </Loaded>
    </div>
  );
}
