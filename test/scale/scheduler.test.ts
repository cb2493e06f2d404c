import { describe, expect, it } from 'vitest';
import { createScheduler } from './scheduler.ts';

describe('the scheduler', () => {
  it('runs actions in the order of their times, and those of one millisecond in the order they came', async () => {
    const scheduler = createScheduler(1_000);
    const seen: string[] = [];
    const note = (what: string) => () => void seen.push(`${what}@${scheduler.now()}`);
    scheduler.at(1_020, note('late'));
    scheduler.at(1_005.2, note('first'));
    scheduler.at(1_006, note('second'));
    scheduler.after(-50, note('now'));
    await scheduler.run(2_000);
    expect(seen).toEqual(['now@1000', 'first@1006', 'second@1006', 'late@1020']);
    expect(scheduler.now()).toBe(2_000);
  });

  it('keeps order among thousands of times', async () => {
    const scheduler = createScheduler(0);
    const seen: number[] = [];
    for (let i = 0; i < 5_000; i++) scheduler.at((i * 7_919) % 4_001, () => seen.push(scheduler.now()));
    await scheduler.run(10_000);
    expect(seen).toHaveLength(5_000);
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
  });

  it('lets promises go on within their moment, and what they ask for at once belongs to it', async () => {
    const scheduler = createScheduler(0);
    const seen: string[] = [];
    const work = async (): Promise<void> => {
      await scheduler.pause(5);
      seen.push(`awake@${scheduler.now()}`);
      await scheduler.pause(0);
      seen.push(`again@${scheduler.now()}`);
      await scheduler.pause(5);
      seen.push(`done@${scheduler.now()}`);
    };
    void work();
    scheduler.at(6, () => seen.push('next'));
    await scheduler.run(100);
    expect(seen).toEqual(['awake@5', 'again@5', 'next', 'done@10']);
  });

  it('stops where it is told to, and goes on from there', async () => {
    const scheduler = createScheduler(0);
    let count = 0;
    const tick = (): void => {
      count += 1;
      scheduler.after(10, tick);
    };
    scheduler.after(10, tick);
    await scheduler.run(35);
    expect([count, scheduler.now()]).toEqual([3, 35]);
    await scheduler.run(1_000, () => count === 7);
    expect([count, scheduler.now()]).toEqual([7, 70]);
  });
});
