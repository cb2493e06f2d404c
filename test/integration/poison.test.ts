// One row, message or platform that makes its reader fail: everything beside it goes its way, and once the cause is gone it
// goes its way as well. One case per reader of many; the API's lists are in services/events/api/routes.
import { describe, expect, it } from 'vitest';
import { isolating } from '../../lib/adapters/lambda/sqs-batch.ts';
import type { EventKey } from '../../lib/events/domain/event/row.ts';
import type { Platform } from '../../lib/events/platforms/platform.ts';
import { UnreadablePart } from '../../lib/events/ports/event-vault.ts';
import { SYNTHETIC_PLATFORMS, type WireEvent } from '../simulation/synthetic-platforms.ts';
import { allTaken } from '../support/delivery.ts';
import { throughSqs } from '../support/memory/sqs-characters.ts';
import { PIPELINE_MERCHANT, type PipelineOptions } from '../support/memory-pipeline.ts';
import { DELIVERED, DOWN, openSyntheticShop } from '../support/synthetic-shop.ts';

const HEALTHY = ['e1', 'e2', 'e3', 'e4', 'e5'];
const POISON = 'poison';
const EVERYBODY = [...HEALTHY.slice(0, 2), POISON, ...HEALTHY.slice(2)];
const HOUR = 60;

const keyOf = (eventId: string): EventKey => ({ merchantId: PIPELINE_MERCHANT, channel: 'server', eventId });
function open(options: Partial<PipelineOptions> = {}) {
  const shop = openSyntheticShop(options);
  return {
    ...shop,
    acceptAll: async () => {
      for (const id of EVERYBODY) await shop.take(id);
    },
    healthyAre: (states: unknown) => {
      for (const id of HEALTHY) expect([id, shop.states(id)]).toEqual([id, states]);
    },
  };
}

type Pipeline = ReturnType<typeof open>;

/** Everything up to the stage before this one has run. */
async function runUpTo(
  stage: 'normalize' | 'fan-out' | 'deliver',
  { queues, stages }: Pipeline,
): Promise<void> {
  if (stage === 'normalize') return;
  const accepted = queues.accepted.receive(100);
  expect(await stages.normalize(accepted)).toEqual({ failedIndexes: [] });
  for (const { receipt } of accepted) queues.accepted.remove(receipt);
  if (stage === 'fan-out') return;
  const normalized = queues.normalized.receive(100);
  expect(await stages.fanOut(normalized)).toEqual({ failedIndexes: [] });
  for (const { receipt } of normalized) queues.normalized.remove(receipt);
}

describe('a row that cannot be read', () => {
  it.each(['normalize', 'fan-out', 'deliver'] as const)(
    'in %s: the others of its message are delivered',
    async (stage) => {
      const pipeline = open();
      await pipeline.acceptAll();
      await runUpTo(stage, pipeline);
      pipeline.events.spoil(keyOf(POISON));
      await pipeline.drain();
      pipeline.healthyAre(DELIVERED);
      expect(pipeline.states(POISON)).not.toEqual(DELIVERED);
      await pipeline.pass(1);
      expect(pipeline.counted('minute')).toBe(HEALTHY.length);
      // Days later a release reads it.
      await pipeline.pass(24 * HOUR, 600_000);
      expect(pipeline.problems).toEqual([]);
      pipeline.events.mend(keyOf(POISON));
      await pipeline.pass(6 * HOUR);
      expect(pipeline.states(POISON)).toEqual(DELIVERED);
      expect(pipeline.counted('minute')).toBe(EVERYBODY.length);
      expect(pipeline.counted('day')).toBe(EVERYBODY.length);
    },
  );

  it('in the sweep: the others are told in time, and it costs ever fewer looks', async () => {
    let down = true;
    const pipeline = open({ answer: (request) => (down ? DOWN : allTaken(request)) });
    await pipeline.acceptAll();
    // Each row by itself: a batch's due time is its item's.
    await pipeline.drain(1);
    down = false;
    pipeline.events.spoil(keyOf(POISON));
    let looks = 0;
    const deferUnreadable = pipeline.storedRows.deferUnreadable;
    pipeline.storedRows.deferUnreadable = async (...args) => {
      looks += 1;
      return await deferUnreadable(...args);
    };
    await pipeline.pass(3);
    pipeline.healthyAre(DELIVERED);
    await pipeline.pass(24 * HOUR);
    expect(looks).toBeGreaterThan(5);
    expect(looks).toBeLessThan(15);
    expect(pipeline.problems).toEqual([]);
    pipeline.events.mend(keyOf(POISON));
    await pipeline.pass(8 * HOUR);
    expect(pipeline.states(POISON)).toEqual(DELIVERED);
  });

  it('in the reconciliation: the others are recounted, and nothing drifts', async () => {
    const pipeline = open();
    await pipeline.acceptAll();
    await pipeline.drain();
    pipeline.events.spoil(keyOf(POISON));
    await pipeline.pass(3 * HOUR, 600_000);
    expect(await pipeline.reconcile()).toMatchObject({ failed: 0 });
    pipeline.events.mend(keyOf(POISON));
    await pipeline.pass(3 * HOUR, 600_000);
    expect(pipeline.counted('hour')).toBe(EVERYBODY.length);
  });

  it('among the counters: they are counted anew from the rows', async () => {
    const pipeline = open();
    await pipeline.acceptAll();
    await pipeline.drain();
    for (const grain of ['minute', 'hour', 'day'] as const) {
      const row = pipeline.counters.rows().find(({ key }) => key.grain === grain);
      if (row !== undefined) pipeline.counters.spoil(row.key);
    }
    pipeline.clock.advance(60_000);
    await pipeline.take('another');
    await pipeline.drain();
    await pipeline.pass(5);
    for (const grain of ['minute', 'hour', 'day'] as const)
      expect(pipeline.counted(grain)).toBe(EVERYBODY.length + 1);
    expect(pipeline.counters.rows().filter((row) => row.unreadable)).toEqual([]);
  });
});

