// More histories than pages.test.ts has time for, and broken variants that some of them must catch.
import { describe, expect, it } from 'vitest';
import { type Broken, History } from '#test/support/pages/history.ts';

/** The first one alone overwrites an index: of forty histories no other did. */
const SEEDS = [39, ...Array.from({ length: 23 }, (_, seed) => seed)];

it.each(SEEDS)('rows in two places are seen as if they were in one, history %i', async (seed) => {
  await new History(seed).run(120);
});

describe('a history catches that', () => {
  const broken: readonly Broken[] = [
    'reader asks the table alone',
    'eraser skips pages',
    'expiry goes by the clock alone',
    'nothing is kept',
    'index is overwritten',
  ];
  it.each(broken)('%s', async (variant) => {
    for (const seed of SEEDS)
      try {
        await new History(seed, variant).run(120);
      } catch {
        return;
      }
    expect.unreachable(`no history caught it: ${variant}`);
  });
});
