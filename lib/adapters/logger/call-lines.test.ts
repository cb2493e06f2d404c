// Promise: each batch that was sent to a platform is in one line, alone or in a sum; metrics are as CloudWatch reads them, few, and
// none while nothing happens.
import { expect, it } from 'vitest';
import type { AnsweredCall } from '../../events/ports/delivery-signals.ts';
import { createCallLines } from './call-lines.ts';
import { createLogger } from './logger.ts';
import type { MetricSet } from './metrics.ts';

const META = { merchantId: 'm_1', id: 'con_1', platform: 'meta' };
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';

function call(size: number, more: Partial<AnsweredCall['outcomes'][number]> = {}): AnsweredCall {
  return {
    outcomes: Array.from({ length: size }, (_, i) => ({
      ...{ kind: 'delivered', code: 'ok', name: 'Purchase', ageMs: 1_000 + 10 * i },
      ...more,
    })),
    calls: [{ status: 200, latencyMs: 150, bytes: 800 }],
    traces: [{ traceId: TRACE, parentId: '00f067aa0ba902b7', spanId: 'a'.repeat(16) }],
  };
}

function setUp({ linesPerMinute = 1, metrics = 'few' as MetricSet } = {}) {
  const lines: Record<string, unknown>[] = [];
  let sizeBytes = 0;
  let nowMs = 1_795_000_000_000;
  const destination = {
    write: (line: string) => {
      sizeBytes += Buffer.byteLength(line);
      lines.push(JSON.parse(line));
    },
  };
  const logger = createLogger({ level: 'info', bindings: { service: 'deliver' }, destination });
  const answered = createCallLines(logger, { linesPerMinute, metrics, now: () => nowMs });
  const of = (kind: string) => lines.filter((line) => line.kind === kind);
  return { of, lines, answered, sizeBytes: () => sizeBytes, advance: (ms: number) => (nowMs += ms) };
}

it('says in one line what was sent, what came of it and how long it took', () => {
  const { of, answered } = setUp();
  answered(META, {
    ...call(3),
    outcomes: [...call(2).outcomes, ...call(1, { kind: 'permanent', code: 'invalid_parameter' }).outcomes],
  });
  expect(of('call')).toMatchObject([
    {
      ...{ level: 'info', service: 'deliver', platform: 'meta', connection: 'con_1', merchant: 'm_1' },
      ...{ events: 3, delivered: 2, retried: 0, notDelivered: 1, names: { Purchase: 3 } },
      ...{ calls: 1, status: 200, p50: 150, p99: 150, bytes: 800, traces: [TRACE] },
      codes: { ok: 2, invalid_parameter: 1 },
    },
  ]);
});

it('says how much of the time to delivery was a wait for pages, alone and in sums, where any was', () => {
  const { of, answered, advance } = setUp();
  const waited = (ms: number) => ({
    ...call(3),
    outcomes: [...call(2, { pageWaitMs: ms }).outcomes, ...call(1).outcomes],
  });
  for (const each of [waited(2_000), waited(300), call(1), waited(40)]) answered(META, each);
  advance(60_000);
  for (const each of [call(1), call(1)]) answered(META, each);
  expect(of('call').map((line) => [line.waited, line.waitedMs])).toEqual([
    [2, 4_000],
    [undefined, undefined],
  ]);
  const [sum, ...later] = of('calls').filter(({ batches }) => batches !== undefined);
  expect(sum).toMatchObject({ events: 7, waited: 4, waitedMs: 680 });
  expect(later).toEqual([]);
});

