// Goal: what a vendor's documents allow is kept by all processes together, and costs a connection that is far below it nothing.
import { expect, it } from 'vitest';
import type { NormalizedEvent } from '#lib/events/domain/event/normalized-event.ts';
import type { Platform, Quota } from '#lib/events/platforms/platform.ts';
import { platformBySlug } from '#lib/events/platforms/registry.ts';
import { createManualClock } from '#test/support/memory/clock.ts';
import { createMemoryLeaseStore } from '#test/support/memory/lease-store.ts';
import type { OpenConnection } from './open-connection.ts';
import { createPace, eventsPerMinute } from './pace.ts';

const START_MS = Date.UTC(2026, 10, 21, 12);
const open = (id: string, credentials: object = {}) =>
  ({ connection: { id, merchantId: 'm' }, credentials }) as unknown as OpenConnection;
const event = (over: Partial<NormalizedEvent> = {}) => ({ name: 'Lead', items: [], ...over }) as never;
const taking = (quotas: readonly Quota[], batchSizeMax = 1) =>
  ({ slug: 'p', quotas, limits: { batchSizeMax } }) as unknown as Platform;

function setUp() {
  const clock = createManualClock(START_MS);
  const quotas = createMemoryLeaseStore();
  const report = () => expect.unreachable();
  const process = () => createPace({ quotas, clock, wait: async (ms) => clock.advance(ms), report });
  return { clock, quotas, process };
}

/** How many of so many events there is room for. */
async function roomFor(
  wanted: number,
  job: ReturnType<ReturnType<typeof createPace>['of']>,
  one = event(),
  isWaiting = true,
) {
  let room = 0;
  for (let i = 0; i < wanted; i++) if (await job.hasRoom(() => one, isWaiting)) room += 1;
  return room;
}

it('shares a quota among processes, without a request to the store for each event', async () => {
  const { clock, quotas, process } = setUp();
  const platform = taking([{ counts: 'requests', max: 100, perSec: 60 }]);
  const processes = [1, 2, 3, 4].map(process);
  const inMinute = async () => {
    let room = 0;
    for (const pace of processes) room += await roomFor(50, pace.of(open('c'), platform, false));
    return room;
  };
  // Two are free of each process; two of the first ones' shares are left with them.
  expect(await inMinute()).toBe(104);
  expect(quotas.asked()).toBeLessThan(20);
  expect(await roomFor(50, process().of(open('other'), platform, false))).toBe(50);
  clock.advance(60_000);
  expect(await inMinute()).toBe(104);
});

it('asks the store nothing for a connection far below its quota', async () => {
  const { clock, quotas, process } = setUp();
  const platform = platformBySlug('klaviyo') as Platform;
  const pace = process();
  const lead = event();
  const job = () => pace.of(open('c', { ordered_product: true }), platform, true);
  for (let minute = 0; minute < 10; minute++) {
    expect(await roomFor(5, job(), lead)).toBe(5);
    clock.advance(60_000);
  }
  expect(quotas.asked()).toBe(0);
});

it('keeps the quota of a day by the minute, and that of each endpoint for itself', async () => {
  const { clock, process } = setUp();
  const google = platformBySlug('google_ads') as Platform;
  // 100,000 a day are 69 a minute; 2,000 events go into each request.
  const most = await roomFor(200_000, process().of(open('c'), google, false));
  expect(most / 2_000).toBeGreaterThanOrEqual(63);
  expect(most / 2_000).toBeLessThanOrEqual(71);
  const klaviyo = platformBySlug('klaviyo') as Platform;
  const job = process().of(open('k', { ordered_product: true }), klaviyo, false);
  const purchase = event({ name: 'Purchase', items: [{ id: 'a', quantity: '1' }] });
  expect(await roomFor(200, job, purchase)).toBe(153);
  expect(await roomFor(200, job)).toBe(200);
  clock.advance(60_000);
  expect(await roomFor(200, job, purchase)).toBe(153);
});

it('has at once no more than a second takes, and otherwise waits for the next', async () => {
  const { clock, process } = setUp();
  const platform = taking([
    { counts: 'requests', max: 10, perSec: 1 },
    { counts: 'requests', max: 150, perSec: 60 },
  ]);
  expect(await roomFor(50, process().of(open('a'), platform, true))).toBe(4);
  const job = process().of(open('b'), platform, false);
  for (let i = 0; i < 50; i++) expect(await job.turn([event()], START_MS + 40_000)).toBe(true);
  expect(clock.now() - START_MS).toBe(4_000);
  for (let i = 0; i < 12; i++) await job.turn([event()], START_MS + 4_500);
  expect(await job.turn([event()], START_MS + 4_500)).toBe(false);
});

it('keeps room for what has waited, and for the queue, whatever comes new', async () => {
  const { process } = setUp();
  const platform = taking([{ counts: 'requests', max: 200, perSec: 60 }]);
  const job = (atOnce: boolean) => process().of(open('c'), platform, atOnce);
  const replay = event({ replay: true });
  // With what is free of each process.
  expect(await roomFor(500, job(true), event(), false)).toBe(102);
  expect(await roomFor(500, job(false), replay, false)).toBe(2);
  expect(await roomFor(500, job(false), event(), false)).toBe(48);
  expect(await roomFor(500, job(false), replay)).toBe(3);
  expect(await roomFor(500, job(false))).toBe(44);
  expect(await roomFor(500, job(false), event(), false)).toBe(3);
});

it('spends what a request was split into', async () => {
  const { process } = setUp();
  const job = process().of(open('c'), taking([{ counts: 'requests', max: 10, perSec: 60 }]), false);
  await job.spend([event()], 6);
  expect(await roomFor(10, job)).toBe(5);
});

it('says how much is worth releasing a minute', () => {
  const of = (slug: string) => eventsPerMinute(platformBySlug(slug) as Platform);
  expect([of('klaviyo'), of('x'), of('google_ads'), of('meta')]).toEqual([
    3_500,
    4_000,
    138_000,
    Number.POSITIVE_INFINITY,
  ]);
});
