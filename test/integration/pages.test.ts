// Goal: whatever happens to rows, and wherever the archiver dies, a reader sees each event once and with its fate, as if no row had
// ever left the table. More of it: pages.slow.test.ts.
import { expect, it } from 'vitest';
import { History } from '#test/support/pages/history.ts';

it.each([0, 1])('rows in two places are seen as if they were in one, history %i', async (seed) => {
  const history = new History(seed);
  await history.run(60);
  expect(history.world.objects.objects.size).toBeGreaterThan(0);
});
