// One rule of the list: its conditions and action in words, and its buttons.
import { useState } from 'react';
import { useChange, useRefresh } from '#dashboard/app/api.tsx';
import { Button } from '#dashboard/parts/button.tsx';
import { Confirm } from '#dashboard/parts/lazily.tsx';
import { Failure, Notice } from '#dashboard/parts/page.tsx';
import { Time } from '#dashboard/parts/written.tsx';
import { labelOf, usePlatforms } from '../platform-list.ts';
import { isMissed, type Rule } from './rule-draft.ts';
import { actionWordsOf, conditionsOf } from './rule-words.ts';

interface OneRuleProps {
  readonly rule: Rule;
  /** From 0. */
  readonly place: number;
  readonly isLast: boolean;
  readonly canChange: boolean;
  readonly isMoving: boolean;
  readonly move: (direction: 'up' | 'down') => void;
  readonly open: (state: Readonly<Record<string, string>>) => void;
}

export function OneRule({ rule, place, isLast, canChange, isMoving, move, open }: OneRuleProps) {
  const { id, name, enabled, priority, match, action, platforms, updated_at } = rule;
  const list = usePlatforms();
  const conditions = conditionsOf(match);
  return (
    <li className="border-b border-line py-4">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h3 className="foreign min-w-0">
          {place + 1}. <bdi>{name}</bdi>{' '}
          <span className={enabled ? 'text-good' : 'text-dim'}>{enabled ? '✔ on' : '– off'}</span>
        </h3>
        <span className="text-sm text-dim">
          priority {priority}, changed <Time at={updated_at} as="ago" />
        </span>
      </div>
      <dl className="mt-1">
        <InWords name="Events" clauses={conditions.length === 0 ? ['every one'] : conditions} />
        <InWords name="Does" clauses={actionWordsOf(action)} />
        <InWords
          name="Platforms"
          clauses={platforms.length === 0 ? ['every one'] : platforms.map((slug) => labelOf(list.data, slug))}
        />
      </dl>
      {canChange && (
        <div className="mt-2 flex flex-wrap gap-2">
          <Move rule={rule} direction="up" isEnd={place === 0} isMoving={isMoving} move={move} />
          <Move rule={rule} direction="down" isEnd={isLast} isMoving={isMoving} move={move} />
          <Button onClick={() => open({ edit: id })}>
            Edit<span className="sr-only"> {name}</span>
          </Button>
          <Button onClick={() => open({ dry_run: id })}>
            Dry run<span className="sr-only"> of {name}</span>
          </Button>
          <Switch rule={rule} />
          <DeleteRule id={id} name={name} version={rule.version} />
        </div>
      )}
    </li>
  );
}

/** Each clause has its own text direction: typed text does not turn the others. */
function InWords({ name, clauses }: { readonly name: string; readonly clauses: readonly string[] }) {
  return (
    <div className="flex gap-2">
      <dt className="w-20 shrink-0 text-dim">{name}</dt>
      <dd className="clipped min-w-0">
        {clauses.map((clause, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: clauses are their places
          <span key={index}>
            {index > 0 && '; '}
            <bdi className="foreign">{clause}</bdi>
          </span>
        ))}
      </dd>
    </div>
  );
}

interface MoveProps extends Pick<OneRuleProps, 'rule' | 'isMoving' | 'move'> {
  readonly direction: 'up' | 'down';
  readonly isEnd: boolean;
}

function Move({ rule: { id, name }, direction, isEnd, isMoving, move }: MoveProps) {
  return (
    <Button
      id={`move-${direction}-${id}`}
      busy={isMoving}
      refused={isEnd ? `It is the ${direction === 'up' ? 'first' : 'last'} one.` : undefined}
      aria-label={`Move ${name} ${direction}`}
      onClick={() => move(direction)}
    >
      <span aria-hidden>{direction === 'up' ? '▲' : '▼'}</span>
    </Button>
  );
}

const MEANWHILE =
  'Somebody else changed this rule meanwhile. It is shown as it is now; look, and press again.';

function Switch({ rule: { id, name, version, enabled } }: { readonly rule: Rule }) {
  const refresh = useRefresh();
  const change = useChange(async ({ client }, to: boolean) => {
    try {
      const headers = { 'if-match': `"${version}"` };
      return await client.updateRule({ params: { id }, headers, body: { enabled: to } });
    } finally {
      await refresh(['listRules']);
    }
  });
  return (
    <>
      <Button busy={change.isPending} onClick={() => change.send(!enabled)}>
        Switch {enabled ? 'off' : 'on'}
        <span className="sr-only"> {name}</span>
      </Button>
      {change.error && (
        <div className="w-full">
          {isMissed(change.error) ? (
            <Notice tone="wait">{MEANWHILE}</Notice>
          ) : (
            <Failure error={change.error} />
          )}
        </div>
      )}
    </>
  );
}

interface DeleteRuleProps {
  readonly id: string;
  readonly name: string;
  /** Absent: deletes any version, for example of an unreadable rule. */
  readonly version?: number | undefined;
}

export function DeleteRule({ id, name, version }: DeleteRuleProps) {
  const [asks, setAsks] = useState(false);
  return (
    <>
      <Button kind="danger" onClick={() => setAsks(true)}>
        Delete<span className="sr-only"> {name}</span>
      </Button>
      {asks && <Deleting id={id} name={name} version={version} close={() => setAsks(false)} />}
    </>
  );
}

function Deleting({ id, name, version, close }: DeleteRuleProps & { readonly close: () => void }) {
  const refresh = useRefresh();
  // The version at the time of the question: the list may show another one by now.
  const [seen] = useState(version);
  const leave = (): void => {
    void refresh(['listRules']);
    close();
  };
  const remove = useChange(
    ({ client }) => {
      const headers = seen === undefined ? {} : { 'if-match': `"${seen}"` };
      return client.deleteRule({ params: { id }, headers });
    },
    { done: leave },
  );
  const isOther = isMissed(remove.error);
  return (
    <Confirm
      title={`Delete ${name}?`}
      action="Delete"
      change={remove}
      error={isOther ? null : remove.error}
      refused={isOther ? 'Look at the rule as it is now first.' : undefined}
      close={leave}
    >
      <p>From the next event on it decides nothing. What it decided before stays as it is.</p>
      {isOther && (
        <Notice tone="wait">Somebody else changed or deleted it meanwhile. Nothing was deleted.</Notice>
      )}
    </Confirm>
  );
}
