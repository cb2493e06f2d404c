// Promise: each request is in one line, alone or in the sum of its minute; the lines are few, small, and name no person.
import { expect, it } from 'vitest';
import type { AnsweredRequest } from '../../core/http/http-message.ts';
import { createLogger } from './logger.ts';
import { createRequestLines } from './request-lines.ts';

const answer = (more: Partial<AnsweredRequest> = {}): AnsweredRequest => ({
  requestId: 'req-1',
  route: '/v1/events',
  method: 'POST',
  status: 202,
  ms: 20,
  merchant: 'm_1',
  key: 'k1',
  bytesIn: 900,
  bytesOut: 40,
  events: { accepted: 1, duplicates: 0, refused: 0, names: { Purchase: 1 } },
  ...more,
});

function setUp(linesPerMinute = 2) {
  const lines: Record<string, unknown>[] = [];
  let sizeBytes = 0;
  let nowMs = 1_000;
  const destination = {
    write: (line: string) => {
      sizeBytes += Buffer.byteLength(line);
      lines.push(JSON.parse(line));
    },
  };
  const logger = createLogger({ level: 'info', bindings: { service: 'ingestion' }, destination });
  const answered = createRequestLines(logger, { linesPerMinute, now: () => nowMs });
  return { lines, answered, sizeBytes: () => sizeBytes, advance: (ms: number) => (nowMs += ms) };
}

it('says in one wide line what came in and what was answered', () => {
  const { lines, answered } = setUp();
  answered(answer({ trace: '4bf92f3577b34da6a3ce929d0e0e4736', ms: 20.4 }));
  expect(lines[0]).toMatchObject({
    ...{ level: 'info', kind: 'request', service: 'ingestion', request: 'req-1' },
    ...{ route: '/v1/events', method: 'POST', status: 202, ms: 20, bytesIn: 900, bytesOut: 40 },
    ...{ merchant: 'm_1', key: 'k1', trace: '4bf92f3577b34da6a3ce929d0e0e4736' },
    ...{ accepted: 1, duplicates: 0, refused: 0, names: { Purchase: 1 } },
  });
});

it('sums what is more than the setting, once a minute, and loses none', () => {
  const { lines, answered, advance } = setUp(2);
  for (let i = 0; i < 100; i++) answered(answer({ merchant: `m_${i % 40}`, ms: i + 1 }));
  expect(lines).toHaveLength(2);
  advance(60_000);
  answered(answer());
  expect(lines[2]).toMatchObject({
    ...{ kind: 'requests', requests: 98, statuses: { 202: 98 }, routes: { '/v1/events': 98 } },
    ...{ accepted: 98, names: { Purchase: 98 }, bytesIn: 88_200, bytesOut: 3_920 },
  });
  const { merchants, p50, p99 } = lines[2] as { merchants: Record<string, number>; p50: number; p99: number };
  expect(Object.keys(merchants)).toHaveLength(21);
  expect(Object.values(merchants).reduce((sum, count) => sum + count, 0)).toBe(98);
  expect(p50).toBeGreaterThan(45);
  expect(p50).toBeLessThan(56);
  expect(p99).toBeGreaterThan(93);
  expect(lines[3]).toMatchObject({ kind: 'request' });
});

it('lets no good request hide one that was refused, failed or slow', () => {
  const { lines, answered } = setUp(1);
  for (let i = 0; i < 10; i++) answered(answer());
  answered(answer({ status: 401, code: 'unauthorized' }));
  answered(answer({ status: 503, code: 'unavailable' }));
  answered(answer({ ms: 2_001 }));
  expect(lines.slice(1)).toMatchObject([
    { status: 401, code: 'unauthorized' },
    { level: 'error', metric: 'answers_5xx', value: 1, status: 503 },
    { ms: 2_001 },
  ]);
});

it('counts each answer of 500 and above for the alarm, with few lines', () => {
  const { lines, answered, advance } = setUp();
  for (let i = 0; i < 1_000; i++) answered(answer({ status: 503, code: 'unavailable' }));
  expect(lines).toHaveLength(60);
  advance(60_000);
  answered(answer());
  const counted = lines.filter(({ metric }) => metric === 'answers_5xx');
  expect(counted.reduce((sum, { value }) => sum + Number(value), 0)).toBe(1_000);
  expect(counted.every(({ level }) => level === 'error')).toBe(true);
});

it('is bounded in size whatever is sent', () => {
  const { lines, answered, advance } = setUp(0);
  for (let i = 0; i < 5_000; i++)
    answered(
      answer({
        merchant: `merchant-${i}`,
        code: `code_${i}`,
        route: `/v1/route-${i}`,
        status: 400 + (i % 90),
      }),
    );
  advance(60_000);
  answered(answer({ method: 'jane@example.com' }));
  expect(JSON.stringify(lines[0]).length).toBeLessThan(2_000);
  expect(JSON.stringify(lines)).not.toContain('jane');
});

it('costs no more than 6 bytes of log an event at 15 a second', () => {
  const { answered, sizeBytes, advance } = setUp(10);
  for (let i = 0; i < 15 * 600; i++) {
    answered(
      answer({
        requestId: '4b1c7a52-9c6e-4b07-8a8e-3d3f6f5f0d11',
        merchant: '0190a1b2-0000-7000-8000-000000000001',
      }),
    );
    advance(1_000 / 15);
  }
  expect(sizeBytes() / (15 * 600)).toBeLessThan(6);
});
