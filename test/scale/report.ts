// A scenario's figures and verdicts as text.
import type { Figures } from './figures.ts';
import { short, type Verdict } from './judge.ts';
import type { Measured, Scenario, Size } from './scenarios/scenario.ts';

export interface Played {
  readonly name: string;
  readonly figures: Measured;
  readonly verdicts: readonly Verdict[];
  readonly tookMs: number;
}

const PROBLEMS_SHOWN = 4;
const QUOTAS_SHOWN = 3;
const HOT_SHOWN = 2;

export function reportOf(scenario: Scenario, size: Size, { figures, verdicts, tookMs }: Played): string {
  const { longest } = figures;
  const lines = [
    `\n${scenario.name}: ${scenario.what}`,
    `  run here: ${scenario.sampled[size]} (${(tookMs / 1_000).toFixed(0)} s)`,
    `  sent ${short(figures.sent)}, accepted ${short(figures.accepted)}, refused ${short(figures.refused)}${refused(figures)}`,
    `  202 → delivered: p50 ${seconds(figures.p50Ms)}, p99 ${seconds(figures.p99Ms)}; missing ${short(figures.missing)}, copies ${short(figures.copies)}, dead letters ${short(figures.deadLetters)}`,
    `  drain: ${short(figures.drainPerSec)} events/s at the slowest platform`,
    ...figures.hottest
      .slice(0, HOT_SHOWN)
      .map(
        ({ where, key, units, limit, second }) =>
          `  hottest partition: ${where} ${short(units)}/s of ${short(limit)}, key ${key} at ${new Date(second * 1_000).toISOString().slice(11, 19)}`,
      ),
    `  longest unit of work: ${longest.service} ${seconds(longest.ms)}, ${((longest.ms / longest.timeoutMs) * 100).toFixed(0)} % of its timeout${longest.timeouts > 0 ? `, killed ${longest.timeouts} times` : ''}`,
    `  per event: ${figures.writeUnitsPerEvent.toFixed(2)} write units, ${figures.readUnitsPerEvent.toFixed(2)} read units, ${figures.sqsPerEvent.toFixed(2)} SQS requests, ${figures.invocationsPerEvent.toFixed(2)} invocations; $${figures.dollarsPerMillion.toFixed(2)} per million`,
    ...Object.entries(figures.own).map(([what, value]) => `  ${what}: ${short(value)}`),
    ...bindings(figures),
    ...figures.problems.slice(0, PROBLEMS_SHOWN).map((problem) => `  reported: ${problem.slice(0, 140)}`),
    ...verdicts.map(
      ({ what, value, limit, word, known }) =>
        `  ${word.padEnd(6)} ${what}: ${short(value)}, wanted ${limit}${known === undefined ? '' : ` (${known})`}`,
    ),
  ];
  return lines.join('\n');
}

function refused({ refused: count, refusals, refusedSeconds, refusedRunSec }: Figures): string {
  if (count === 0) return '';
  const statuses = refusals.map(([status, times]) => `${status} x ${short(times)}`).join(', ');
  return ` (${statuses}) in ${refusedSeconds} seconds, ${refusedRunSec} in a row`;
}

/** What is used up, and what comes next. */
function bindings({ quotas }: Figures): string[] {
  const text = ({ quota, used, limit }: Figures['quotas'][number]): string =>
    `${quota} ${short(used)} of ${short(limit)}`;
  const full = quotas.filter(({ used, limit }) => used >= limit);
  const next = quotas.filter(({ used, limit }) => used < limit);
  return [
    ...(full.length === 0 ? [] : [`  binds: ${full.slice(0, QUOTAS_SHOWN).map(text).join('; ')}`]),
    ...(next.length === 0
      ? []
      : [
          `  binds next: ${next
            .slice(0, QUOTAS_SHOWN - 1)
            .map(text)
            .join('; ')}`,
        ]),
  ];
}

/** The figure that is furthest from what is wanted, and how many limits failed. */
export function closingLine(played: readonly Played[], isFailure: (verdict: Verdict) => boolean): string {
  const all = played.flatMap(({ name, verdicts }) => verdicts.map((verdict) => ({ name, ...verdict })));
  const failed = all.filter(isFailure).length;
  const known = all.filter(({ word }) => word === 'known').length;
  const [worst] = [...all].sort((a, b) => b.strain - a.strain);
  const sentence =
    worst === undefined
      ? 'nothing ran'
      : `the worst figure is ${worst.name}: ${worst.what} ${short(worst.value)}, wanted ${worst.limit} (${worst.word})`;
  return `${all.length - failed - known} limits met, ${known} known, ${failed} failed; ${sentence}`;
}

const seconds = (ms: number): string => (Number.isFinite(ms) ? `${(ms / 1_000).toFixed(2)} s` : 'none');
