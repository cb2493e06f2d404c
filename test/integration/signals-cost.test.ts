// Goal: what signals cost is counted, stays below $0.10 a million events from 15 a second on, and its fixed part is said.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { METRICS } from '../../lib/adapters/logger/metrics.ts';
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

it('is as the documents say', () => {
  const page = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');
  const said = (perSec: number, platforms: number): string =>
    `$${dollarsOfLines(signalBytes({ perSec, platforms, gatherers: 5 })).toFixed(3)}`;
  expect(page).toContain(
    `${said(15, 3)} a million events at 15 a second to three platforms, ${said(1_000, 3)} at 1,000`,
  );
  const fixed = Object.keys(METRICS).length * METRIC_MONTH;
  expect(page).toContain(
    `$${fixed.toFixed(2)} in a month of which every hour has all ${Object.keys(METRICS).length}`,
  );
});
