// Goal: a merchant whose platform begins to fail gets a mail within five minutes of the first failure, from the stages alone, and it
// names the connection. Method: the pipeline in memory under a clock that moves by seconds, with a sweep each minute and a task
// queue whose source rests until the sweep switches it on, which takes Lambda a minute.
import { describe, expect, it } from 'vitest';
import type { Notice } from '../../lib/core/ports/notice-sender.ts';
import { tendSources } from '../../lib/core/sources/resting-sources.ts';
import { SPARSE_SHARD } from '../../lib/events/domain/shard.ts';
import type { HttpRequest, HttpResult } from '../../lib/events/platforms/platform.ts';
import { ONE_SHARD, type ShardPicker } from '../../services/events/ingestion/shard-picker.ts';
import type { WireEvent } from '../simulation/synthetic-platforms.ts';
import { allTaken, reply } from '../support/delivery.ts';
import { testMerchant } from '../support/ingestion.ts';
import { PIPELINE_MERCHANT } from '../support/memory-pipeline.ts';
import { DOWN, openSyntheticShop } from '../support/synthetic-shop.ts';

const [SEC, MINUTE, DAY] = [1_000, 60_000, 86_400_000];
const STEP_MS = 5 * SEC;
const SWITCHING_MS = MINUTE;

const FEW: ShardPicker = { ...ONE_SHARD, pick: () => ({ shard: SPARSE_SHARD, of: 1 }) };

const allRefused = ({ body }: HttpRequest): HttpResult =>
  reply(200, {
    results: Object.fromEntries((JSON.parse(body) as WireEvent[]).map(({ nonce }) => [nonce, 'bad'])),
  });

function open(shards: ShardPicker) {
  const mails: (Notice & { readonly atMs: number })[] = [];
  const source = { isOn: false, changedAtMs: 0 };
  let answer = allTaken;
  const sender = {
    send: async (notice: Notice) => mails.push({ ...notice, atMs: shop.clock.now() }) > 0,
  };
  const isPolled = (): boolean => source.isOn && shop.clock.now() - source.changedAtMs >= SWITCHING_MS;
  const shop = openSyntheticShop({
    shards,
    merchant: testMerchant(),
    credentials: { alpha: { token: 'one' }, 'alpha#2': { token: 'two' } },
    answer: (request) => (request.headers.authorization === 'two' ? answer : allTaken)(request),
    mails: { sender, isPolled },
  });
  source.changedAtMs = shop.clock.now() - 8 * DAY;
  const tend = tendSources(
    [
      {
        name: 'tasks',
        messages: async () => shop.queues.tasks.size(),
        state: async () => source,
        turn: async (isOn) => void Object.assign(source, { isOn, changedAtMs: shop.clock.now() }),
      },
    ],
    { clock: shop.clock, switched: () => {}, failed: (_name, error) => void shop.problems.push(error) },
  );
  let taken = 0;
  /** Time passes, an event comes every so often. */
  const pass = async (forMs: number, everyMs: number): Promise<void> => {
    for (const endMs = shop.clock.now() + forMs; shop.clock.now() < endMs; shop.clock.advance(STEP_MS)) {
      if (shop.clock.now() % everyMs === 0) await shop.take(`e${taken++}`);
      if (shop.clock.now() % MINUTE === 0) await Promise.all([shop.sweep(), tend()]);
      await shop.drain();
    }
  };
  const answers = (as: typeof allTaken): void => {
    answer = as;
  };
  return { ...shop, mails, pass, answers };
}

const cases = [
  ['each is refused', MINUTE, () => allRefused, 'alpha fails much of what Shop sends'],
  ['each is refused', 2 * MINUTE, () => allRefused, 'alpha fails much of what Shop sends'],
  ['it is down', 20 * SEC, () => () => DOWN, 'alpha takes no events of Shop'],
  ['it is down', MINUTE, () => () => DOWN, 'alpha takes no events of Shop'],
  ['credentials are refused', MINUTE, () => () => reply(401, {}), 'alpha refuses the credentials of Shop'],
] as const;

// Wherever in a bucket of ten minutes it begins.
describe.each([0, 5, 8, 9])('of merchants with few events, %i minutes into a bucket', (intoBucket) => {
  it.each(cases)('%s, an event each %i ms', async (_what, everyMs, answer, subject) => {
    const { clock, pass, answers, mails, problems, incidents } = open(FEW);
    await pass((30 + intoBucket) * MINUTE, everyMs);
    expect(mails).toEqual([]);
    answers(answer());
    const sinceMs = clock.now() + ((everyMs - (clock.now() % everyMs)) % everyMs);
    await pass(12 * MINUTE, everyMs);
    expect(mails).toMatchObject([{ to: 'owner@example.com', subject }]);
    expect(mails[0]?.text).toContain('of the connection "alpha#2"');
    expect(((mails[0]?.atMs ?? 0) - sinceMs) / MINUTE).toBeLessThanOrEqual(5);
    const kept = await incidents.listIncidents(PIPELINE_MERCHANT);
    expect(kept.filter(({ subject: place }) => place !== 'alpha#2')).toEqual([]);
    expect(problems).toEqual([]);
  });
});

it('of a merchant with many events, one event in three refused is as well; and when it is over', async () => {
  const { clock, pass, answers, mails, incidents } = open(ONE_SHARD);
  await pass(20 * MINUTE, 5 * SEC);
  let requests = 0;
  answers((request) => (requests++ % 3 === 0 ? allRefused : allTaken)(request));
  const sinceMs = clock.now();
  await pass(10 * MINUTE, 5 * SEC);
  expect(mails).toMatchObject([{ subject: 'alpha fails much of what Shop sends' }]);
  expect(((mails[0]?.atMs ?? 0) - sinceMs) / MINUTE).toBeLessThanOrEqual(5);
  const [kept] = await incidents.listIncidents(PIPELINE_MERCHANT);
  expect(kept).toMatchObject({ subject: 'alpha#2', connectionId: 'connection-alpha#2', state: 'running' });
  answers(allTaken);
  await pass(30 * MINUTE, 5 * SEC);
  expect(mails.slice(1)).toMatchObject([{ subject: 'alpha takes events of Shop again' }]);
  expect((await incidents.listIncidents(PIPELINE_MERCHANT)).map(({ state }) => state)).toEqual(['done']);
});
