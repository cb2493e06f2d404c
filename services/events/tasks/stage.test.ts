// Goal: an erasure ends with nothing left, with concurrent writers of the same rows, a crash at any point, and any
// order of messages.
import { describe, expect, it } from 'vitest';
import type { EventRow, NormalizedRow } from '#lib/events/domain/event/row.ts';
import type { EventVault } from '#lib/events/ports/event-vault.ts';
import { type CanaryEvent, canariesOf, canaryEvent, findCanaries } from '#test/support/canaries.ts';
import { openPipeline, type Pipeline, took } from '#test/support/canary-pipeline.ts';
import { dyingAt, taskPorts } from '#test/support/dying-ports.ts';
import { openedPlaces, withErasures } from '#test/support/erasing.ts';
import { request, send } from '#test/support/ingestion.ts';
import { PIPELINE_MERCHANT } from '#test/support/memory-pipeline.ts';
import { createTaskStage } from './stage.ts';

async function ingest(pipeline: Pipeline, mark: string, id?: string): Promise<CanaryEvent> {
  const event = canaryEvent(mark, Math.floor(pipeline.clock.now() / 1_000) - 5);
  const body = id === undefined ? event : { ...event, event_id: id };
  expect((await send(pipeline.app, request('/v1/events', body))).status).toBe(202);
  return event;
}

/** With a person's event, worked off, and an erasure of that person begun. */
async function begun() {
  const pipeline = openPipeline(took);
  const person = await ingest(pipeline, 'zq1xv');
  await pipeline.drain();
  const erasing = withErasures(pipeline);
  const { id, version } = await erasing.begin(by(person));
  return { pipeline, person, erasing, id, version };
}

const found = async (pipeline: Pipeline, event: CanaryEvent) =>
  findCanaries(canariesOf(event), await openedPlaces(pipeline));
const by = ({ user_data }: CanaryEvent) => ({ email: user_data.email });

