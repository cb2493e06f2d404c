// Goal: a throttled put of a row is distinguished from every other failure, and from a failed condition.
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { expect, it } from 'vitest';
import { ThrottledWrite } from '#lib/events/ports/event-store.ts';
import { acceptedRow } from '#test/contract/stored-rows.ts';
import { createEventStore } from './rows/event-store.ts';

const failing = (name: string) =>
  createEventStore(
    {
      send: () => Promise.reject(Object.assign(new Error(name), { name })),
    } as unknown as DynamoDBDocumentClient,
    'events',
  );
const row = acceptedRow({ eventId: 'e' });

it.each(['ProvisionedThroughputExceededException', 'ThrottlingException', 'RequestLimitExceeded'])(
  'says that a shard is full on %s',
  async (name) => {
    await expect(failing(name).claim(row)).rejects.toThrow(ThrottledWrite);
    await expect(failing(name).replace(row, row.ingestId)).rejects.toThrow(ThrottledWrite);
  },
);

it('says nothing of shards where something else went wrong', async () => {
  const error = await failing('InternalServerError')
    .claim(row)
    .catch((thrown: unknown) => thrown);
  expect(error).not.toBeInstanceOf(ThrottledWrite);
  expect(await failing('ConditionalCheckFailedException').claim(row)).toBe('exists');
  expect(await failing('ConditionalCheckFailedException').replace(row, row.ingestId)).toBe(false);
});