it('sums what is more than the setting, and loses none', () => {
  const { of, answered, advance } = setUp({ linesPerMinute: 2, metrics: 'none' });
  for (let i = 0; i < 500; i++) {
    answered({ ...META, merchantId: `m_${i % 9}`, id: `con_${i % 9}` }, call(3));
    advance(1_000);
  }
  for (let i = 0; i < 100; i++) answered(META, call(1, { kind: 'retry', code: 'http_500' }));
  advance(60_000);
  answered(META, call(1));
  const sum = (field: string) =>
    [...of('call'), ...of('calls')].reduce((total, line) => total + Number(line[field] ?? 0), 0);
  expect([sum('events'), sum('delivered'), sum('retried'), sum('calls')]).toEqual([1_601, 1_501, 100, 601]);
  expect(of('call').length).toBeLessThan(100);
  expect(of('calls')[1]).toMatchObject({ connections: 9, p50: 150, codes: { ok: expect.any(Number) } });
  expect(Object.keys(of('calls')[1]?.merchants as object)).toHaveLength(6);
});

it('measures deliveries by outcome and how long they took, as the embedded metric format says', () => {
  const { of, answered, advance } = setUp();
  answered(META, call(1, { ageMs: 1_234 }));
  expect(of('calls')[0]).toMatchObject({
    ...{ Delivered: 1, DeliveryLatency: [1_234] },
    _aws: {
      Timestamp: 1_795_000_000_000,
      CloudWatchMetrics: [
        {
          ...{ Namespace: 'Millrace', Dimensions: [[]] },
          Metrics: [
            { Name: 'Delivered', Unit: 'Count' },
            { Name: 'DeliveryLatency', Unit: 'Milliseconds' },
          ],
        },
      ],
    },
  });
  for (let i = 0; i < 1_000; i++) answered(META, call(1, { ageMs: i < 985 ? 900 : 600_000 }));
  answered(META, call(4, { kind: 'permanent' }));
  answered(META, call(5, { kind: 'auth' }));
  advance(30_000);
  answered(META, call(0));
  const [, line] = of('calls');
  expect(line).toMatchObject({ Delivered: 1_000, NotDelivered: 4, Retried: 5 });
  const latencies = line?.DeliveryLatency as number[];
  expect(latencies.length).toBe(50);
  expect(latencies.filter((ms) => ms > 500_000)).toHaveLength(1);
});

it('measures each platform where that is asked for', () => {
  const { of, answered } = setUp({ metrics: 'by-platform' });
  answered(META, call(2));
  expect(of('calls')).toHaveLength(2);
  const [, line] = of('calls') as [unknown, { _aws: { CloudWatchMetrics: { Dimensions: unknown }[] } }];
  expect(line).toMatchObject({ platform: 'meta', Delivered: 2 });
  expect(line._aws.CloudWatchMetrics[0]?.Dimensions).toEqual([['platform']]);
});

it('has no dimension of a merchant, and no more than ten metrics without one', () => {
  const { lines, answered, advance } = setUp({ metrics: 'by-platform' });
  for (let i = 0; i < 50; i++) {
    answered(
      { ...META, merchantId: `m_${i}`, platform: `p_${i % 12}` },
      call(1, { kind: i % 2 ? 'retry' : 'delivered' }),
    );
    advance(30_000);
  }
  type Directive = { Dimensions: string[][]; Metrics: { Name: string }[] };
  const found = new Set<string>();
  for (const line of lines)
    for (const { Dimensions, Metrics } of (line._aws as { CloudWatchMetrics?: Directive[] })
      ?.CloudWatchMetrics ?? [])
      for (const { Name } of Metrics) {
        expect(Dimensions.length).toBe(1);
        found.add(JSON.stringify([Name, Dimensions[0]?.map((name) => line[name])]));
      }
  expect([...found].filter((name) => name.endsWith('[]]')).length).toBeLessThanOrEqual(10);
  expect([...found].join('')).not.toContain('m_1');
});

it('costs no more than 25 bytes of log a delivery at 15 events a second to three platforms', () => {
  const { answered, sizeBytes, advance } = setUp({ linesPerMinute: 10 });
  const events = 15 * 600;
  // Of one process in five, which sends what came in a second.
  for (let second = 0; second < 600; second += 1) {
    for (const platform of ['meta', 'ga4', 'tiktok']) answered({ ...META, platform }, call(3));
    advance(1_000);
  }
  expect((5 * sizeBytes()) / events).toBeLessThan(75);
});
