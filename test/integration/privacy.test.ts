// Erasing one person: canaries of 16 kinds go through the whole pipeline, into archives, batches, waiting deliveries and rows that
// are not normalized yet; then whoever holds every key looks for them, and finds nobody but the others.
import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { EventRow, NormalizedRow } from '../../lib/events/domain/event/row.ts';
import { packPointers } from '../../lib/events/domain/pointer.ts';
import { everyKey } from '../../lib/events/pipeline/attribution/clicks.ts';
import { replayRow } from '../../lib/events/pipeline/replay/replay-row.ts';
import { openEvent } from '../../lib/events/pipeline/sealed-event.ts';
import { PLATFORMS } from '../../lib/events/platforms/registry.ts';
import { type CanaryEvent, canariesOf, canaryEvent, findCanaries } from '../support/canaries.ts';
import { hanging, openPipeline, type Pipeline, took } from '../support/canary-pipeline.ts';
import { openedPlaces, withErasures } from '../support/erasing.ts';
import { request, send } from '../support/ingestion.ts';
import { PIPELINE_MERCHANT } from '../support/memory-pipeline.ts';
import { KEYLESS, withReplays } from '../support/replaying.ts';

const DAY_MS = 86_400_000;

const make = (pipeline: Pipeline, mark: string): CanaryEvent =>
  canaryEvent(mark, Math.floor(pipeline.clock.now() / 1_000) - 5);

async function ingest({ app }: Pipeline, events: readonly unknown[]): Promise<void> {
  const [event, ...more] = events;
  const reply =
    more.length === 0
      ? await send(app, request('/v1/events', event))
      : await send(app, request('/v1/ingest', { events }));
  expect(reply.status).toBeLessThan(300);
}

const allRows = ({ storedRows }: Pipeline): readonly EventRow[] => [
  ...storedRows.rows(),
  ...storedRows.archived().values(),
];
const found = async (pipeline: Pipeline, event: CanaryEvent) =>
  findCanaries(canariesOf(event), await openedPlaces(pipeline));

/** Of the person: alone, in a batch, in an archive, and not normalized yet. Somebody else beside each. */
async function scenario(pipeline = openPipeline(took), laterMs = DAY_MS + 1) {
  const [person, other] = [make(pipeline, 'zq1xv'), make(pipeline, 'zq2xv')];
  const again = (event: CanaryEvent, id: string) => ({ ...event, event_id: `${event.event_id}-${id}` });
  await ingest(pipeline, [person]);
  await ingest(pipeline, [again(person, 'a'), again(other, 'a'), again(person, 'b')]);
  await pipeline.drain();
  pipeline.clock.advance(laterMs);
  if (laterMs > DAY_MS) await ingest(pipeline, [person]);
  await pipeline.drain();
  await ingest(pipeline, [again(person, 'c')]);
  await ingest(pipeline, [again(other, 'c')]);
  return { pipeline, person, other };
}

/** Without deletions that are passed on. */
const eventsSent = ({ requests }: Pick<Pipeline, 'requests'>) =>
  requests.filter(({ url }) => !url.includes('/data-privacy-deletion-jobs'));

