// The inbox's requests to the helpdesk, with the agent's pending actions applied to the answers.
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { useApi, useHelpdesk, useRequest } from '#dashboard/app/api.tsx';
import { useLive } from '#dashboard/app/polling.ts';
import type { UrlState } from '#dashboard/parts/url-state.ts';
import { useStore } from '../store.ts';
import { after, versionOf } from './actions.ts';
import {
  type Conversation,
  type Counts,
  countOf,
  inOrder,
  LOOKS,
  QUEUES,
  type Queue,
  queueOf,
} from './conversation.ts';
import { drafts, draftsOf, hearOtherTabs } from './drafts.ts';
import { attach, pendingActions } from './outbox.ts';

export const PAGE_ROWS = 50;
/** The inbox polls every few seconds: counting beyond this is not worth its cost. */
export const COUNTED_TO = 1_000;
const MESSAGES = 100;

export const queueIn = (state: UrlState): Queue | undefined => QUEUES.find((queue) => queue === state.queue);

export function useOutbox(): void {
  const { helpdesk, session } = useApi();
  const queries = useQueryClient();
  useEffect(() => {
    attach({
      helpdesk,
      refresh: (id) =>
        Promise.all([
          queries.invalidateQueries({ queryKey: ['listConversations'] }),
          queries.invalidateQueries({ queryKey: ticketKey(id) }),
        ]),
      done: ({ action, ticket, id }) => {
        if (action.kind === 'message') draftsOf(session.person()).done(ticket.id, id);
      },
    });
  }, [helpdesk, queries, session]);
  useEffect(hearOtherTabs, []);
  useEffect(() => {
    // Closing the tab would lose unsent actions: the browser asks first.
    const ask = (event: BeforeUnloadEvent): void => {
      if (pendingActions.get().length > 0) event.preventDefault();
    };
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, []);
}

export function useDrafts() {
  const { session } = useApi();
  useStore(drafts);
  return useMemo(() => draftsOf(session.person()), [session]);
}

export function useList(state: UrlState) {
  const everyMs = useLive();
  const queue = queueIn(state);
  const order = state.order === 'longest_waiting' ? 'longest_waiting' : 'newest';
  const { search, offset } = state;
  return useHelpdesk(
    'listConversations',
    {
      query: {
        limit: PAGE_ROWS,
        counts: 'true',
        count_to: String(COUNTED_TO),
        orderBy: order,
        ...(queue === undefined ? {} : LOOKS[queue].query),
        search,
        offset,
      },
    },
    { keep: true, everyMs },
  );
}

/** The state after everything is sent. */
export function usePredicted() {
  const pending = useStore(pendingActions);
  return <T extends Conversation>(ticket: T): T =>
    pending
      .filter((one) => one.ticket.id === ticket.id && (one.state === 'waiting' || one.state === 'running'))
      .reduce((known, { action }) => after(known, action), ticket);
}

/** The rows of a queue, without those that are leaving it, and the future number in each queue. */
export function withPendingActions(
  rows: readonly Conversation[],
  counts: Counts | undefined,
  queue: Queue | undefined,
  predict: (ticket: Conversation) => Conversation,
) {
  const moves = rows.map((row) => [row, predict(row)] as const);
  const shown = moves.map(([, row]) => row).filter((row) => queue === undefined || queueOf(row) === queue);
  const numbers = Object.fromEntries(
    QUEUES.map((one) => {
      const gone = moves.filter(([before, now]) => queueOf(before) === one && queueOf(now) !== one).length;
      const come = moves.filter(([before, now]) => queueOf(before) !== one && queueOf(now) === one).length;
      const known = counts && countOf(counts, one);
      // Above the cap the exact number is unknown.
      return [one, known === undefined || known >= COUNTED_TO ? known : Math.max(0, known - gone + come)];
    }),
  ) as Readonly<Record<Queue, number | undefined>>;
  return { shown, numbers };
}

/** What belongs to a ticket is stored below it: all of it is asked for again after a change. */
export const ticketKey = (id: string): readonly string[] => ['ticket', id];

export function useTicket(id: string) {
  const { helpdesk } = useApi();
  const everyMs = useLive();
  return useRequest(ticketKey(id), async (signal) => ({ body: await versionOf(helpdesk, id, signal) }), {
    everyMs,
  });
}

/** The newest `pages` hundreds of its messages, oldest first. */
export function useMessages(id: string, total: number, pages: number) {
  const { helpdesk } = useApi();
  return useRequest(
    [...ticketKey(id), 'messages', total, pages],
    async (signal) => {
      const from = Math.max(0, total - pages * MESSAGES);
      const answers = await Promise.all(
        Array.from({ length: Math.max(1, Math.ceil((total - from) / MESSAGES)) }, (_, page) =>
          helpdesk.listMessages(
            { query: { ticket_id: id, limit: MESSAGES, offset: from + page * MESSAGES } },
            { signal },
          ),
        ),
      );
      return { body: { from, messages: inOrder(answers.flatMap(({ body }) => body.messages)) } };
    },
    { keep: true },
  );
}

/** The latest draft of the language model, by its run; requested after the thread has changed. */
export function useRuns(id: string, total: number) {
  const { helpdesk } = useApi();
  return useRequest([...ticketKey(id), 'runs', total], (signal) =>
    helpdesk.listRuns({ query: { ticket_id: id, limit: 5 } }, { signal }),
  );
}
