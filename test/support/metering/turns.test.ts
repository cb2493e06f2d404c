import { expect, it } from 'vitest';
import { createTurns } from './turns.ts';

it('lets platforms answer in their order, once all were asked, whichever was asked first', async () => {
  const turns = createTurns();
  const said: string[] = [];
  const ask = async (slug: string): Promise<void> => {
    await turns.answer(slug);
    said.push(slug);
    turns.end(slug);
  };
  turns.begin(['a', 'b', 'c', 'd']);
  const asked = ['c', 'b', 'a'].map(ask);
  await Promise.resolve();
  expect(said).toEqual([]);
  turns.end('d');
  await Promise.all(asked);
  await ask('b');
  expect(said).toEqual(['a', 'b', 'c', 'b']);
});
