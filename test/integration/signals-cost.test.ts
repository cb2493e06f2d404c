// Goal: what signals cost is counted, stays below $0.10 a million events from 15 a second on, and its fixed part is said.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createBatchLog } from '../../lib/adapters/logger/batch-line.ts';
import { createCallLines } from '../../lib/adapters/logger/call-lines.ts';
import { createLogger, type Logger } from '../../lib/adapters/logger/logger.ts';
import { METRICS } from '../../lib/adapters/logger/metrics.ts';
import { createRequestLines } from '../../lib/adapters/logger/request-lines.ts';
import { PRICES } from '../performance/cost-model.ts';
import { signalBytes } from '../performance/signal-bytes.ts';

const MILLION = 1e6;
const GB = 1e9;
/** https://aws.amazon.com/cloudwatch/pricing/: a custom metric, a month; free ones are not counted. */
const METRIC_MONTH = 0.3;
const MONTH_SEC = 730 * 3_600;
const LIMIT_DOLLARS = 0.1;

const dollarsOfLines = (bytes: number): number => ((bytes * MILLION) / GB) * PRICES.logGb;
/** At a rate that is held all month. */
const dollarsOfMetrics = (perSec: number): number =>
  (Object.keys(METRICS).length * METRIC_MONTH * MILLION) / (perSec * MONTH_SEC);

describe.each([
  [15, 1, 5],
  [15, 3, 5],
  [15, 12, 5],
  [33, 3, 5],
  [33, 12, 1],
  [1_000, 3, 5],
  [1_000, 12, 5],
])('%i events a second to %i platforms, %i pollers', (perSec, platforms, gatherers) => {
  it('cost at most $0.10 a million, metrics among it', () => {
    const lines = dollarsOfLines(signalBytes({ perSec, platforms, gatherers }));
    expect(lines).toBeGreaterThan(0);
    expect(lines + dollarsOfMetrics(perSec)).toBeLessThan(LIMIT_DOLLARS);
  });
});

const page = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8').replaceAll(
  /\s+/g,
  ' ',
);

it('costs what the document says', () => {
  const said = (perSec: number): string =>
    `$${dollarsOfLines(signalBytes({ perSec, platforms: 3, gatherers: 5 })).toFixed(3)}`;
  expect(page).toContain(
    `${said(15)} a million events at 15 a second to three platforms, ${said(1_000)} at 1,000`,
  );
  const metrics = Object.keys(METRICS);
  expect(page).toContain(
    `$${(metrics.length * METRIC_MONTH).toFixed(2)} in a month of which every hour has all ${metrics.length};`,
  );
  for (const name of metrics) expect(page).toContain(`\`${name}\``);
});

it('has the fields that the document lists, and no others', () => {
  const found = new Map<string, Set<string>>();
  const destination = {
    write: (line: string) => {
      const { level: _l, time: _t, service: _s, msg: _m, kind, _aws, ...fields } = JSON.parse(line);
      const known = found.get(kind) ?? new Set();
      found.set(kind, known);
      for (const name of Object.keys(fields)) if (!(name in METRICS)) known.add(name);
    },
  };
  writeEveryLine(createLogger({ level: 'info', bindings: { service: 's' }, destination }));
  for (const [kind, fields] of found) {
    const row = new RegExp(`\\| \`${kind}\` \\|[^|]*\\|([^|]*)\\|`).exec(page)?.[1] ?? '';
    expect([kind, [...row.matchAll(/`(\w+)`/g)].map(([, name]) => name).sort()]).toEqual([
      kind,
      [...fields].sort(),
    ]);
  }
  expect([...found.keys()].sort()).toEqual(['batch', 'call', 'calls', 'request', 'requests']);
});

/** Each kind with every field it may have. */
function writeEveryLine(logger: Logger): void {
  let nowMs = 1;
  const now = () => nowMs;
  const request = {
    ...{ requestId: 'r', trace: 't', method: 'POST', route: '/v1/events', status: 503, code: 'unavailable' },
    ...{ merchant: 'm', key: 'k', ms: 1, bytesIn: 1, bytesOut: 1 },
    events: { accepted: 1, duplicates: 0, refused: 0, names: { Lead: 1 } },
  };
  const answered = createRequestLines(logger, { linesPerMinute: 0, now });
  for (let i = 0; i < 70; i++) answered(request);
  const call = {
    outcomes: [{ kind: 'delivered' as const, code: 'ok', name: 'Lead', ageMs: 1 }],
    ...{
      calls: [{ status: 200, latencyMs: 1, bytes: 1 }],
      traces: [{ traceId: 't', parentId: 'p', spanId: 's' }],
    },
  };
  const called = createCallLines(logger, { linesPerMinute: 1, metrics: 'few', now });
  for (let i = 0; i < 3; i++) called({ merchantId: 'm', id: 'c', platform: 'meta' }, call);
  nowMs += 60_000;
  answered(request);
  for (let i = 0; i < 3; i++) called({ merchantId: 'm', id: 'c', platform: 'meta' }, call);
  nowMs += 60_000;
  called({ merchantId: 'm', id: 'c', platform: 'meta' }, call);
  createBatchLog(logger, { stage: 's', intervalMs: 0, now }).record({
    ...{ size: 1, failed: 0, durationMs: 1, bytes: 1, merchants: { m: 1 } },
  });
}
