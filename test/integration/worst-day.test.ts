// Goal: what one key, one merchant and one anonymous address can cost in a day is bounded, and docs/capacity.md says by how much.
// Method: the attack, in small, through the real stages over metered tables and queues: the events that cost most of all that count
// as one in the limit of a day, one by one, as many a second as fill the day; counted, times list prices, times the limit. A figure of the page
// may be rounded up, and by no more than a tenth.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { INGESTION_MB } from '../../cdk/memory-sizes.ts';
import { readSettings } from '../../cdk/settings.ts';
import { countedInDay } from '../../lib/events/domain/event/event.ts';
import { INGESTION_ROUTES, SEGMENT_ROUTES } from '../../lib/events/routes/ingestion.ts';
import { ADDRESS_EVENTS_PER_MINUTE } from '../../services/events/ingestion/browser-limits.ts';
import { type Cell, type CellKey, measureCell } from '../performance/cost-cell.ts';
import { PRICES } from '../performance/cost-model.ts';
import type { EventAt } from '../performance/cost-run.ts';
import { openMeteredPipeline } from '../performance/metered-pipeline.ts';
import { costOf, readUnits } from '../performance/metered-usage.ts';
import { standardEvent } from '../performance/standard-event.ts';

const PAGE = readFileSync(new URL('../../docs/capacity.md', import.meta.url), 'utf8');
const SETTINGS = readSettings(() => undefined);
const DAY_SEC = 86_400;

/** Of so many bytes, which nothing compresses. */
const noise =
  (sizeBytes: number): EventAt =>
  (index, timeSec) => {
    const { items: _, ...event } = standardEvent(index, timeSec);
    const left = sizeBytes - JSON.stringify(event).length - 40;
    const text = randomBytes(left).toString('base64').slice(0, Math.min(left, 15_500));
    return { ...event, items: [], custom_data: { ...event.custom_data, noise: text } };
  };
/** The most that counts as one event in a day, and what counts as four. */
const [ONE, FOUR] = [4_096, 4 * 4_096];

/** The figures of the row, or of the sentence, that begins so. */
function said(about: string): readonly number[] {
  const line = PAGE.split('\n').find((text) => text.includes(about));
  if (line === undefined) throw new Error(`docs/capacity.md does not speak of ${about}`);
  return [...line.matchAll(/\$(\d+(?:\.\d+)?)/g)].map(([, dollars]) => Number(dollars));
}
function expectSaid(about: string, dollars: readonly number[]): void {
  const figures = said(about);
  expect([about, figures.length]).toEqual([about, dollars.length]);
  for (const [i, counted] of dollars.entries()) {
    expect(figures[i], `${about}: ${counted}`).toBeGreaterThanOrEqual(counted);
    expect(figures[i], `${about}: ${counted}`).toBeLessThanOrEqual(counted * 1.1 + 0.5);
  }
}

