// Every order in which a key can be made and revoked, and every place where who does it can die.
import { expect, it } from 'vitest';
import { playOrder } from './proofs/revocations.ts';

it('lets no revoked key in and refuses no valid one, in every order of writes and deaths', async () => {
  // The ways taken so far, and how many there were: the last that has another one left is taken differently the next time.
  let path: { way: number; ways: number }[] = [];
  let orders = 0;
  for (;;) {
    let step = 0;
    const { violations } = await playOrder((ways) => {
      const known = path[step] ?? { way: 0, ways };
      path[step] = known;
      step += 1;
      return known.way;
    });
    orders += 1;
    expect({ path, violations }).toEqual({ path, violations: [] });
    while (path.length > 0 && (path.at(-1)?.way ?? 0) + 1 >= (path.at(-1)?.ways ?? 0)) path.pop();
    const last = path.at(-1);
    if (last === undefined) break;
    path = [...path.slice(0, -1), { ...last, way: last.way + 1 }];
  }
  expect(orders).toBeGreaterThan(500);
});