describe('a message', () => {
  const nowhere = { merchant: PIPELINE_MERCHANT, rows: [['s', 'nowhere']] as ['s', string][], first: true };
  const foreign = {
    merchant: 'ffffffff-ceea-467f-a111-000000000009',
    rows: [['s', 'e1']] as ['s', string][],
  };
  const crowd = {
    merchant: PIPELINE_MERCHANT,
    rows: Array.from({ length: 300 }, (_, i) => ['b', `x${i}`] as ['b', string]),
  };

  it.each([
    ['to a row that is not there', nowhere],
    ["to another merchant's row", foreign],
    ['of more rows than one read takes', crowd],
  ])('%s: nobody is stopped at any stage', async (_, body) => {
    const pipeline = open();
    const { queues } = pipeline;
    await queues.accepted.send([{ body, groupId: '' }]);
    await pipeline.acceptAll();
    await queues.normalized.send([{ body, groupId: '' }]);
    for (const [platform, queue] of queues.deliveries)
      await queue.send([{ body: { ...body, platform }, groupId: '' }]);
    await pipeline.drain();
    pipeline.healthyAre(DELIVERED);
    expect(pipeline.problems).toEqual([]);
    expect(queues.accepted.size() + queues.normalized.size()).toBe(0);
  });

  it('about a slot that is none: the others are counted', async () => {
    const pipeline = open();
    await pipeline.acceptAll();
    await pipeline.queues.counterRefresh.send([
      { body: { merchant: PIPELINE_MERCHANT, slots: [9e15] }, groupId: '' },
    ]);
    await pipeline.drain();
    await pipeline.pass(1);
    expect(pipeline.counted('minute')).toBe(EVERYBODY.length);
  });

  it.each([true, false])(
    'that its queue refuses: only its row waits (whole batch refused: %s)',
    async (wholeBatch) => {
      const sqs = throughSqs({ refuse: (body) => body.includes(POISON), wholeBatch });
      const pipeline = open({ sendThrough: sqs.sendThrough });
      await pipeline.acceptAll();
      await pipeline.drain();
      await pipeline.pass(4);
      pipeline.healthyAre(DELIVERED);
      expect(sqs.refused.length).toBeGreaterThan(0);
      expect(pipeline.counted('minute')).toBe(EVERYBODY.length);
      // Told ever more rarely.
      const before = sqs.refused.length;
      await pipeline.pass(12 * HOUR);
      expect(sqs.refused.length - before).toBeLessThan(60);
    },
  );

  it('that makes a stage throw: the others of its batch are handed on', async () => {
    const pipeline = open();
    await pipeline.acceptAll();
    const handled: string[] = [];
    const stage = isolating<{ readonly rows: readonly (readonly string[])[] }>(
      async (part) => {
        if (part.some(({ body }) => body.rows[0]?.[1] === POISON)) throw new Error('poison');
        handled.push(...part.map(({ body }) => body.rows[0]?.[1] ?? ''));
        return { failedIndexes: [] };
      },
      () => {},
    );
    expect(await stage(pipeline.queues.accepted.receive(100))).toEqual({ failedIndexes: [2] });
    expect(handled.sort()).toEqual(HEALTHY);
  });
});

