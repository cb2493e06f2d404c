// How fast the calls to a platform were, and how many took nothing. Pure.
import type { NormalizedRow } from '#lib/events/domain/event/row.ts';
import { callsOf } from '#lib/events/pipeline/connections/calls.ts';
import type { ConnectionHealth } from './health.ts';

/** 95th percentile of the calls that the newest events took part in. */
export function callFigures(
  newest: readonly NormalizedRow[],
  slot: string,
): Pick<ConnectionHealth, 'call_latency_p95_ms' | 'calls_seen' | 'calls_failed'> {
  const calls = callsOf(newest, slot);
  const sorted = calls.map(({ attempt }) => attempt.latencyMs).sort((a, b) => a - b);
  return {
    call_latency_p95_ms: sorted[Math.ceil(sorted.length * 0.95) - 1] ?? null,
    calls_seen: calls.length,
    calls_failed: calls.filter(({ ok }) => !ok).length,
  };
}
