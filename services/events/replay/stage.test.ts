// Goal: a plan sends each event of its range once, and counts what it does. Method: the real pipeline in memory; a plan is made
// by the API's own handler, and its queue is worked as the event source does. Deaths are in test/simulation.
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { isReplayId, rootOf } from '#lib/events/domain/replays/replay-id.ts';
import type { HttpRequest, HttpResult } from '#lib/events/platforms/platform.ts';
import type { createReplay } from '#lib/events/routes/replays.ts';
import { SYNTHETIC_PLATFORMS, type WireEvent } from '#test/simulation/synthetic-platforms.ts';
import { allTaken, eventIds, reply } from '#test/support/delivery.ts';
import { PIPELINE_MERCHANT } from '#test/support/memory-pipeline.ts';
import { CALL, KEYLESS, withReplays } from '#test/support/replaying.ts';
import { openSyntheticShop } from '#test/support/synthetic-shop.ts';

type Wish = Partial<z.output<(typeof createReplay)['body']>>;

/** Alpha refuses events whose id begins with `bad`. */
function answer(request: HttpRequest): HttpResult {
  if (!request.url.includes('alpha')) return allTaken(request);
  const events = JSON.parse(request.body) as WireEvent[];
  const said = events.map(({ nonce }) => [nonce, nonce.startsWith('bad') ? 'bad' : 'ok']);
  return reply(200, { results: Object.fromEntries(said) });
}

function open(dailyMax?: number) {
  const pipeline = openSyntheticShop({ answer });
  const replays = withReplays(pipeline, SYNTHETIC_PLATFORMS, dailyMax);
  const replayRows = () => pipeline.events.rows().filter(({ key }) => isReplayId(key.eventId));
  const of = (id: string) => ({ ...CALL, params: { id } });
  const accept = (id: string, extra: object = {}) =>
    pipeline.take(id, { value: undefined, currency: undefined, ...extra });
  return {
    ...replays,
    pipeline,
    accept,
    /** Takes events under these ids, and works them off. */
    settle: async (ids: readonly string[]) => {
      for (const id of ids) await accept(id);
      await pipeline.drain();
    },
    /** Makes a plan. */
    plan: async (wish: Wish = {}) => {
      // What comes in the same millisecond came later.
      pipeline.clock.advance(1);
      const plain = { filter: {}, only: 'all', rate: 500, dedupe: 'original', dry_run: false } as const;
      const body = { ...plain, ...wish };
      const made = await replays.api.createReplay({ ...KEYLESS, params: undefined, body });
      if ('failure' in made) throw new Error(made.failure);
      return made.body.replay.id;
    },
    change: async (id: string, body: { state?: 'running' | 'paused'; rate?: number }) =>
      await replays.api.changeReplay({ ...of(id), body }),
    cancel: async (id: string) => await replays.api.cancelReplay({ ...of(id), body: undefined }),
    look: async (id: string) => {
      const read = await replays.api.readReplay({ ...of(id), body: undefined });
      if ('failure' in read) throw new Error(read.failure);
      return read.body.replay;
    },
    /** Lets this much time pass, second by second. */
    pass: async (seconds: number) => {
      for (let second = 0; second < seconds; second++) {
        await replays.drainPlans();
        await pipeline.drain();
        pipeline.clock.advance(1_000);
      }
    },
    replayRows,
    roots: () =>
      replayRows()
        .map(({ key }) => rootOf(key.eventId))
        .sort(),
  };
}

const NOTHING = {
  will_send: 0,
  already_delivered: 0,
  in_progress: 0,
  too_old: 0,
  erased: 0,
  excluded: 0,
  unreadable: 0,
};

const numbered = (count: number) => Array.from({ length: count }, (_, i) => `e${String(i).padStart(3, '0')}`);
const MANY = numbered(250);

