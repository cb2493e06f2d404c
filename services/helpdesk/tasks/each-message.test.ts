import { expect, it } from 'vitest';
import { eachMessage } from './erase-ticket.ts';
import type { TaskPorts } from './ports.ts';

it('goes on behind a page that lacks a message which cannot be read', async () => {
  const asked: number[] = [];
  const listMessages = async (
    _: string,
    __: string,
    { limit, offset }: { limit: number; offset: number },
  ) => {
    asked.push(offset);
    const isFirst = offset === 0;
    return { messages: [{ id: isFirst ? 'first' : 'behind' }], total: limit + 1 };
  };
  const ports = { stores: { messages: { listMessages } } } as unknown as TaskPorts;
  const seen: string[] = [];
  await eachMessage({ workspaceId: 'w', ticketId: 't' }, ports, async ({ id }) => void seen.push(id));
  expect(seen).toEqual(['first', 'behind']);
  expect(asked).toHaveLength(2);
});
