// One row, message or platform that makes its reader fail: everything beside it goes its way, and once the cause is gone it
// goes its way as well. Rows that stages cannot read are in the proof `quarantine`; the API's lists are in
// services/events/api/routes.
import { describe, expect, it } from 'vitest';
import type { EventKey } from '../../lib/events/domain/event/row.ts';
import type { Platform } from '../../lib/events/platforms/platform.ts';
import { UnreadablePart } from '../../lib/events/ports/event-vault.ts';
import { SYNTHETIC_PLATFORMS } from '../simulation/synthetic-platforms.ts';
import { allTaken, eventIds } from '../support/delivery.ts';
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

describe('a row that cannot be read', () => {
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
});

/** One that throws for some events is in the proof `quarantine`. */
describe('a platform whose code', () => {
  it('gives one outcome too few: the others are delivered, and so is it by the next release', async () => {
    let on = true;
    const isPoison = ({ orderId }: { readonly orderId?: string }) => on && orderId === POISON;
    const platforms = SYNTHETIC_PLATFORMS.map((platform): Platform => {
      if (platform.slug !== 'alpha') return platform;
      const { readResponse } = platform;
      return { ...platform, readResponse: (r, es) => readResponse(r, es).slice(es.some(isPoison) ? 1 : 0) };
    });
    const pipeline = open({ platforms });
    await pipeline.acceptAll();
    await pipeline.drain();
    await pipeline.pass(2);
    pipeline.healthyAre(DELIVERED);
    expect(pipeline.states(POISON)).toMatchObject({ bravo: 'DELIVERED', carol: 'DELIVERED' });
    on = false;
    await pipeline.pass(30);
    expect(pipeline.states(POISON)).toEqual(DELIVERED);
    expect(pipeline.problems.length).toBeGreaterThan(0);
    // Copies beyond the first are covered by recorded unknowns.
    for (const id of EVERYBODY) {
      const unknowns = pipeline.row(id).deliveries.alpha?.unknowns ?? 0;
      const copies = pipeline.requests.filter(
        (request) => request.url.includes('alpha') && eventIds(request).includes(id),
      ).length;
      expect(copies - 1).toBeLessThanOrEqual(unknowns);
    }
  });

  it('throws for everything costs no other platform anything', async () => {
    const throws = (): never => {
      throw new TypeError('a defect');
    };
    const platforms = SYNTHETIC_PLATFORMS.map((platform) =>
      platform.slug === 'alpha'
        ? { ...platform, unsendable: throws, buildRequest: throws, readResponse: throws }
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
      ...real,
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
