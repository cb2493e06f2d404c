// Personal data ends with the key of its day, everywhere at once: live rows, archived ones, deliveries that still wait.
import { describe, expect, it } from 'vitest';
import { openEvent } from '../../lib/events/pipeline/sealed-event.ts';
import { eraseExpiredDays } from '../../services/events/reconcile/erasure.ts';
import { hanging, ingest, openPipeline, type Pipeline, run, took } from '../support/canary-pipeline.ts';
import { PIPELINE_MERCHANT } from '../support/memory-pipeline.ts';

const DAY_MS = 86_400_000;

describe('the end of personal data', () => {
  it('comes with the retention of the merchant, for live and archived rows alike, and no row is written for it', async () => {
    const { pipeline, events } = await run(took);
    // The same ids again, a day later: the first rows go to the archive.
    pipeline.clock.advance(DAY_MS + 1);
    await ingest(pipeline, pipeline.clock.now());
    await pipeline.drain();
    const rows = () => [...pipeline.events.rows(), ...pipeline.events.archived().values()];
    expect(pipeline.events.archived().size).toBe(events.length);
    const opened = async () =>
      (
        await Promise.all(
          rows().map(
            async (row) => row.state === 'normalized' && (await openEvent(row, pipeline.eventVault)) !== null,
          ),
        )
      ).filter(Boolean).length;
    const before = rows();
    expect(await opened()).toBe(2 * events.length);

    const erase = () => eraseExpiredDays({ merchantId: PIPELINE_MERCHANT }, pipeline);
    pipeline.clock.advance(89 * DAY_MS);
    expect(await erase()).toBe(0);
    expect(await opened()).toBe(2 * events.length);
    pipeline.clock.advance(DAY_MS);
    expect(await erase()).toBe(1);
    expect(await opened()).toBe(events.length);
    pipeline.clock.advance(DAY_MS);
    await erase();
    expect(await opened()).toBe(0);
    expect(rows()).toEqual(before);
  });

  it('leaves counters as they were, and ends a delivery that was still waiting', async () => {
    const { pipeline } = await run(hanging);
    const quality = () => pipeline.counters.rows().map(({ counters }) => counters.completeness);
    const before = quality();
    pipeline.clock.advance(2 * DAY_MS);
    await eraseExpiredDays({ merchantId: PIPELINE_MERCHANT, retentionDays: 1 }, pipeline);
    const requests = pipeline.requests.length;
    for (let round = 0; round < 3 && openRows(pipeline) > 0; round++) {
      pipeline.clock.advance(43_200_000);
      await pipeline.sweep();
      await pipeline.drain();
    }
    expect(pipeline.requests).toHaveLength(requests);
    const endings = pipeline.events
      .rows()
      .flatMap((row) => (row.state === 'normalized' ? Object.values(row.deliveries) : []));
    // What wants a click that the event has not never waited.
    const waited = endings.filter(({ state }) => state !== 'SKIPPED');
    expect(waited.length).toBeGreaterThan(0);
    for (const { state, reason } of waited)
      expect([state, reason]).toEqual(['ERROR', 'personal_data_erased']);
    expect(quality()).toEqual(before);
  });

  it('is not what a damaged part is taken for: it is reported and waits alone, its neighbours are delivered', async () => {
    const { eventVault } = openPipeline(took);
    const broken = openPipeline(took, {
      ...eventVault,
      seal: async (row, personal) =>
        row.key.eventId === 'order-zq4xv' ? 'AAAA' : await eventVault.seal(row, personal),
    });
    await ingest(broken, broken.clock.now());
    await broken.drain();
    const delivered = broken.events
      .rows()
      .filter((row) => row.state === 'normalized' && row.deliveries.meta?.state === 'DELIVERED');
    const ids = delivered.map(({ key }) => key.eventId);
    expect(ids).not.toContain('order-zq4xv');
    expect(ids).toContain('order-zq3xv');
    expect(ids.length).toBe(6);
    expect(broken.problems.map(String)).toContainEqual(expect.stringContaining('cannot be read'));
  });
});

function openRows(pipeline: Pipeline): number {
  return pipeline.events.rows().filter((row) => row.state === 'normalized' && row.dueAtMs !== undefined)
    .length;
}
