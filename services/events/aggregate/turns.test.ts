// Goal: slots of few rows pass by those of many, which go one at a time; nothing goes on when the time is over.
import { expect, it } from 'vitest';
import { createManualClock } from '#test/support/memory/clock.ts';
import { createTurns, OutOfTime } from './turns.ts';

it('lets a slot of few rows pass while one of many has its turn', async () => {
  const turns = createTurns(createManualClock(0));
  const [heavy, light, waiting] = [turns.next(), turns.next(), turns.next()];
  await heavy.afterRows(501);
  await light.afterRows(500);
  let begun = false;
  const wait = waiting.afterRows(600).then(() => {
    begun = true;
  });
  await heavy.afterRows(60_000);
  await new Promise(setImmediate);
  expect(begun).toBe(false);
  heavy.end();
  await wait;
  expect(begun).toBe(true);
});

it('sends away what waited for too long, and lets the one that began end', async () => {
  const clock = createManualClock(0);
  const turns = createTurns(clock);
  const [first, second, third] = [turns.next(), turns.next(), turns.next()];
  await first.afterRows(501);
  const waits = [second, third].map((turn) =>
    turn.afterRows(501).catch((error: unknown) => {
      turn.end();
      return error;
    }),
  );
  clock.advance(10_000);
  expect(turns.isOver()).toBe(true);
  await first.afterRows(60_000);
  first.end();
  expect(await Promise.all(waits)).toEqual([expect.any(OutOfTime), expect.any(OutOfTime)]);
});
