// Goal: runs of one schedule never overlap, an error does not end it, and stopping waits for the run in progress.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { startSchedule } from './schedule.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('runs at once when asked to, then every interval, leaving out turns while a run lasts', async () => {
  const ends: (() => void)[] = [];
  const run = vi.fn(() => new Promise<void>((resolve) => ends.push(resolve)));
  const schedule = startSchedule({ intervalMs: 1_000, atOnce: true, run, onError: () => undefined });
  expect(run).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(2_500);
  expect(run).toHaveBeenCalledTimes(1);
  ends[0]?.();
  await vi.advanceTimersByTimeAsync(500);
  expect(run).toHaveBeenCalledTimes(2);

  let stopped = false;
  const stopping = schedule.stop().then(() => {
    stopped = true;
  });
  await vi.advanceTimersByTimeAsync(5_000);
  expect([stopped, run.mock.calls.length]).toEqual([false, 2]);
  ends[1]?.();
  await stopping;
});

it('goes on after an error', async () => {
  const onError = vi.fn();
  const run = vi.fn(() => Promise.reject(new Error('down')));
  const schedule = startSchedule({ intervalMs: 1_000, atOnce: false, run, onError });
  await vi.advanceTimersByTimeAsync(3_000);
  expect(run).toHaveBeenCalledTimes(3);
  expect(onError).toHaveBeenCalledTimes(3);
  await schedule.stop();
});
