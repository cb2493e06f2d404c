// Goal: an index that lags behind breaks no page: a record is in it twice while it moves, and is listed once.
import type { DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { expect, it } from 'vitest';
import { TICKET_STATES } from '#lib/helpdesk/domain/tickets/ticket.ts';
import { TOTAL_MAX } from '#lib/helpdesk/ports/stores.ts';
import { createListIndex } from './list-index.ts';

/** An index by partition, in pages of two. */
function indexOf(partitions: Readonly<Record<string, readonly string[]>>) {
  const asked: number[] = [];
  const send = async ({ input }: QueryCommand) => {
    const ids = partitions[String(input.ExpressionAttributeValues?.[':hash'])] ?? [];
    const from = Number(input.ExclusiveStartKey?.at ?? 0);
    const size = Math.min(2, input.Limit ?? 2);
    const page = ids.slice(from, from + size);
    const isCut = from + size < ids.length;
    asked.push(input.Limit ?? 0);
    return {
      Items: page.map((id) => ({ pk: 'p', sk: id, ls: id })),
      Count: page.length,
      ...(isCut ? { LastEvaluatedKey: { at: from + size } } : {}),
    };
  };
  const runs = { readMany: async () => [] };
  return { lists: createListIndex({ send } as unknown as DynamoDBDocumentClient, 'helpdesk', runs), asked };
}

it('lists a record once that stands where it was and where it is', async () => {
  const { lists } = indexOf({ 'T#ws#NEW': ['e', 'c', 'b'], 'T#ws#OPEN': ['d', 'c', 'a'] });
  const all = await lists.tickets('ws', ['NEW', 'OPEN'], { limit: 10, offset: 0 });
  expect(all.ids).toEqual(['e', 'd', 'c', 'b', 'a']);
  expect((await lists.tickets('ws', ['NEW', 'OPEN'], { limit: 2, offset: 2 })).ids).toEqual(['c', 'b']);
});

it('asks for no more than the page and what lies before it', async () => {
  const { lists, asked } = indexOf({ 'T#ws#NEW': ['e', 'c', 'b'] });
  await lists.tickets('ws', ['NEW'], { limit: 1, offset: 0 });
  expect(asked.filter((limit) => limit <= 1)).toHaveLength(1);
});

it('counts ten thousand of several lists together, and little more, wherever they lie', async () => {
  let counted = 0;
  const send = async ({ input }: QueryCommand) => {
    if (input.Select !== 'COUNT') return { Items: [] };
    counted += input.Limit ?? 0;
    return { Count: input.Limit ?? 0, LastEvaluatedKey: { at: counted } };
  };
  const runs = { readMany: async () => [] };
  const lists = createListIndex({ send } as unknown as DynamoDBDocumentClient, 'helpdesk', runs);
  const { total } = await lists.tickets('ws', TICKET_STATES, { limit: 1, offset: 0 });
  expect(total).toBe(TOTAL_MAX);
  expect(counted).toBeLessThanOrEqual(2.5 * TOTAL_MAX);
  counted = 0;
  expect((await lists.tickets('ws', ['DONE'], { limit: 1, offset: 0 })).total).toBe(TOTAL_MAX);
  expect(counted).toBe(TOTAL_MAX);
  expect((await lists.ticketCounts('ws')).DONE).toBe(TOTAL_MAX);
});
