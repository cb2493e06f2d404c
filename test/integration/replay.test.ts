// Stored events, sent once more: what platforms get, what is counted, and who gets a delivery that several want.
import { describe, expect, it } from 'vitest';
import type { NormalizedRow } from '../../lib/events/domain/event/row.ts';
import { isReplayId, rootOf } from '../../lib/events/domain/replays/replay-id.ts';
import { SYNTHETIC_PLATFORMS, type WireEvent } from '../simulation/synthetic-platforms.ts';
import { allTaken, eventIds, reply } from '../support/delivery.ts';
import { PIPELINE_MERCHANT, type PipelineOptions } from '../support/memory-pipeline.ts';
import { CALL, KEYLESS, withReplays } from '../support/replaying.ts';
import { DOWN, openSyntheticShop } from '../support/synthetic-shop.ts';

const DAY_MS = 86_400_000;

function open(options: Partial<PipelineOptions> = {}) {
  const pipeline = openSyntheticShop(options);
  const replays = withReplays(pipeline, SYNTHETIC_PLATFORMS);
  return {
    pipeline,
    ...replays,
    row: pipeline.row,
    states: pipeline.states,
    pass: pipeline.pass,
    accept: async (...ids: readonly string[]) => {
      for (const id of ids) await pipeline.take(id);
      await pipeline.drain();
    },
    replay: async (id: string, dedupe: 'original' | 'new' = 'original') => {
      const answer = await replays.api.replayEvent({ ...KEYLESS, params: { id }, body: { dedupe } });
      if ('failure' in answer) return answer.failure;
      await pipeline.drain();
      return answer.body.event_id;
    },
    forward: async (id: string, platforms: string[]) =>
      await replays.api.forwardEvent({ ...KEYLESS, params: { id }, body: { platforms, dedupe: 'original' } }),
    retry: async (id: string) => await replays.api.retryFailed({ ...CALL, params: { id }, body: undefined }),
    /** `[platform, id]` of everything sent since the last look. */
    sent: () => {
      const all = pipeline.requests.flatMap((request) =>
        eventIds(request).map((id) => `${new URL(request.url).hostname.split('.')[0]} ${id}`),
      );
      pipeline.requests.length = 0;
      return all.sort();
    },
  };
}