describe('an erasure that others write beside', () => {
  it('finds what a normalization put back that had read the row before', async () => {
    const plain = openPipeline(took);
    let meanwhile: (() => Promise<unknown>) | undefined;
    const eventVault: EventVault = {
      ...plain.eventVault,
      seal: async (row, personal) => {
        const sealed = await plain.eventVault.seal(row, personal);
        await meanwhile?.();
        meanwhile = undefined;
        return sealed;
      },
    };
    const pipeline = openPipeline(took, eventVault);
    const person = await ingest(pipeline, 'zq1xv');
    const erasing = withErasures(pipeline);
    const { id, version } = await erasing.begin(by(person));
    pipeline.clock.advance(16_000);
    const body = { merchant: PIPELINE_MERCHANT, erasure: id, version };
    meanwhile = () => pipeline.stages.tasks([{ body, receiveCount: 1, sentAtMs: 0 }]);
    await pipeline.drain();
    const [row] = pipeline.storedRows.rows() as readonly NormalizedRow[];
    expect([row?.state, row?.erasedBy, typeof row?.event.sealed]).toEqual(['normalized', id, 'string']);
    // The row names the person but cannot be decrypted: no platform was called.
    expect(pipeline.requests).toEqual([]);
    await erasing.finish();
    expect(await found(pipeline, person)).toEqual([]);
    expect(await erasing.receipt(id)).toMatchObject({ erased: 1, remaining: 0 });
  });

  it('finds the copy in the archive of a row that it had erased meanwhile', async () => {
    const { pipeline, person, erasing, id } = await begun();
    const [before] = pipeline.storedRows.rows();
    pipeline.clock.advance(16_000);
    await pipeline.drain();
    expect(await erasing.receipt(id)).toMatchObject({ status: 'running', erased: 0, remaining: null });
    await pipeline.storedRows.archive(before as EventRow);
    expect(await found(pipeline, person)).not.toEqual([]);
    await erasing.finish();
    expect(await found(pipeline, person)).toEqual([]);
    // A row and its copy are one acceptance.
    expect(await erasing.receipt(id)).toMatchObject({ found: 1, erased: 1, remaining: 0 });
  });

  it('looks in the archive for a row whose id was taken after the index was read', async () => {
    const pipeline = openPipeline(took);
    const person = await ingest(pipeline, 'zq1xv');
    await pipeline.drain();
    pipeline.clock.advance(86_400_001);
    const stage = createTaskStage({
      ...taskPorts(pipeline),
      events: {
        ...pipeline.storedRows,
        received: async (query) => {
          const page = await pipeline.storedRows.received(query);
          if (page.keys.length === 1 && pipeline.storedRows.archived().size === 0)
            await ingest(pipeline, 'zq1xv');
          return page;
        },
      },
    });
    const erasing = withErasures(pipeline);
    const { id, version } = await erasing.begin(by(person));
    pipeline.clock.advance(16_000);
    const body = { merchant: PIPELINE_MERCHANT, erasure: id, version };
    await stage([{ body, receiveCount: 1, sentAtMs: 0 }]);
    const [archived] = [...pipeline.storedRows.archived().values()];
    expect(archived?.erasedBy).toBe(id);
    await erasing.finish();
    expect(await found(pipeline, person)).toEqual([]);
  });

  it('counts what cannot be read, and goes on', async () => {
    const pipeline = openPipeline(took);
    const person = await ingest(pipeline, 'zq1xv');
    for (const id of ['spoiled', 'damaged']) await ingest(pipeline, 'zq2xv', id);
    await pipeline.drain();
    pipeline.storedRows.spoil({ merchantId: PIPELINE_MERCHANT, channel: 'server', eventId: 'spoiled' });
    const erasing = withErasures(pipeline);
    const { id } = await erasing.begin(by(person));
    for (let round = 0; round < 60; round++) {
      pipeline.clock.advance(16_000);
      await pipeline.drain();
    }
    expect(await erasing.receipt(id)).toMatchObject({
      status: 'running',
      found: 1,
      erased: 1,
      remaining: null,
      unreadable: 1,
    });
  });

  it('is not done over a row it could not read, looks again rarely, and erases it once it can', async () => {
    const pipeline = openPipeline(took);
    const person = await ingest(pipeline, 'zq1xv');
    await pipeline.drain();
    const key = { merchantId: PIPELINE_MERCHANT, channel: 'server', eventId: person.event_id } as const;
    pipeline.storedRows.spoil(key);
    const erasing = withErasures(pipeline);
    const { id } = await erasing.begin(by(person));
    const passes = async () => (await pipeline.erasures.erasure(PIPELINE_MERCHANT, id))?.pass ?? 0;
    /** The hourly audit sends messages to running erasures. */
    const hours = async (count: number) => {
      for (let hour = 0; hour < count; hour++) {
        await erasing.tend();
        for (let quarter = 0; quarter < 4; quarter++) {
          pipeline.clock.advance(900_000);
          await pipeline.drain();
        }
      }
    };
    await hours(240);
    expect(await erasing.receipt(id)).toMatchObject({ status: 'running', remaining: null, unreadable: 1 });
    // Ten days: every six hours at first, then every day.
    expect(await passes()).toBeGreaterThan(10);
    expect(await passes()).toBeLessThan(30);
    // Its places are free for erasures that make progress.
    for (let i = 0; i < 20; i++)
      expect(await erasing.ask({ external_id: `other-${i}` })).not.toHaveProperty('failure');
    pipeline.storedRows.mend(key);
    await hours(26);
    expect(await erasing.receipt(id)).toMatchObject({
      status: 'done',
      erased: 1,
      remaining: 0,
      unreadable: 0,
    });
    expect(await found(pipeline, person)).toEqual([]);
    const receipt = await pipeline.erasures.erasure(PIPELINE_MERCHANT, id);
    expect(receipt).not.toHaveProperty('sealedSubject');
  });
});

describe('two erasures at once', () => {
  it('of one person by two names, and of two, end each with its own', async () => {
    const pipeline = openPipeline(took);
    const [a, b] = [await ingest(pipeline, 'zq1xv'), await ingest(pipeline, 'zq2xv')];
    await ingest(pipeline, 'zq1xv', 'a second');
    await pipeline.drain();
    const erasing = withErasures(pipeline);
    const [first, same, other] = await Promise.all([
      erasing.begin({ email: a.user_data.email }),
      erasing.begin({ phone: a.user_data.phone }),
      erasing.begin({ external_id: b.user_data.customer_id }),
    ]);
    await erasing.finish();
    for (const person of [a, b]) expect(await found(pipeline, person)).toEqual([]);
    const [one, two] = [await erasing.receipt(first.id), await erasing.receipt(same.id)];
    expect(one.erased + two.erased).toBe(2);
    expect((await erasing.receipt(other.id)).erased).toBe(1);
  });

  it('of the same are one, while it runs; afterwards the next finds nothing in one pass', async () => {
    const { pipeline, person, erasing, id } = await begun();
    expect((await erasing.begin({ email: ` ${person.user_data.email.toLowerCase()}` })).id).toBe(id);
    await erasing.finish();
    const next = await erasing.begin(by(person));
    expect(next.id).not.toBe(id);
    await erasing.finish();
    expect(await erasing.receipt(next.id)).toMatchObject({ found: 0, erased: 0, remaining: 0 });
    expect((await pipeline.erasures.erasure(PIPELINE_MERCHANT, next.id))?.pass).toBe(1);
  });
});