describe('a platform that throws for one event', () => {
  const isPoison = ({ orderId }: { readonly orderId?: string }) => orderId === POISON;
  const boom = (): never => {
    throw new TypeError('a defect');
  };
  const BROKEN: Readonly<Record<string, (alpha: Platform, on: () => boolean) => Partial<Platform>>> = {
    unsendable: (alpha, on) => ({
      unsendable: (e, c) => (on() && isPoison(e) ? boom() : alpha.unsendable(e, c)),
    }),
    ageMaxSec: (alpha, on) => ({ ageMaxSec: (e) => (on() && isPoison(e) ? boom() : alpha.limits.ageMaxSec) }),
    groupKey: (_, on) => ({ groupKey: (e) => (on() && isPoison(e) ? boom() : '') }),
    buildRequest: (alpha, on) => ({
      buildRequest: (es, c, x) => (on() && es.some(isPoison) ? boom() : alpha.buildRequest(es, c, x)),
    }),
    readResponse: (alpha, on) => ({
      readResponse: (r, es) => (on() && es.some(isPoison) ? boom() : alpha.readResponse(r, es)),
    }),
    'readResponse, one outcome short': (alpha, on) => ({
      readResponse: (r, es) => alpha.readResponse(r, es).slice(on() && es.some(isPoison) ? 1 : 0),
    }),
  };

  it.each(Object.keys(BROKEN))(
    'in %s: the others are delivered, and so is it by the next release',
    async (where) => {
      let on = true;
      const platforms = SYNTHETIC_PLATFORMS.map((platform) =>
        platform.slug === 'alpha' ? { ...platform, ...BROKEN[where]?.(platform, () => on) } : platform,
      );
      const pipeline = open({ platforms });
      await pipeline.acceptAll();
      await pipeline.drain();
      await pipeline.pass(2);
      pipeline.healthyAre(DELIVERED);
      expect(pipeline.states(POISON)).toMatchObject({ bravo: 'DELIVERED', carol: 'DELIVERED' });
      const requests = pipeline.requests.length;
      on = false;
      await pipeline.pass(30);
      expect(pipeline.states(POISON)).toEqual(DELIVERED);
      expect(pipeline.requests.length - requests).toBeLessThanOrEqual(1);
      if (where !== 'ageMaxSec') expect(pipeline.problems.length).toBeGreaterThan(0);
      // Copies beyond the first are covered by recorded unknowns.
      for (const id of EVERYBODY) {
        const unknowns = pipeline.row(id).deliveries.alpha?.unknowns ?? 0;
        const copies = pipeline.requests.filter(
          ({ url, body }) =>
            url.includes('alpha') && (JSON.parse(body) as WireEvent[]).some((e) => e.nonce === id),
        ).length;
        expect(copies - 1).toBeLessThanOrEqual(unknowns);
      }
    },
  );

  it('costs no other platform anything when it throws for everything', async () => {
    const platforms = SYNTHETIC_PLATFORMS.map((platform) =>
      platform.slug === 'alpha'
        ? { ...platform, unsendable: boom, buildRequest: boom, readResponse: boom }
        : platform,
    );
    const pipeline = open({ platforms });
    await pipeline.acceptAll();
    await pipeline.drain();
    for (const id of EVERYBODY)
      expect(pipeline.states(id)).toEqual({ alpha: 'RETRY', bravo: 'DELIVERED', carol: 'DELIVERED' });
  });
});

describe.each([
  ['is damaged', new UnreadablePart('damaged')],
  ['cannot be had', new Error('not to be opened')],
])('a sealed part that %s', (_, error) => {
  it('keeps its own row waiting, and ends it with its window', async () => {
    const { eventVault: real } = open();
    const eventVault: PipelineOptions['eventVault'] = {
      seal: real.seal,
      open: async (row, sealed) => {
        if (row.key.eventId === POISON) throw error;
        return await real.open(row, sealed);
      },
    };
    const pipeline = open({ eventVault });
    await pipeline.acceptAll();
    await pipeline.drain();
    pipeline.healthyAre(DELIVERED);
    expect(pipeline.states(POISON)).toEqual({});
    expect(pipeline.problems).toContain(error);
    // The looks at a row that leaves no trace are ever further apart: the last one is a window after its end.
    await pipeline.pass(16 * 24 * HOUR, 1_800_000);
    expect(pipeline.states(POISON)).toEqual({ alpha: 'ERROR', bravo: 'ERROR', carol: 'ERROR' });
  });
});