describe('a plan', () => {
  it('sends every event that was there when it was made, once, and none that came later', async () => {
    const host = open();
    await host.settle(MANY);
    const id = await host.plan();
    await host.accept('later');
    await host.pass(60);
    expect(host.roots()).toEqual(MANY);
    expect(await host.look(id)).toMatchObject({
      state: 'done',
      progress: { seen: 250, matched: 250, sent: 250, unreadable: 0 },
      counts: { alpha: { ...NOTHING, will_send: 250 }, carol: { ...NOTHING, will_send: 250 } },
    });
    expect(await host.plans.places(PIPELINE_MERCHANT)).toEqual([]);
    expect(host.pipeline.problems).toEqual([]);
    const sent = host.pipeline.requests.flatMap(eventIds);
    expect(sent.filter((one) => one === 'e007')).toHaveLength(6);
    expect(sent.filter(isReplayId)).toEqual([]);
  });

  it('rests when the day has no room for more replays, and goes on the day after', async () => {
    const host = open(100);
    await host.settle(MANY);
    const id = await host.plan({ rate: 10 });
    const goOn = async () => {
      for (let minute = 0; minute < 12; minute++) {
        await host.sweepPlans();
        await host.pass(60);
      }
    };
    await goOn();
    const first = host.roots().length;
    // No more than a page over the limit.
    expect(first).toBeGreaterThanOrEqual(90);
    expect(first).toBeLessThanOrEqual(200);
    expect((await host.look(id)).state).toBe('running');
    for (let day = 0; day < 4; day++) {
      host.pipeline.clock.advance(86_400_000);
      await goOn();
    }
    expect(host.roots()).toEqual(MANY);
    expect((await host.look(id)).state).toBe('done');
  });

  it('counts a replay in that by its size, as several', async () => {
    const host = open(100);
    const large = {
      items: Array.from({ length: 200 }, (_, i) => ({ id: `${i}`.padStart(150, 'x'), quantity: 1 })),
    };
    for (const id of MANY) await host.accept(id, large);
    await host.pipeline.drain();
    await host.plan({ rate: 1 });
    await host.pass(120);
    // Pages of ten, of some 40 KB each.
    expect(host.roots().length).toBeGreaterThanOrEqual(10);
    expect(host.roots().length).toBeLessThanOrEqual(20);
  });

  it('rests by what the operator lets this merchant replay in a day, instead of all', async () => {
    const host = open();
    await host.settle(MANY);
    const { config } = host.pipeline;
    const limited: typeof config.merchant = async (merchantId) => ({
      merchantId,
      name: 'Shop',
      email: 'shop@example.com',
      onboardingStep: 'done',
      onboardingCompleted: true,
      createdAtMs: 0,
      browserIngestion: { enabled: true, origins: [] },
      limits: { replaysPerDay: 100 },
    });
    Object.assign(config, { merchant: limited });
    const id = await host.plan({ rate: 10 });
    for (let minute = 0; minute < 12; minute++) {
      await host.sweepPlans();
      await host.pass(60);
    }
    expect(host.roots().length).toBeLessThanOrEqual(200);
    expect((await host.look(id)).state).toBe('running');
  });

  it('counts beforehand, in a dry run, what it does afterwards', async () => {
    const host = open();
    for (const id of ['e1', 'e2', 'bad1']) await host.accept(id);
    await host.accept('old', { event_time: Math.floor(host.pipeline.clock.now() / 1_000) - 6.9 * 86_400 });
    await host.accept('nobody', { consent: { ad_user_data: 'denied' } });
    await host.pipeline.drain();
    host.pipeline.clock.advance(86_400_000 / 4);
    const wish = { only: 'undelivered' } as const;
    const dry = await host.plan({ ...wish, dry_run: true });
    await host.pass(30);
    expect(host.replayRows()).toEqual([]);
    const run = await host.plan(wish);
    await host.pass(30);
    const [before, after] = [await host.look(dry), await host.look(run)];
    expect(after.counts).toEqual(before.counts);
    expect(after.progress).toEqual(before.progress);
    expect(after.counts).toEqual({
      alpha: { ...NOTHING, will_send: 1, already_delivered: 3, excluded: 1 },
      bravo: { ...NOTHING, already_delivered: 5 },
      carol: { ...NOTHING, already_delivered: 5 },
    });
    expect(host.roots()).toEqual(['bad1']);
    const all = await host.plan({ only: 'all', dry_run: true });
    await host.pass(30);
    const counts = (await host.look(all)).counts.alpha;
    expect(counts).toEqual({ ...NOTHING, will_send: 3, too_old: 1, excluded: 1 });
  });

  it('takes what its filter says, to the platforms it names', async () => {
    const host = open();
    await host.accept('e1', { event_name: 'Lead' });
    await host.accept('e2', { source: 'shop' });
    await host.accept('e3', { source: 'shop', event_name: 'my-own' });
    await host.pipeline.drain();
    const ask = async (filter: object) => {
      const id = await host.plan({ filter, platforms: ['alpha'], dry_run: true });
      await host.pass(30);
      const { progress, counts } = await host.look(id);
      expect(Object.keys(counts)).toEqual(progress.matched === 0 ? [] : ['alpha']);
      return progress.matched;
    };
    expect(await ask({})).toBe(3);
    expect(await ask({ event_name: 'generate_lead' })).toBe(1);
    expect(await ask({ event_name: 'my-own' })).toBe(1);
    expect(await ask({ source: 'shop' })).toBe(2);
    expect(await ask({ source: 'shop', event_name: 'Purchase' })).toBe(1);
    expect(await ask({ event_ids: ['e1', 'e3', 'e1', 'none'] })).toBe(2);
    expect(await ask({ end: Date.UTC(2026, 10, 21, 12) })).toBe(0);
  });

  it('stops within a page when it is paused, costs nothing meanwhile, and goes on where it was', async () => {
    const host = open();
    await host.settle(numbered(40));
    host.pipeline.clock.advance(60_000);
    const id = await host.plan({ rate: 1 });
    await host.pass(15);
    expect(host.replayRows()).toHaveLength(20);
    const changed = await host.change(id, { state: 'paused' });
    expect(changed).toMatchObject({ body: { replay: { state: 'paused' } } });
    const { version } = (await host.plans.plan(PIPELINE_MERCHANT, id)) ?? {};
    for (let minute = 0; minute < 10; minute++) {
      await host.sweepPlans();
      await host.pass(60);
    }
    expect(host.replayRows()).toHaveLength(20);
    expect(await host.plans.plan(PIPELINE_MERCHANT, id)).toMatchObject({ version });
    await host.change(id, { state: 'running', rate: 500 });
    await host.pass(15);
    expect(await host.look(id)).toMatchObject({ state: 'done', progress: { sent: 40 } });
    expect(new Set(host.roots()).size).toBe(40);
  });

  it('ends where it is cancelled, and what it sent stays sent', async () => {
    const host = open();
    await host.settle(numbered(40));
    host.pipeline.clock.advance(60_000);
    const id = await host.plan({ rate: 1 });
    await host.pass(5);
    expect(await host.cancel(id)).toMatchObject({ body: { replay: { state: 'cancelled' } } });
    await host.sweepPlans();
    await host.pass(200);
    expect(host.replayRows()).toHaveLength(10);
    expect(await host.cancel(id)).toEqual({ failure: 'replay_over' });
    expect(await host.change(id, { state: 'running' })).toEqual({ failure: 'replay_over' });
    expect(await host.plans.places(PIPELINE_MERCHANT)).toEqual([]);
  });

  it('keeps its rate', async () => {
    const host = open();
    await host.settle(numbered(90));
    host.pipeline.clock.advance(60_000);
    await host.plan({ rate: 2 });
    const counts: number[] = [];
    for (let turn = 0; turn < 5; turn++) {
      await host.pass(10);
      counts.push(host.replayRows().length);
    }
    expect(counts).toEqual([20, 40, 60, 80, 90]);
  });

  it('leaves a replay to its original, and an event that is under way to itself', async () => {
    const host = open();
    await host.settle(['e1']);
    await host.api.replayEvent({ ...KEYLESS, params: { id: 'e1' }, body: undefined });
    await host.accept('e2');
    host.pipeline.queues.accepted.purge();
    const id = await host.plan();
    host.pipeline.clock.advance(30_000);
    await host.drainPlans();
    expect(await host.look(id)).toMatchObject({
      state: 'done',
      progress: { seen: 3, matched: 2, sent: 1 },
      counts: { alpha: { ...NOTHING, will_send: 1, in_progress: 1 } },
    });
  });

  it('counts what it cannot read and goes on', async () => {
    const host = open();
    await host.settle(['e1', 'e2', 'e3']);
    const id = await host.plan({ platforms: ['alpha'] });
    host.pipeline.storedRows.spoil({ merchantId: PIPELINE_MERCHANT, channel: 'server', eventId: 'e2' });
    await host.pass(30);
    expect(host.roots()).toEqual(['e1', 'e3']);
    expect(await host.look(id)).toMatchObject({
      state: 'done',
      progress: { sent: 2, unreadable: 1 },
      counts: { alpha: { ...NOTHING, will_send: 2, unreadable: 1 } },
    });
  });

  it('counts what was erased, and sends the rest', async () => {
    const host = open();
    await host.accept('e1');
    host.pipeline.clock.advance(86_400_000);
    await host.settle(['e2']);
    await host.pipeline.dayKeys.eraseBefore(PIPELINE_MERCHANT, '2026-11-22');
    host.pipeline.clock.advance(600_000);
    const id = await host.plan({ platforms: ['carol'] });
    await host.pass(30);
    expect(host.roots()).toEqual(['e2']);
    expect(await host.look(id)).toMatchObject({ counts: { carol: { ...NOTHING, will_send: 1, erased: 1 } } });
  });

  it('does not begin for a message that is out of date, or for a sweep while it moves', async () => {
    const host = open();
    await host.settle(['e1']);
    const id = await host.plan();
    host.work.purge();
    await host.sweepPlans();
    await host.pass(30);
    expect(host.replayRows()).toEqual([]);
    const stale = { merchant: PIPELINE_MERCHANT, plan: id, step: 7 };
    await host.stage([{ body: stale, receiveCount: 1, sentAtMs: 0 }]);
    expect(host.replayRows()).toEqual([]);
    host.pipeline.clock.advance(120_000);
    await host.sweepPlans();
    await host.pass(30);
    expect(host.roots()).toEqual(['e1']);
  });
});
