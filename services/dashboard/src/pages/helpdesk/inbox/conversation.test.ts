// Goal: a thread is in the order of the times it shows.
import { expect, it } from 'vitest';
import { inOrder } from './conversation.ts';

it('sorts messages by their times, and those of one moment by id', () => {
  const ai = { id: '1', created_at: '2026-11-20T08:16:22.034Z' };
  const agent = { id: '2', created_at: '2026-11-20T08:16:20.062Z' };
  const note = { id: '3', created_at: '2026-11-20T08:16:20.062Z' };
  expect(inOrder([ai, note, agent])).toEqual([agent, note, ai]);
});
