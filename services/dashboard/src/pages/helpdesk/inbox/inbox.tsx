// The inbox: the queue, and the ticket that is open. Both are in the URL. Everything has a key; what is done is shown at once
// and can be taken back for five seconds.
import { useCallback, useRef, useState } from 'react';
import { Empty, Loaded, Page } from '#dashboard/parts/page.tsx';
import { HeldRows, type SteadyList, useSteadyList } from '#dashboard/parts/steady-list.tsx';
import { type UrlState, useUrlState } from '#dashboard/parts/url-state.ts';
import { Bar } from './bar.tsx';
import type { Conversation } from './conversation.ts';
import { holdKeys } from './held-keys.ts';
import { KEY_WORDS, type KeyName, useInboxKeys } from './keys.ts';
import { isChangedHere, lastWaiting, takeBack } from './outbox.ts';
import { List, Tabs } from './queue.tsx';
import { OpenTicket } from './ticket.tsx';
import {
  PAGE_ROWS,
  queueIn,
  useDrafts,
  useList,
  useOutbox,
  usePredicted,
  withPendingActions,
} from './use-inbox.ts';

export default function InboxPage() {
  useOutbox();
  const [state, change] = useUrlState();
  const [asked, setAsked] = useState<{ readonly name: KeyName; readonly count: number }>();
  const drafts = useDrafts();
  const predict = usePredicted();
  const list = useList(state);
  const panel = useRef<HTMLDivElement>(null);
  const queue = queueIn(state);
  const steady = useSteadyTickets(list, state);
  const { shown, numbers } = withPendingActions(steady.rows, list.data?.counts, queue, predict);
  const open = useCallback((id: string, replace = false) => change({ id }, replace), [change]);
  const undo = (): void => {
    const pending = takeBack(lastWaiting()?.id ?? '');
    if (pending === undefined) return;
    if (pending.action.kind === 'message') drafts.takeBack(pending.ticket.id, pending.id);
    change({ id: pending.ticket.id });
  };
  const step = useSteps(shown, state.id, open);
  useInboxKeys((name) => {
    if (name === 'next') step(1);
    else if (name === 'previous') step(-1);
    else if (name === 'undo') undo();
    else {
      if (state.id && (name === 'snooze' || name === 'close')) holdKeys();
      setAsked((before) => ({ name, count: (before?.count ?? 0) + 1 }));
    }
  });
  return (
    <Page title="Inbox">
      <Tabs state={state} change={change} numbers={numbers} />
      <div className={`mb-16 items-start gap-4 lg:inbox ${state.id ? '' : 'block'}`}>
        <div className={state.id ? 'hidden lg:block' : ''} ref={panel} {...steady.hold}>
          <HeldRows
            list={steady}
            then={() => panel.current?.querySelector<HTMLElement>('[aria-label=Tickets] a')?.focus()}
          />
          <Loaded query={list} rows={8}>
            {(data) => (
              <List
                rows={shown}
                total={data.total}
                isFull={data.conversations.length === PAGE_ROWS}
                state={state}
                change={change}
                busy={list.isPlaceholderData}
              />
            )}
          </Loaded>
        </div>
        {state.id ? (
          <OpenTicket
            key={state.id}
            id={state.id}
            asked={asked}
            leave={() => change({ id: '' })}
            next={() => step(1)}
          />
        ) : (
          <div className="hidden rounded-md border border-line bg-surface p-4 lg:block">
            <Empty title="No ticket is open" />
            <dl aria-label="Keys of the inbox" className="mx-auto max-w-100 text-sm text-dim">
              {KEY_WORDS.map(([key, what]) => (
                <div key={key} className="flex justify-between gap-4 border-t border-line py-1">
                  <dt>
                    <kbd>{key}</kbd>
                  </dt>
                  <dd>{what}</dd>
                </div>
              ))}
            </dl>
          </div>
        )}
      </div>
      <Bar openId={state.id} undo={undo} open={open} />
    </Page>
  );
}

const NONE: readonly Conversation[] = [];

/** Rows stay where they are while the pointer or the focus is among them. What this agent did here is seen at once. */
function useSteadyTickets(
  { data, isPlaceholderData }: ReturnType<typeof useList>,
  { id: _open, ...filters }: UrlState,
): SteadyList<Conversation> {
  const newest = data?.conversations ?? NONE;
  const list = useSteadyList(newest, {
    of: isPlaceholderData || data === undefined ? '' : JSON.stringify(filters),
    keyOf: ({ id }) => id,
  });
  const known = new Set(newest.map(({ id }) => id));
  const isLeft = ({ id }: Conversation): boolean => !known.has(id) && isChangedHere(id);
  return list.rows.some(isLeft) ? { ...list, rows: list.rows.filter((row) => !isLeft(row)) } : list;
}

/** Along the rows, from the ticket that is open; from its place where it has left them. */
function useSteps(
  rows: readonly Conversation[],
  openId: string | undefined,
  open: (id: string, replace: boolean) => void,
): (by: number) => void {
  const place = useRef(-1);
  const at = rows.findIndex(({ id }) => id === openId);
  if (at >= 0 || openId === undefined) place.current = at;
  return (by) => {
    // Where it was is the one that came after it.
    const to = at >= 0 ? at + by : place.current < 0 ? 0 : place.current + Math.min(by, 0);
    const next = rows[Math.min(rows.length - 1, Math.max(0, to))];
    if (next !== undefined) open(next.id, true);
  };
}
