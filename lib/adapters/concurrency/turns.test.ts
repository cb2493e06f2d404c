// Promise: never more at once than the limit, and nothing is begun after its caller has given up.
import { expect, it } from 'vitest';
import { createTurns } from './turns.ts';

function gate() {
  let open = (): void => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open };
}

it('begins so many at once and the others in turn', async () => {
  const turns = createTurns({ atOnce: 2, waitMaxMs: 1_000, now: () => 0 });
  const gates = [gate(), gate(), gate()];
  const begun: number[] = [];
  const all = gates.map(({ passed }, i) =>
    turns(async () => {
      begun.push(i);
      await passed;
      return i;
    }),
  );
  await Promise.resolve();
  await Promise.resolve();
  gates[1]?.open();
  expect(await all[1]).toBe(1);
  gates[2]?.open();
  expect(await all[2]).toBe(2);
  gates[0]?.open();
  expect(await Promise.all(all)).toEqual([0, 1, 2]);
  expect(begun).toEqual([0, 1, 2]);
});

it('does not begin what waited too long, or what nobody wants any more', async () => {
  let nowMs = 0;
  const turns = createTurns({ atOnce: 1, waitMaxMs: 1_000, now: () => nowMs });
  const first = gate();
  const running = turns(() => first.passed);
  const late = turns(async () => 'late');
  const gone = turns(
    async () => 'gone',
    () => false,
  );
  nowMs = 1_001;
  first.open();
  await running;
  expect([await late, await gone]).toEqual([null, null]);
  expect(await turns(async () => 'next')).toBe('next');
});

it('goes on after work that failed', async () => {
  const turns = createTurns({ atOnce: 1, waitMaxMs: 1_000, now: () => 0 });
  await expect(turns(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await turns(async () => 1)).toBe(1);
});
