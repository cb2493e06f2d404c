// The queues with their counts, and the list of one.
import { memo, useEffect, useRef } from 'react';
import { Link } from 'wouter';
import { Button } from '#dashboard/parts/button.tsx';
import { Choice } from '#dashboard/parts/field.tsx';
import { Empty } from '#dashboard/parts/page.tsx';
import { type UrlProps, withQuery } from '#dashboard/parts/url-state.ts';
import { count, Time } from '#dashboard/parts/written.tsx';
import { Find } from '../find.tsx';
import { Tab } from '../tab.tsx';
import { type Conversation, LOOKS, QUEUES, type Queue, queueOf } from './conversation.ts';
import { COUNTED_TO, PAGE_ROWS } from './use-inbox.ts';

interface TabsProps extends UrlProps {
  readonly numbers: Readonly<Record<Queue, number | undefined>>;
}

export function Tabs({ state, change, numbers }: TabsProps) {
  const { search = '', order = 'newest' } = state;
  const to = (queue: string): string => withQuery('/inbox', { queue, order: state.order, search });
  const tabs = [
    { queue: '', name: 'All', number: undefined, sign: '' },
    ...QUEUES.map((queue) => ({ queue, number: numbers[queue], ...LOOKS[queue] })),
  ];
  return (
    <div className="mb-4 flex flex-wrap items-end justify-between gap-3">
      <nav aria-label="Queues" className="flex flex-wrap gap-1">
        {tabs.map(({ queue, name, number, sign }) => (
          <Tab key={name} to={to(queue)} isCurrent={queue === (state.queue ?? '')}>
            {sign && <span aria-hidden>{sign}</span>} {name}
            {number !== undefined && <span className="text-dim">{atLeast(number)}</span>}
          </Tab>
        ))}
      </nav>
      <div className="flex flex-wrap items-end gap-3">
        <Find
          key={search}
          search={search}
          placeholder="Subject, e-mail, code"
          hasButton={false}
          find={(text) => change({ search: text, offset: '', id: '' })}
        />
        <Choice
          label="Sort"
          value={order}
          options={[
            ['newest', 'Newest first'],
            ['longest_waiting', 'Longest waiting first'],
          ]}
          change={(value) => change({ order: value === 'newest' ? '' : value, offset: '' })}
        />
      </div>
    </div>
  );
}

/** Counting ends there. */
const atLeast = (number: number): string => `${count(number)}${number < COUNTED_TO ? '' : '+'}`;

interface ListProps extends UrlProps {
  readonly rows: readonly Conversation[];
  readonly total: number;
  /** As many as a page has came. */
  readonly isFull: boolean;
  readonly busy: boolean;
}

export function List({ rows, total, isFull, state, change, busy }: ListProps) {
  const from = Number(state.offset ?? 0) || 0;
  const minute = Math.floor(Date.now() / 60_000);
  if (rows.length === 0)
    return (
      <div className="rounded-md border border-line bg-surface p-4">
        <Empty title={state.search ? 'No ticket has these words' : 'Nothing here'}>
          {state.queue || state.search || state.order ? (
            <Button onClick={() => change({ queue: '', search: '', order: '', offset: '' })}>
              Show all tickets
            </Button>
          ) : (
            'Tickets appear here when customers write.'
          )}
        </Empty>
      </div>
    );
  return (
    <>
      <ul
        aria-label="Tickets"
        aria-busy={busy || undefined}
        className="rounded-md border border-line bg-surface"
      >
        {rows.map((row) => (
          <Entry
            key={row.id}
            row={row}
            href={withQuery('/inbox', { ...state, id: row.id })}
            isOpen={row.id === state.id}
            minute={minute}
          />
        ))}
      </ul>
      <div className="mt-3 flex gap-2">
        {from > 0 && (
          <Button onClick={() => change({ offset: String(Math.max(0, from - PAGE_ROWS)), id: '' })}>
            Before
          </Button>
        )}
        {(total < COUNTED_TO ? from + PAGE_ROWS < total : isFull) && (
          <Button onClick={() => change({ offset: String(from + PAGE_ROWS), id: '' })}>
            After ({atLeast(total)} together)
          </Button>
        )}
      </div>
    </>
  );
}

interface EntryProps {
  readonly row: Conversation;
  readonly href: string;
  readonly isOpen: boolean;
  /** A new value renders the relative times again. */
  readonly minute: number;
}

/** Rendered again only if its props change: j and k change two rows of fifty. */
const Entry = memo(function Entry({ row, href, isOpen }: EntryProps) {
  const link = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isOpen) link.current?.scrollIntoView({ block: 'nearest' });
  }, [isOpen]);
  const { sign, name, text } = LOOKS[queueOf(row)];
  const isUrgent = row.priority === 'high' || row.priority === 'urgent';
  return (
    <li ref={link} className="border-b border-line last:border-b-0">
      <Link
        href={href}
        aria-current={isOpen ? 'true' : undefined}
        className={`block p-2 text-ink no-underline ${isOpen ? 'bg-tint' : 'hover:bg-hover'}`}
      >
        <span className="flex items-baseline justify-between gap-2">
          <span className="foreign clipped font-bold">
            <span className={text} aria-hidden>
              {sign}
            </span>{' '}
            {row.subject}
          </span>
          <span className="shrink-0 text-sm text-dim">
            {row.ticket_status === 'snoozed' && row.snoozed_until ? (
              <Time at={row.snoozed_until} as="ago" />
            ) : (
              <Time at={row.waiting_since ?? row.last_message_at ?? row.created_at} as="ago" />
            )}
          </span>
        </span>
        <span className="flex items-baseline justify-between gap-2 text-sm text-dim">
          <span className="foreign clipped">{row.customer_name ?? row.customer_email ?? 'unknown'}</span>
          <span className="shrink-0">
            {isUrgent && <b className="text-bad">{row.priority} · </b>}
            {row.ticket_status === 'rejected' ? 'Rejected' : name}
          </span>
        </span>
      </Link>
    </li>
  );
});
