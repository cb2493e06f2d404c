// What an erasure has found and erased: while it runs its progress, and then the receipt, which can be kept as a file.
import { Fragment } from 'react';
import type { Answer } from '#dashboard/app/api.tsx';
import { Button } from '#dashboard/parts/button.tsx';
import { Facts } from '#dashboard/parts/facts.tsx';
import { Figure } from '#dashboard/parts/figure.tsx';
import { saveAs } from '#dashboard/parts/json.tsx';
import { Notice } from '#dashboard/parts/page.tsx';
import { Cell, Row, Table } from '#dashboard/parts/table.tsx';
import { count, Id, Time } from '#dashboard/parts/written.tsx';

export type Erasure = Answer<'readErasure'>['erasure'];

export function stateOf({ status, remaining }: Erasure) {
  if (status === 'running') return { words: '↻ running', look: 'text-wait' };
  return remaining === 0
    ? { words: '✔ done', look: 'text-good' }
    : { words: '▲ done, not all', look: 'text-bad' };
}

/** A platform that refused is asked again at long intervals: the page does not poll for that. */
export const goesOn = ({ status, passed_on }: Erasure): boolean =>
  status === 'running' || passed_on.some(({ state }) => state === 'waiting');

export function Receipt({ erasure }: { readonly erasure: Erasure }) {
  const { id, created_at, done_at, expires_at, covers, found, erased, remaining, looked_at } = erasure;
  const isDone = done_at !== null;
  const { words, look } = stateOf(erasure);
  return (
    <>
      <output className="block">
        <strong className={look}>{words}</strong>
        {isDone ? (
          <>
            {' '}
            <Time at={done_at} />
          </>
        ) : (
          <>
            : {count(looked_at)} events looked at in this pass. It goes on by itself, also when this page is
            closed; where it finds something, it looks again two minutes later.
          </>
        )}
      </output>
      {!isDone && (
        // Of how many is not known: it says that something goes on, and the numbers say how far.
        <div
          role="progressbar"
          aria-label="The erasure goes on"
          className="my-3 h-3 rounded-sm border border-control bg-tint hatched"
        />
      )}
      <dl className="my-4 grid grid-cols-2 gap-4 sm:grid-cols-4">
        <Figure name="Found" value={count(found)} note="events of the person" />
        <Figure name="Erased" value={count(erased)} note="hold nothing personal any more" />
        <Figure
          name="Remaining"
          value={remaining === null ? '–' : count(remaining)}
          note={remaining === null ? 'known when it is done' : 'still hold something'}
        />
        <Figure name="Looked at" value={count(looked_at)} note="in the last pass" />
      </dl>
      {erasure.passed_on.length > 0 && <PassedOn list={erasure.passed_on} />}
      {erasure.unreadable > 0 && (
        <Notice tone="wait">
          {count(erasure.unreadable)} stored events cannot be read: whose they are cannot be said.
        </Notice>
      )}
      <Facts
        className="mb-4 grid gap-2 text-sm sm:grid-cols-2"
        facts={[
          ['Asked for', <Time key="at" at={created_at} />],
          ['Events received', <Covered key="covers" covers={covers} />],
          [
            'Receipt',
            <Fragment key="id">
              <Id>{id}</Id>, kept until <Time at={expires_at} />
            </Fragment>,
          ],
          ['Digest of the person', <Id key="digest">{erasure.subject_digest}</Id>],
        ]}
      />
      <Button
        refused={isDone ? undefined : 'There is a receipt when it is done.'}
        onClick={() => saveAs(`erasure-${id}.json`, erasure)}
      >
        Save the receipt as a file
      </Button>
      {!isDone && <span className="ml-3 text-sm text-dim">when it is done</span>}
    </>
  );
}

const PASSED_ON = {
  waiting: ['↻ waiting', 'text-wait'],
  passed_on: ['✔ passed on', 'text-good'],
  refused: ['▲ refused', 'text-bad'],
  not_offered: ['not offered', ''],
  no_rights: ['other rights needed', ''],
  not_named: ['finds nobody by this', ''],
  removed: ['connection removed', ''],
} as const satisfies Record<Erasure['passed_on'][number]['state'], readonly [string, string]>;

function PassedOn({ list }: { readonly list: Erasure['passed_on'] }) {
  return (
    <Table name="The deletion at platforms" head={['Connection', 'Deletion', 'What it says']}>
      {list.map((one) => (
        <Row key={one.connection_id}>
          <Cell>{one.name}</Cell>
          <Cell className={`whitespace-nowrap ${PASSED_ON[one.state][1]}`}>{PASSED_ON[one.state][0]}</Cell>
          <Cell className="break-words">
            {one.detail ?? '–'}
            {one.retried_until !== null && (
              <>
                {' '}
                Asked again until <Time at={one.retried_until} />.
              </>
            )}
          </Cell>
        </Row>
      ))}
    </Table>
  );
}

function Covered({ covers: { from, until } }: { readonly covers: Erasure['covers'] }) {
  return (
    <>
      from <Time at={from} />
      {until !== null && (
        <>
          {' '}
          to <Time at={until} />
        </>
      )}
    </>
  );
}