describe('an erasure that dies', () => {
  const ENDED = { status: 'done', found: 3, erased: 3, remaining: 0, looked_at: 4 };

  it('at any call, before or after it, ends with the same receipt', async () => {
    const calm = await dieAt(Number.POSITIVE_INFINITY, 'before');
    expect(calm.receipt).toMatchObject(ENDED);
    expect(calm.calls).toBeGreaterThan(15);
    for (let call = 1; call <= calm.calls; call++)
      for (const when of ['before', 'after'] as const) {
        const { receipt, left, deaths } = await dieAt(call, when);
        expect([call, when, deaths, left]).toEqual([call, when, 1, []]);
        expect(receipt).toMatchObject(ENDED);
      }
  });

  it('is told to go on by the audit where its message was lost, and its receipt is deleted in the end', async () => {
    const { pipeline, person, erasing, id } = await begun();
    pipeline.queues.tasks.purge();
    await expect(erasing.finish()).rejects.toThrow('does not end');
    expect(await erasing.tend()).toBe(1);
    await erasing.finish();
    expect(await found(pipeline, person)).toEqual([]);
    expect(await erasing.tend()).toBe(0);
    const receipt = JSON.stringify(await pipeline.erasures.erasure(PIPELINE_MERCHANT, id));
    expect(receipt).not.toContain('sealedSubject');
    pipeline.clock.advance(400 * 86_400_000);
    await erasing.tend();
    expect(pipeline.erasures.erasures()).toEqual([]);
    await expect(erasing.receipt(id)).rejects.toThrow('not_found');
  });

  it('takes no notice of messages that are out of date', async () => {
    const pipeline = openPipeline(took);
    const person = await ingest(pipeline, 'zq1xv');
    const erasing = withErasures(pipeline);
    const { id, version } = await erasing.begin(by(person));
    await pipeline.drain();
    const body = { merchant: PIPELINE_MERCHANT, erasure: id };
    const tell = (more: object) =>
      pipeline.stages.tasks([{ body: { ...body, ...more }, receiveCount: 1, sentAtMs: 0 }]);
    const before = await pipeline.erasures.erasure(PIPELINE_MERCHANT, id);
    await tell({});
    await tell({ version: version + 1 });
    // Before its time: it is sent again.
    await tell({ version });
    await tell({ erasure: crypto.randomUUID() });
    expect(await pipeline.erasures.erasure(PIPELINE_MERCHANT, id)).toEqual(before);
    expect(pipeline.queues.tasks.size()).toBe(2);
  });
});

/** Counts the stage's calls; the process dies at one of them, and other workers come after it. */
async function dieAt(at: number, when: 'before' | 'after') {
  const pipeline = openPipeline(took);
  const person = await ingest(pipeline, 'zq1xv');
  await ingest(pipeline, 'zq2xv');
  await ingest(pipeline, 'zq1xv', 'a second');
  await pipeline.drain();
  await ingest(pipeline, 'zq1xv', 'a third');
  pipeline.queues.accepted.purge();
  // What platforms are asked has a test of its own.
  pipeline.connections.clear();
  const { seen, dying } = dyingAt(at, when);
  const ports = taskPorts(pipeline);
  const stage = createTaskStage({
    ...ports,
    erasures: dying(ports.erasures),
    events: dying(ports.events),
    counters: dying(ports.counters),
    people: dying(ports.people),
    vault: dying(ports.vault),
    eventVault: dying(ports.eventVault),
    work: dying(ports.work),
  });
  const erasing = withErasures(pipeline);
  const { id } = await erasing.begin(by(person));
  const { tasks } = pipeline.queues;
  for (let round = 0; round < 100; round++) {
    pipeline.clock.advance(16_000);
    for (let message = tasks.receive(1)[0]; message !== undefined; message = tasks.receive(1)[0])
      if ((await stage([message])).failedIndexes.length === 0) tasks.remove(message.receipt);
    if ((await pipeline.erasures.erasure(PIPELINE_MERCHANT, id))?.state === 'done') break;
    if (round === 50) await erasing.tend();
  }
  return { ...seen, receipt: await erasing.receipt(id), left: await found(pipeline, person) };
}
