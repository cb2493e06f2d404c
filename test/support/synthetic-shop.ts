// A merchant with the three synthetic platforms, on the pipeline in memory: what tests of whole deliveries begin with.
import type { NormalizedRow } from '../../lib/events/domain/event/row.ts';
import type { HttpResult } from '../../lib/events/platforms/platform.ts';
import { SYNTHETIC_PLATFORMS } from '../simulation/synthetic-platforms.ts';
import { allTaken } from './delivery.ts';
import { createMemoryPipeline, type PipelineOptions } from './memory-pipeline.ts';

export const TOKENS = { alpha: { token: 'a' }, bravo: { token: 'b' }, carol: { token: 'c' } };
export const DELIVERED = { alpha: 'DELIVERED', bravo: 'DELIVERED', carol: 'DELIVERED' };
export const DOWN: HttpResult = { kind: 'response', status: 503, headers: {}, body: '' };
const MINUTE_MS = 60_000;

/** All platforms are connected, and take what they get. */
export function openSyntheticShop(options: Partial<PipelineOptions> = {}) {
  const pipeline = createMemoryPipeline({
    platforms: SYNTHETIC_PLATFORMS,
    credentials: TOKENS,
    answer: allTaken,
    ...options,
  });
  const { clock, events, counters } = pipeline;
  const isNormalized = (row: { readonly state: string }): row is NormalizedRow => row.state === 'normalized';
  return {
    ...pipeline,
    /** A purchase; its order id is its event id. */
    take: (id: string, more: Record<string, unknown> = {}, channel: 'server' | 'browser' = 'server') =>
      pipeline.accept(
        {
          event_id: id,
          event_name: 'Purchase',
          event_time: Math.floor(clock.now() / 1_000) - 60,
          user_data: { email: 'jane@example.com' },
          order_id: id,
          value: 10.5,
          currency: 'EUR',
          ...more,
        },
        channel,
      ),
    /** Lets time pass, with a sweep after each step. */
    pass: async (minutes: number, stepMs = MINUTE_MS): Promise<void> => {
      for (let passedMs = 0; passedMs < minutes * MINUTE_MS; passedMs += stepMs) {
        clock.advance(stepMs);
        await pipeline.sweep();
        await pipeline.drain();
      }
    },
    normalizedRows: (): NormalizedRow[] => events.rows().filter(isNormalized),
    row: (id: string): NormalizedRow => {
      const row = events.rows().find(({ key }) => key.eventId === id);
      if (row === undefined || !isNormalized(row)) throw new Error(`${id} is not normalized`);
      return row;
    },
    /** Of an event: platform → state of its delivery; the state of a row that is not normalized. */
    states: (id: string) => {
      const row = events.rows().find(({ key }) => key.eventId === id);
      if (row === undefined || !isNormalized(row)) return row?.state;
      return Object.fromEntries(Object.entries(row.deliveries).map(([slug, { state }]) => [slug, state]));
    },
    /** Number of events in the counters of a grain. */
    counted: (grain: 'minute' | 'hour' | 'day'): number =>
      counters
        .rows()
        .filter(({ key }) => key.grain === grain)
        .reduce((sum, row) => sum + row.counters.events, 0),
    dayCounters: () => counters.rows().find(({ key }) => key.grain === 'day')?.counters,
  };
}

export type SyntheticShop = ReturnType<typeof openSyntheticShop>;