describe('erasing a person', () => {
  it('leaves nothing of it, raw, normalized or hashed, anywhere; and everything of everybody else', async () => {
    const { pipeline, person, other } = await scenario();
    const ids = (events: readonly EventRow[]) => events.map(({ key }) => JSON.stringify(key)).sort();
    const before = { rows: ids(allRows(pipeline)), other: await found(pipeline, other) };
    // The search finds what it looks for while it is there.
    expect(new Set((await found(pipeline, person)).map((hit) => hit.split(' in ')[0])).size).toBe(17);
    expect(pipeline.storedRows.archived().size).toBe(1);
    expect(allRows(pipeline).map(({ state }) => state)).toContain('accepted');

    const erasing = withErasures(pipeline);
    const { id } = await erasing.begin({ email: person.user_data.email.toUpperCase() });
    // Nothing is normalized meanwhile: what waits in the clear is erased where it lies.
    pipeline.queues.accepted.purge();
    await erasing.finish();

    expect(await found(pipeline, person)).toEqual([]);
    expect(ids(allRows(pipeline))).toEqual(before.rows);
    expect((await found(pipeline, other)).filter((hit) => !hit.includes('queues'))).toEqual(before.other);
    expect(await erasing.receipt(id)).toMatchObject({
      status: 'done',
      found: 5,
      erased: 5,
      remaining: 0,
      looked_at: 7,
      unreadable: 0,
    });
    expect(erasing.audits).toEqual([`privacy.erase ${id}`]);
    expect(pipeline.problems).toEqual([]);
  });

  it.each(['email', 'phone', 'external_id', 'their SHA-256'] as const)('finds it by %s', async (by) => {
    const { pipeline, person } = await scenario();
    const { email, phone, customer_id } = person.user_data;
    const words = { email: { email }, phone: { phone }, external_id: { external_id: customer_id } };
    const hashed = hash('sha256', email.toLowerCase(), 'hex');
    const erasing = withErasures(pipeline);
    await erasing.begin(by === 'their SHA-256' ? { email: hashed } : words[by]);
    await erasing.finish();
    await pipeline.drain();
    expect(await found(pipeline, person)).toEqual([]);
  });

  it('leaves counters as they were, those of a recount among them', async () => {
    const { pipeline, person } = await scenario();
    await settle(pipeline);
    const figures = () => pipeline.counters.rows().map(({ counters }) => counters);
    const before = figures();
    expect(before.length).toBeGreaterThan(2);
    const erasing = withErasures(pipeline);
    await erasing.begin({ email: person.user_data.email });
    await erasing.finish();
    expect(figures()).toEqual(before);
    pipeline.clock.advance(2 * 3_600_000);
    await settle(pipeline);
    expect(await pipeline.reconcile()).toMatchObject({ drift: 0, failed: 0, failedErasures: 0 });
    expect(await found(pipeline, person)).toEqual([]);
  });

  it('forgets the clicks and orders of its identifiers, also those that were not asked for, and no others', async () => {
    const { pipeline, person, other } = await scenario();
    const keysOf = async (id: string) => {
      const row = pipeline.storedRows.rows().find(({ key }) => key.eventId === id);
      if (row?.state !== 'normalized') throw new Error(`${id} is not normalized`);
      const event = await openEvent(row, pipeline.eventVault);
      return event === null ? [] : everyKey(event);
    };
    const remembered = async (keys: readonly string[]) =>
      (await pipeline.attribution.people(PIPELINE_MERCHANT, keys, 'strong')).size;
    const [keys, others] = [await keysOf(person.event_id), await keysOf(`${other.event_id}-a`)];
    expect([keys.length, await remembered(keys), await remembered(others)]).toEqual([6, 4, 4]);
    const erasing = withErasures(pipeline);
    await erasing.begin({ phone: person.user_data.phone });
    await erasing.finish();
    expect([await remembered(keys), await remembered(others)]).toEqual([0, 4]);
  });

  it('ends deliveries that wait, without another request', async () => {
    const { pipeline, person } = await scenario(openPipeline(hanging), 60_000);
    await pipeline.drain();
    const erasing = withErasures(pipeline);
    await erasing.begin({ email: person.user_data.email });
    await erasing.finish();
    const said = (id: string) => eventsSent(pipeline).filter(({ body }) => body.includes(id)).length;
    const before = said('zq1xv');
    // A platform that does not answer is asked for a week to delete the person, who is known to the job so long.
    for (let round = 0; round < 16; round++) {
      pipeline.clock.advance(43_200_000);
      await pipeline.sweep();
      await erasing.tend();
      await pipeline.drain();
    }
    expect(said('zq1xv')).toBe(before);
    const endings = pipeline.events
      .rows()
      .filter((row) => row.erasedBy !== undefined)
      .flatMap((row) => (row.state === 'normalized' ? Object.values(row.deliveries) : []));
    // What wants a click that the event has not never waited.
    const waited = endings.filter(({ state }) => state !== 'SKIPPED');
    expect(waited.length).toBeGreaterThan(0);
    for (const { state, reason } of waited)
      expect([state, reason]).toEqual(['ERROR', 'personal_data_erased']);
    expect(await found(pipeline, person)).toEqual([]);
  });

  it('takes what came while it was under way as well, up to the beginning of its last pass', async () => {
    const { pipeline, person } = await scenario();
    const erasing = withErasures(pipeline);
    const { id } = await erasing.begin({ email: person.user_data.email });
    pipeline.clock.advance(16_000);
    await pipeline.drain();
    await ingest(pipeline, [{ ...person, event_id: 'came-later' }]);
    await pipeline.drain();
    await erasing.finish();
    expect(await found(pipeline, person)).toEqual([]);
    expect(await erasing.receipt(id)).toMatchObject({ erased: 6, remaining: 0 });
  });

  it('finds replays of its events: sent, on their way, and made of what was read before; none follows', async () => {
    const { pipeline, person, other } = await scenario(openPipeline(took), 60_000);
    const { api } = withReplays(pipeline, PLATFORMS);
    const replay = async (id: string) =>
      await api.replayEvent({ ...KEYLESS, params: { id }, body: undefined });
    const id = person.event_id;
    expect(await replay(id)).toMatchObject({ status: 202 });
    await pipeline.drain();
    expect(await replay(id)).toMatchObject({ status: 202 });
    pipeline.queues.accepted.purge();
    const original = pipeline.storedRows.rows().find(({ key }) => key.eventId === id) as NormalizedRow;

    const erasing = withErasures(pipeline);
    const erasure = await erasing.begin({ email: person.user_data.email });
    pipeline.clock.advance(16_000);
    await pipeline.drain();
    const late = {
      ingestId: pipeline.random.uuidv7(pipeline.clock.now()),
      receivedAtMs: pipeline.clock.now(),
    };
    const row = replayRow(original, { eventId: `${id}~rp~00000000000000000000000000`, dedupe: 'new' }, late);
    expect(await pipeline.storedRows.claim(row)).toBe('claimed');
    const requests = eventsSent(pipeline).length;
    await erasing.finish();
    expect(await found(pipeline, person)).toEqual([]);
    expect(await replay(id)).toEqual({ failure: 'event_erased' });
    expect(await replay(`${other.event_id}-a`)).toMatchObject({ status: 202 });
    // What was on its way when it was erased reaches nobody.
    await pipeline.stages.normalize([pointerTo(row)]);
    expect(
      eventsSent(pipeline)
        .slice(requests)
        .filter(({ body }) => body.includes('zq1xv')),
    ).toEqual([]);
    expect(await erasing.receipt(erasure.id)).toMatchObject({ erased: 7, remaining: 0 });
  });
});

function pointerTo({ key }: EventRow) {
  const [body] = packPointers([key], undefined, 10);
  if (body === undefined) throw new Error('a pointer could not be made');
  return { body, receiveCount: 1, sentAtMs: 0 };
}

async function settle(pipeline: Pipeline): Promise<void> {
  for (let minute = 0; minute < 5; minute++) {
    await pipeline.drain();
    pipeline.clock.advance(60_000);
    await pipeline.sweep();
  }
  await pipeline.drain();
}