describe('a day', { timeout: 180_000 }, () => {
  const perSec = SETTINGS.serverEventsPerDayMax / DAY_SEC;
  const key: Pick<CellKey, 'platforms' | 'gatherers' | 'merchants'> = {
    platforms: 3,
    gatherers: 5,
    merchants: 1,
  };
  const ofDay = (events: number, { dollarsPerMillion }: Cell): number => (events / 1e6) * dollarsPerMillion;
  let [ordinary, noisy, large, page]: Cell[] = [];
  beforeAll(async () => {
    ordinary = await measureCell({ ...key, perSec }, 116);
    noisy = await measureCell({ ...key, perSec, eventAt: noise(ONE) }, 116);
    large = await measureCell({ ...key, perSec: perSec / 4, eventAt: noise(FOUR) }, 29);
    const addressPerSec = ADDRESS_EVENTS_PER_MINUTE / 60;
    page = await measureCell(
      { ...key, perSec: addressPerSec, source: 'browser', eventAt: noise(FOUR - 80) },
      20,
    );
  }, 180_000);

  it('of events of one key costs what the page says, noise of any size included', () => {
    if (ordinary === undefined || noisy === undefined || large === undefined) throw new Error('not measured');
    const { serverEventsPerDayMax: events, replaysPerDayMax: replays } = SETTINGS;
    expect([ONE, FOUR].map((bytes) => countedInDay(1, JSON.stringify(noise(bytes)(1, 1)).length))).toEqual([
      1, 4,
    ]);
    // An event of four counts four times, and costs less than four of one.
    expect(large.dollarsPerMillion / 4).toBeLessThan(noisy.dollarsPerMillion);
    expectSaid('events of servers', [ofDay(events, ordinary), ofDay(events, noisy)]);
    expectSaid('replays by plans', [ofDay(replays, ordinary), ofDay(replays, noisy)]);
    // Each writes two units at least of those that the merchant may have written through the API.
    const byHand = SETTINGS.writeUnitsPerDayMax / (2 + 4);
    expectSaid('single replays', [ofDay(byHand, noisy)]);
  });

  it('of one key with every right, and of all keys of a merchant, is the sum', () => {
    const rows = [
      'all reads of the API',
      'all its writes',
      'all its calls',
      'replays by plans',
      'single replays',
    ];
    const most = [...rows, 'events of servers'].map((row) => said(row).at(-1) ?? 0);
    const sum = most.reduce((all, dollars) => all + dollars, 0);
    expect(said('one key with every right')).toEqual([Math.ceil(sum)]);
  });

  it('of one anonymous address costs what the page says', () => {
    if (page === undefined) throw new Error('not measured');
    const { browserConcurrency } = SETTINGS;
    const perMinute = [ADDRESS_EVENTS_PER_MINUTE, ADDRESS_EVENTS_PER_MINUTE + 10 * browserConcurrency];
    expectSaid(
      'One address',
      perMinute.map((events) => ofDay(events * 1_440, page as Cell)),
    );
  });

  it('of calls that are refused is bounded by the processes there may be', () => {
    const timeOf = (processes: number) => processes * DAY_SEC * (INGESTION_MB / 1_024) * PRICES.lambdaGbSec;
    const callsOf = (processes: number) => processes * 10 * DAY_SEC;
    const { ingestionConcurrency: servers, browserConcurrency: browsers } = SETTINGS;
    const call = PRICES.lambdaRequest + PRICES.readUnit;
    expectSaid('Refused calls of servers', [callsOf(servers) * call, timeOf(servers)]);
    expectSaid('Refused calls of browsers', [callsOf(browsers) * call, timeOf(browsers)]);
  });
});

describe('a key whose day is used up', () => {
  const LIMIT = 40;
  const ROUTES = [...INGESTION_ROUTES, ...SEGMENT_ROUTES].filter(({ auth }) => auth !== 'public');

  it('is refused on every route of ingestion, for a read of the key and nothing more', async () => {
    const limits = { eventsPerMinute: 1_000, eventsPerDay: LIMIT };
    const pipeline = await openMeteredPipeline({ connected: ['meta'], limits });
    try {
      const timeSec = Math.floor(pipeline.clock.now() / 1_000) - 60;
      const bodies = Array.from({ length: 3 * LIMIT }, (_, i) => standardEvent(i, timeSec));
      const counted = bodies.reduce((sum, body) => sum + countedInDay(1, JSON.stringify(body).length), 0);
      expect(counted).toBe(bodies.length);
      const statuses = await pipeline.attack(bodies.map((value) => ({ path: '/v1/events', value })));
      // One process: what it may let pass without a share, and the one share there is.
      expect(statuses.filter((status) => status === 202)).toHaveLength(LIMIT + 20);
      const attack = ROUTES.map(({ path }) => ({ path, value: { ...bodies[0], event: 'x', userId: 'u' } }));
      expect(attack.length).toBeGreaterThan(4);
      const cost = await costOf(pipeline, async () => {
        expect(await pipeline.attack(attack)).toEqual(attack.map(() => 429));
      });
      expect(readUnits(cost)).toBeLessThanOrEqual(attack.length);
      const { counters: _counted, ...written } = cost.stages.ingestion;
      for (const table of [written.events, written.batches, written.config, written.rates])
        expect(table.writeUnits).toBe(0);
      expect(written.sent.requests).toBe(0);
    } finally {
      await pipeline.close();
    }
  });
});
