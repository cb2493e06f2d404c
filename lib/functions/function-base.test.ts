// Goal: what an alarm counts is written as it is counted, at a level that every deployment writes.
import { afterEach, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { setStandardDestination } from '../adapters/logger/logger.ts';
import { createFunctionBase, stageFunction } from './function-base.ts';

const MINUTE_MS = 60_000;

afterEach(() => {
  setStandardDestination(undefined);
  vi.unstubAllGlobals();
});

function setUp() {
  vi.stubEnv('AWS_REGION', 'us-east-1');
  const lines: Record<string, unknown>[] = [];
  setStandardDestination({ write: (line) => void lines.push(JSON.parse(line)) });
  const base = createFunctionBase('normalize', { LOG_LEVEL: 'error' });
  return { base, counted: () => lines.filter(({ metric }) => metric !== undefined) };
}

it('counts answers that say it is our fault, and no others', () => {
  const { base, counted } = setUp();
  const answer = { requestId: 'r', method: 'POST', ms: 1, bytesIn: 0 };
  for (const status of [200, 202, 404, 429]) base.answered({ ...answer, status });
  expect(counted()).toEqual([]);
  base.answered({ ...answer, status: 503 });
  expect(counted()).toMatchObject([{ metric: 'answers_5xx', value: 1, status: 503, service: 'normalize' }]);
});

it('counts rows that wait, where there are any', () => {
  const { base, counted } = setUp();
  base.waiting(0);
  expect(counted()).toEqual([]);
  base.waiting(3);
  expect(counted()).toMatchObject([{ metric: 'waiting', value: 3, service: 'normalize' }]);
});

it.each([
  ['normalize', 10],
  ['deliver', 20],
  ['webhooks', 25],
  ['reconcile', 60],
])('counts a message that has waited for %s longer than %i minutes', async (name, minutes) => {
  const { base, counted } = setUp();
  const run = stageFunction(name, base, z.string(), async () => ({ failedIndexes: [] }));
  const record = (ageMs: number) => ({
    messageId: 'm',
    body: '"x"',
    attributes: { ApproximateReceiveCount: '1', SentTimestamp: String(Date.now() - ageMs) },
  });
  await run({ Records: [record(0), record((minutes - 1) * MINUTE_MS)] });
  expect(counted()).toEqual([]);
  await run({ Records: [record(0), record((minutes + 1) * MINUTE_MS)] });
  expect(counted()).toMatchObject([{ metric: 'waiting', value: 1, stage: name }]);
});

it('exports the spans of an invocation before it ends, where a collector is named', async () => {
  vi.stubEnv('AWS_REGION', 'us-east-1');
  const posted: string[] = [];
  vi.stubGlobal('fetch', async (url: string) => {
    posted.push(url);
    return new Response('{}');
  });
  setStandardDestination({ write: () => undefined });
  const base = createFunctionBase('normalize', { OTLP_URL: 'http://localhost:4318' });
  const traces = [{ traceId: 'a'.repeat(32), parentId: 'b'.repeat(16) }];
  const run = stageFunction('normalize', base, z.string(), async () => {
    base.signalling.normalized?.(traces, 1, Date.now());
    return { failedIndexes: [] };
  });
  const attributes = { ApproximateReceiveCount: '1', SentTimestamp: String(Date.now()) };
  await run({ Records: [{ messageId: 'm', body: '"x"', attributes }] });
  expect(posted).toEqual(['http://localhost:4318/v1/traces']);
  expect(createFunctionBase('normalize', {}).signalling).not.toHaveProperty('normalized');
});
