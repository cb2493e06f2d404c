// How the modelled Lambda serves: instances, timeouts, concurrency, CPU, and the batches of an event source.
import { beforeEach, describe, expect, it } from 'vitest';
import { DURATIONS } from '../aws/durations.ts';
import { createScheduler, type Scheduler } from '../scheduler.ts';
import { createQueue } from '../sqs/queue.ts';
import { createUsage, type Usage } from '../usage.ts';
import { type Account, createAccount } from './account.ts';
import { createEventSource } from './event-source.ts';
import { createFunction, type Handler, type LambdaFunction, type Outcome } from './function.ts';
import { createInstance, type Instance } from './instance.ts';

const COLD_MS = DURATIONS.coldStartMs;
let scheduler: Scheduler;
let usage: Usage;
let account: Account;

beforeEach(() => {
  scheduler = createScheduler(0);
  usage = createUsage();
  account = createAccount(1_000);
});

const half = (): number => 0.5;
function deploy(
  handler: (instance: Instance) => Handler,
  more: { timeoutMs?: number; reserved?: number } = {},
): LambdaFunction {
  return createFunction({
    name: 'f',
    memoryMb: DURATIONS.coreMb,
    timeoutMs: more.timeoutMs ?? 30_000,
    ...(more.reserved === undefined ? {} : { reserved: more.reserved }),
    start: async (instance) => handler(instance),
    scheduler,
    account,
    usage,
    random: half,
  });
}
const takes = (ms: number) => (instance: Instance) => async () => {
  await instance.pause(ms);
  return { batchItemFailures: [] };
};

describe('a function', () => {
  it('starts an instance for each event at once, and uses it again', async () => {
    const fn = deploy(takes(100));
    const ended: number[] = [];
    const go = () => fn.invoke({}, () => ended.push(scheduler.now()));
    expect([go(), go()]).toEqual([true, true]);
    await scheduler.run(1_000);
    expect(ended).toEqual([COLD_MS + 100, COLD_MS + 100]);
    go();
    await scheduler.run(2_000);
    expect(ended[2]).toBe(1_100);
    expect(usage.of('f')).toMatchObject({ invocations: 3 });
  });

  it('kills what takes longer than its timeout, and never hears of it again', async () => {
    let survived = false;
    const fn = deploy(
      (instance) => async () => {
        await instance.pause(60_000);
        survived = true;
      },
      { timeoutMs: 15_000 },
    );
    const outcomes: Outcome[] = [];
    fn.invoke({}, (outcome) => outcomes.push(outcome));
    await scheduler.run(120_000);
    expect(outcomes).toEqual([{ failed: true }]);
    expect(survived).toBe(false);
    expect(fn.report()).toMatchObject({ timeouts: 1, longestMs: 15_000, running: 0 });
    expect(account.running()).toBe(0);
  });

  it('refuses what the account’s concurrency, its own, or its rate of requests does not hold', async () => {
    account = createAccount(3);
    const fn = deploy(takes(100));
    const go = () => fn.invoke({}, () => {});
    expect([go(), go(), go(), go()]).toEqual([true, true, true, false]);
    await scheduler.run(1_000);
    const own = deploy(takes(100), { reserved: 1 });
    expect([own.invoke({}, () => {}), own.invoke({}, () => {})]).toEqual([true, false]);
    await scheduler.run(2_000);
    // Ten requests a second for each of the three.
    let served = 0;
    const quick = deploy(takes(0));
    for (let i = 0; i < 100; i++) {
      if (quick.invoke({}, () => {})) served += 1;
      await scheduler.run(2_000 + i);
    }
    expect(served).toBeLessThanOrEqual(30);
    expect(fn.report().throttled).toBe(1);
  });

  it('adds at most a thousand instances in ten seconds', async () => {
    account = createAccount(5_000);
    const fn = deploy(takes(20_000));
    const go = (): number => {
      let served = 0;
      while (fn.invoke({}, () => {})) served += 1;
      return served;
    };
    expect(go()).toBe(1_000);
    await scheduler.run(9_999);
    expect(go()).toBe(0);
    await scheduler.run(10_000);
    expect(go()).toBe(1_000);
  });
});

