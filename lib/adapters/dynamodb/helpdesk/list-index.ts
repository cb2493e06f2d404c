// Lists by index: the key ranges of the states that are asked for, merged. Guarantees: no more is read than the page and what
// lies before it, and counting stops where the reader says; an id stands in a page once, although the index may have a record in two
// places while it moves.
// A workspace's list of one state is one partition of an index: what keys may do in a minute is far below what it takes.
import { RUN_STATUSES, type Run } from '#lib/helpdesk/domain/runs/run.ts';
import { TICKET_STATES, type TicketState } from '#lib/helpdesk/domain/tickets/ticket.ts';
import { HELPDESK_INDEX } from '#lib/helpdesk/domain/topology.ts';
import {
  type CountedPage,
  type Listed,
  type ListIndex,
  type Page,
  type RecordStore,
  TOTAL_MAX,
} from '#lib/helpdesk/ports/stores.ts';
import type { Db, Item, Table } from '../core/items/commands.ts';
import { between, countOf, decodedItems, itemsOf, type Partition, totalOf } from '../core/items/query.ts';
import { listName, ticketRunsPartition } from './helpdesk-item.ts';

/** A page of an index of keys only is a megabyte: thousands of them. */
const PAGE_MAX = 1_000;
/** Of one ticket. */
const RUNS_MAX = 1_000;

export function createListIndex(db: Db, table: string, runs: Pick<RecordStore<Run>, 'readMany'>): ListIndex {
  const helpdesk = { db, table };
  const list = (hash: string): Partition => ({ index: HELPDESK_INDEX.lists, names: ['lp', 'ls'], hash });
  const waiting = (hash: string): Partition => ({ index: HELPDESK_INDEX.waiting, names: ['wp', 'wa'], hash });
  const ticketList = (workspaceId: string) => (state: TicketState) => listName('ticket', workspaceId, state);

  return {
    tickets: (workspaceId, states, page) =>
      listed(helpdesk, states.map(ticketList(workspaceId)).map(list), false, page),

    waitingTickets: (workspaceId, states, page) =>
      listed(helpdesk, states.map(ticketList(workspaceId)).map(waiting), true, page),

    oldestTickets: (workspaceId, states, limit, after) => {
      const behind = after === undefined ? {} : { range: between(`${after}~`, '~') };
      const lists = states.map(ticketList(workspaceId)).map((hash) => ({ ...list(hash), ...behind }));
      return mergedIds(helpdesk, lists, true, { limit, offset: 0 });
    },

    contacts: (workspaceId, page) => listed(helpdesk, [list(listName('contact', workspaceId))], false, page),

    articles: (workspaceId, statuses, page) =>
      listed(
        helpdesk,
        statuses.map((status) => list(listName('article', workspaceId, status))),
        false,
        page,
      ),

    async runs(workspaceId, { statuses, ticketId }, page) {
      if (ticketId === undefined) {
        const lists = statuses.map((status) => list(listName('run', workspaceId, status)));
        return await listed(helpdesk, lists, false, page);
      }
      const hash = ticketRunsPartition(workspaceId, ticketId);
      const wanted = { limit: RUNS_MAX, forward: false, decode: ({ sk }: Item) => String(sk) };
      const ids = await decodedItems(helpdesk, { hash }, wanted);
      const found = await runs.readMany(workspaceId, ids);
      const all = statuses.length === RUN_STATUSES.length;
      const some = found.filter(({ record }) => all || statuses.includes(record.status));
      return {
        ids: some.slice(page.offset, page.offset + page.limit).map(({ record }) => record.id),
        total: some.length,
      };
    },

    deliveries: (workspaceId, webhookId, page) =>
      listed(helpdesk, [list(listName('delivery', workspaceId, webhookId))], false, page),

    async ticketCounts(workspaceId, countTo = TOTAL_MAX) {
      const counts = await Promise.all(
        TICKET_STATES.map(
          async (state): Promise<[TicketState, number]> => [
            state,
            await countOf(helpdesk, list(ticketList(workspaceId)(state)), countTo),
          ],
        ),
      );
      return Object.fromEntries(counts) as Record<TicketState, number>;
    },
  };
}

async function listed(
  helpdesk: Table,
  partitions: readonly Partition[],
  forward: boolean,
  { limit, offset, countTo = TOTAL_MAX }: CountedPage,
): Promise<Listed> {
  const [ids, total] = await Promise.all([
    mergedIds(helpdesk, partitions, forward, { limit, offset }),
    countTo === 0 ? 0 : totalOf(helpdesk, partitions, countTo),
  ]);
  return { ids, total };
}

/** The ids of the page, in the order of all partitions together. */
async function mergedIds(
  helpdesk: Table,
  partitions: readonly Partition[],
  forward: boolean,
  { limit, offset }: Page,
): Promise<readonly string[]> {
  const pageMax = Math.min(PAGE_MAX, offset + limit);
  const sources = partitions.map((partition) => itemsOf(helpdesk, partition, { forward, pageMax }));
  const place = partitions[0]?.names?.[1] ?? 'ls';
  const heads = await Promise.all(sources.map((source) => source.next()));
  const ids = new Set<string>();
  while (ids.size < offset + limit) {
    let first = -1;
    for (const [i, head] of heads.entries()) {
      if (head.done === true) continue;
      const best = heads[first];
      const isFirst =
        best === undefined ||
        best.done === true ||
        (forward
          ? String(head.value[place]) < String(best.value[place])
          : String(head.value[place]) > String(best.value[place]));
      if (isFirst) first = i;
    }
    const [head, source] = [heads[first], sources[first]];
    if (head === undefined || head.done === true || source === undefined) break;
    ids.add(String(head.value.sk));
    // A page ends here more often than not: what lies behind is not asked for.
    if (ids.size < offset + limit) heads[first] = await source.next();
  }
  return [...ids].slice(offset);
}
