// The inbox: the queue, and the ticket that is open. Both are in the URL. Everything has a key; what is done is shown at once
// and can be taken back for five seconds.
import { useCallback, useState } from 'react';
import { Page } from '../../../parts/page.tsx';
import { Empty, Loaded } from '../../../parts/states.tsx';
import { useUrlState } from '../../../parts/url-state.ts';
import { useStore } from '../store.ts';
import { Bar } from './bar.tsx';
import type { Conversation } from './conversation.ts';
import { KEY_WORDS, type KeyName, useInboxKeys } from './keys.ts';
import { deeds, lastWaiting, takeBack } from './outbox.ts';
import { List, Tabs } from './queue.tsx';
import { OpenTicket } from './ticket.tsx';
import { laidOver, PAGE_ROWS, queueIn, useDrafts, useList, useOutbox, usePredicted } from './use-inbox.ts';

export default function InboxPage() {
  useOutbox();
  const [state, change] = useUrlState();
  const [asked, setAsked] = useState<{ readonly name: KeyName; readonly count: number }>();
  const drafts = useDrafts();
  const predict = usePredicted();
  const list = useList(state);
  const queue = queueIn(state);
  const { shown, numbers } = laidOver(
    list.data?.conversations ?? [],
    list.data?.counts,
    queue,
    predict as (one: Conversation) => Conversation,
  );
  const open = useCallback((id: string, replace = false) => change({ id }, replace), [change]);
  const undo = (): void => {
    const deed = takeBack(lastWaiting()?.id ?? '');
    if (deed === undefined) return;
    if (deed.act.kind === 'message') drafts.takeBack(deed.ticket.id, deed.id);
    change({ id: deed.ticket.id });
  };
  const step = (by: number): void => {
    const at = shown.findIndex(({ id }) => id === state.id);
    const next = shown[at < 0 ? 0 : Math.min(shown.length - 1, Math.max(0, at + by))];
    if (next !== undefined) open(next.id, true);
  };
  useInboxKeys((name) => {
    if (name === 'next') step(1);
    else if (name === 'previous') step(-1);
    else if (name === 'undo') undo();
    else setAsked((before) => ({ name, count: (before?.count ?? 0) + 1 }));
  });
  return (
    <Page title="Inbox">
      <Tabs state={state} change={change} numbers={numbers} />
      <div className={`mb-16 items-start gap-4 lg:inbox ${state.id ? '' : 'block'}`}>
        <div className={state.id ? 'hidden lg:block' : ''}>
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
      <Foot openId={state.id} undo={undo} open={open} />
    </Page>
  );
}

interface FootProps {
  readonly openId: string | undefined;
  readonly undo: () => void;
  readonly open: (id: string) => void;
}

function Foot({ openId, undo, open }: FootProps) {
  const all = useStore(deeds);
  const deed = lastWaiting() ?? all.findLast(({ state }) => state === 'running');
  const stuck = all.filter(
    ({ state, ticket }) => (state === 'failed' || state === 'refused') && ticket.id !== openId,
  );
  return <Bar deed={deed} undo={undo} stuck={stuck} open={open} />;
}