describe('a replay', () => {
  it('reaches every platform under the id of the original, which a replay of it keeps', async () => {
    const host = open();
    await host.accept('e1');
    expect(host.sent()).toEqual(['alpha e1', 'bravo e1', 'carol e1']);
    const first = await host.replay('e1');
    expect([rootOf(first), isReplayId(first)]).toEqual(['e1', true]);
    expect(host.sent()).toEqual(['alpha e1', 'bravo e1', 'carol e1']);
    expect(host.states(first)).toEqual({ alpha: 'DELIVERED', bravo: 'DELIVERED', carol: 'DELIVERED' });
    const second = await host.replay(first);
    expect([rootOf(second), second === first]).toEqual(['e1', false]);
    expect(host.sent()).toEqual(['alpha e1', 'bravo e1', 'carol e1']);
    expect(host.pipeline.problems).toEqual([]);
    expect(host.audits).toEqual([`event.replay ${first}`, `event.replay ${second}`]);
  });

  it('is an event of its own for platforms where the caller wants it counted anew', async () => {
    const host = open();
    await host.accept('e1');
    host.sent();
    const id = await host.replay('e1', 'new');
    expect(host.sent()).toEqual([`alpha ${id}`, `bravo ${id}`, `carol ${id}`]);
  });

  it('says what the original said, and is marked as a replay', async () => {
    const host = open();
    await host.accept('e1');
    const { event: original } = host.row('e1');
    const { event } = host.row(await host.replay('e1'));
    const {
      sealed: _s,
      eventId: _e,
      receivedAtMs: _r,
      replay,
      originalReceivedAtMs,
      ...said
    } = event as typeof event & { replay: true };
    const { sealed, eventId: _oe, receivedAtMs, ...originally } = original;
    expect(sealed).toBeDefined();
    expect(said).toEqual(originally);
    expect([replay, originalReceivedAtMs]).toEqual([true, receivedAtMs]);
    const open1 = await host.pipeline.eventVault.open(host.row('e1'), sealed ?? '');
    const row = host.pipeline.events.rows().find(({ key }) => isReplayId(key.eventId)) as NormalizedRow;
    const open2 = await host.pipeline.eventVault.open(
      { ...row, receivedAtMs: originalReceivedAtMs ?? 0 },
      event.sealed ?? '',
    );
    expect(open2).toEqual(open1);
  });

  it('is counted apart, in no figure of events, money or deliveries, and the audit agrees', async () => {
    const host = open();
    await host.accept('e1', 'e2');
    const ids = [await host.replay('e1'), await host.replay('e1'), await host.replay('e2')];
    await host.pass(3);
    for (const { counters } of host.pipeline.counters.rows().filter(({ counters }) => counters.events > 0))
      expect(counters).toMatchObject({
        events: 2,
        byName: { Purchase: 2 },
        deliveries: { alpha: { Purchase: { DELIVERED: 2 } } },
        latency: { count: 6 },
        revenue: { EUR: { orders: 2, minor: '2100' } },
      });
    const day = host.pipeline.counters.rows().find(({ key }) => key.grain === 'day');
    expect(day?.counters.replays).toBe(ids.length);
    host.pipeline.clock.advance(4 * 3_600_000);
    expect(await host.pipeline.reconcile()).toMatchObject({ drift: 0 });
  });

  it('keeps nothing personal for longer than its original does', async () => {
    const host = open();
    await host.accept('e1');
    const { receivedAtMs } = host.row('e1');
    host.pipeline.clock.advance(30 * DAY_MS);
    const id = await host.replay('e1');
    const before = new Date(receivedAtMs + DAY_MS).toISOString().slice(0, 10);
    expect(await host.pipeline.dayKeys.eraseBefore(PIPELINE_MERCHANT, before)).toBe(1);
    // Keys are remembered for five minutes.
    host.pipeline.clock.advance(600_000);
    expect(await host.replay('e1')).toBe('event_erased');
    expect(await host.replay(id)).toBe('event_erased');
  });

  it('whose original is erased while it is on the way reaches nobody', async () => {
    const host = open();
    await host.accept('e1');
    host.sent();
    await host.api.replayEvent({ ...KEYLESS, params: { id: 'e1' }, body: undefined });
    await host.pipeline.dayKeys.eraseBefore(PIPELINE_MERCHANT, '9999-12-31');
    host.pipeline.clock.advance(600_000);
    await host.pipeline.drain();
    expect(host.sent()).toEqual([]);
    const row = host.pipeline.events.rows().find(({ key }) => isReplayId(key.eventId)) as NormalizedRow;
    expect(Object.values(row.verdicts)).toEqual(Array(3).fill('invalid:personal_data_erased'));
  });

  it('of an event that is still on its way is refused', async () => {
    const host = open();
    await host.pipeline.take('e1');
    expect(await host.replay('e1')).toBe('event_processing');
    expect(await host.replay('nothing')).toBe('not_found');
  });

  it('is found again where every queue was purged after it was taken', async () => {
    const host = open();
    await host.accept('e1');
    host.sent();
    await host.api.replayEvent({ ...KEYLESS, params: { id: 'e1' }, body: undefined });
    host.pipeline.queues.accepted.purge();
    await host.pass(3);
    expect(host.sent()).toEqual(['alpha e1', 'bravo e1', 'carol e1']);
  });
});

describe('forwarding', () => {
  it('reaches the platforms listed and no others', async () => {
    const host = open();
    await host.accept('e1');
    host.sent();
    expect(await host.forward('e1', ['carol', 'carol'])).toMatchObject({
      status: 202,
      body: { platforms: ['carol'] },
    });
    await host.pipeline.drain();
    expect(host.sent()).toEqual(['carol e1']);
  });

  it('names every platform that is unknown or not connected, and stores nothing', async () => {
    const host = open({ credentials: { alpha: { token: 'a' } } });
    await host.accept('e1');
    expect(await host.forward('e1', ['alpha', 'bravo', 'nobody'])).toEqual({
      failure: 'invalid_request',
      details: [
        { path: 'platforms.1', message: 'bravo is not connected' },
        { path: 'platforms.2', message: 'there is no platform nobody' },
      ],
    });
    expect(host.pipeline.events.rows()).toHaveLength(1);
  });
});