describe('an instance', () => {
  it('spends CPU one piece after another, by its share of a core', async () => {
    const instance = createInstance({ name: 'f', memoryMb: DURATIONS.coreMb / 4, scheduler, random: half });
    const answered: number[] = [];
    const call = () =>
      instance.call(5, () => ({ answer: null, rows: 0 })).then(() => answered.push(scheduler.now()));
    void call();
    void call();
    void call();
    await scheduler.run(1_000);
    const each = DURATIONS.sdkCallCpuMs * 4;
    expect(answered).toEqual([each + 5, 2 * each + 5, 3 * each + 5]);
  });
});

describe('an event source', () => {
  const source = (
    fn: LambdaFunction,
    settings: { batchSize: number; windowMs: number; concurrencyMax: number },
  ) => {
    const queue = createQueue({ name: 'q', visibilityMs: 60_000, receivesMax: 5 }, scheduler);
    return { queue, source: createEventSource({ queue, fn, scheduler, usage, ...settings }) };
  };
  const sizes: number[] = [];
  const notes = (instance: Instance) => async (event: unknown) => {
    sizes.push((event as { Records: unknown[] }).Records.length);
    await instance.pause(1_000);
    return { batchItemFailures: [] };
  };
  beforeEach(() => void sizes.splice(0));

  it('gathers for its window, or until the batch is full', async () => {
    const { queue } = source(deploy(notes), { batchSize: 100, windowMs: 1_000, concurrencyMax: 50 });
    for (let i = 0; i < 250; i++) queue.send([{ body: `${i}` }]);
    await scheduler.run(900);
    expect(sizes).toEqual([100, 100]);
    await scheduler.run(5_000);
    expect(sizes).toEqual([100, 100, 50]);
    expect(queue.depth()).toBe(0);
  });

  it('works on so many batches at once as it is set to, and on five before it has grown', async () => {
    const few = source(deploy(notes), { batchSize: 1, windowMs: 0, concurrencyMax: 2 });
    const many = source(deploy(notes), { batchSize: 1, windowMs: 0, concurrencyMax: 1_000 });
    for (let i = 0; i < 100; i++) {
      few.queue.send([{ body: 'x' }]);
      many.queue.send([{ body: 'x' }]);
    }
    await scheduler.run(500);
    expect([few.source.report().concurrencyPeak, many.source.report().concurrencyPeak]).toEqual([2, 7]);
    await scheduler.run(200_000);
    expect([few.queue.depth(), many.queue.depth()]).toEqual([0, 0]);
    expect(few.source.report().concurrencyPeak).toBe(2);
  });

  it('begins anew with five once nothing waited', async () => {
    const { queue, source: mapping } = source(deploy(notes), {
      batchSize: 1,
      windowMs: 0,
      concurrencyMax: 1_000,
    });
    queue.send([{ body: 'x' }]);
    await scheduler.run(600_000);
    for (let i = 0; i < 100; i++) queue.send([{ body: 'x' }]);
    await scheduler.run(600_500);
    expect(mapping.report().concurrencyPeak).toBe(7);
  });

  it('gives back what failed, what threw, and what was throttled', async () => {
    let runs = 0;
    const fn = deploy(() => async (event) => {
      runs += 1;
      if (runs === 1) throw new Error('the first run');
      const [first] = (event as { Records: { messageId: string }[] }).Records;
      return { batchItemFailures: runs === 2 ? [{ itemIdentifier: first?.messageId }] : [] };
    });
    const { queue } = source(fn, { batchSize: 10, windowMs: 100, concurrencyMax: 2 });
    for (let i = 0; i < 3; i++) queue.send([{ body: `${i}` }]);
    await scheduler.run(10_000);
    expect([runs, queue.depth()]).toEqual([1, 3]);
    await scheduler.run(70_000);
    expect([runs, queue.depth()]).toEqual([2, 1]);
    await scheduler.run(140_000);
    expect([runs, queue.depth()]).toEqual([3, 0]);
  });
});