describe.each([
  ['alone', ['e1']],
  ['in a batch', ['e1', 'e2']],
])('a retry by hand of an event %s', (_how, ids) => {
  /** Alpha refuses for good, carol is down: FAILED, DELIVERED and RETRY. */
  async function failing() {
    const down = { alpha: true, carol: true };
    const answer: PipelineOptions['answer'] = (request) => {
      if (down.carol && request.url.includes('carol')) return DOWN;
      if (!down.alpha || !request.url.includes('alpha')) return allTaken(request);
      const refused = (JSON.parse(request.body) as WireEvent[]).map(({ nonce }) => [nonce, 'bad']);
      return reply(200, { results: Object.fromEntries(refused) });
    };
    const host = open({ answer });
    for (const id of ids) await host.pipeline.take(id);
    await host.pipeline.drain();
    host.sent();
    return { ...host, down };
  }

  it('takes what failed or waits, and its waiting retry never comes', async () => {
    const host = await failing();
    expect(host.states('e1')).toEqual({ alpha: 'FAILED', bravo: 'DELIVERED', carol: 'RETRY' });
    host.down.alpha = false;
    host.down.carol = false;
    const answer = await host.retry('e1');
    expect(answer).toMatchObject({ status: 202, body: { ok: true, platforms: ['alpha', 'carol'] } });
    await host.pipeline.drain();
    expect(host.sent()).toEqual(['alpha e1', 'carol e1']);
    expect(host.states('e1')).toEqual({ alpha: 'SKIPPED', bravo: 'DELIVERED', carol: 'SKIPPED' });
    await host.pass(120);
    expect(host.sent().filter((sent) => sent.endsWith('e1'))).toEqual([]);
    expect(await host.retry('e1')).toEqual({ failure: 'nothing_to_retry' });
    host.pipeline.clock.advance(4 * 3_600_000);
    expect(await host.pipeline.reconcile()).toMatchObject({ drift: 0 });
    expect(host.pipeline.problems).toEqual([]);
  });

  it('leaves a delivery that succeeds before it is taken to the original', async () => {
    const host = await failing();
    await host.retry('e1');
    // Its automatic retry is faster than the message of the retry by hand.
    const [message] = host.pipeline.queues.accepted.receive(1);
    host.down.carol = false;
    host.pipeline.clock.advance(30_000);
    await host.pipeline.sweep();
    await host.pipeline.drain();
    expect(host.row('e1').deliveries.carol?.state).toBe('DELIVERED');
    host.sent();
    if (message !== undefined) await host.pipeline.stages.normalize([message]);
    await host.pipeline.drain();
    expect(host.sent().filter((sent) => sent.endsWith('e1'))).toEqual(['alpha e1']);
    expect(host.states('e1')).toMatchObject({ carol: 'DELIVERED', alpha: 'SKIPPED' });
  });

  it('is one event where two ask at once, and each delivery is one event’s where they see different ones', async () => {
    const host = await failing();
    const [one, two] = await Promise.all([host.retry('e1'), host.retry('e1')]);
    expect(one).toEqual(two);
    // A third one sees carol's later attempt: another event, which gets nothing of what is taken already.
    host.pipeline.queues.accepted.purge();
    host.pipeline.clock.advance(20_000);
    await host.pipeline.sweep();
    await host.pipeline.drain();
    const third = await host.retry('e1');
    expect(third).not.toEqual(one);
    host.down.alpha = false;
    host.down.carol = false;
    host.sent();
    await host.pass(3);
    expect(host.sent().filter((sent) => sent.endsWith(' e1'))).toEqual(['alpha e1', 'carol e1']);
  });
});
