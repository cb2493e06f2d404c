// The calls to a platform that events took part in, and what they say of it. Pure.
import type { Attempt } from '#lib/events/domain/deliveries/delivery.ts';
import type { NormalizedRow } from '#lib/events/domain/event/row.ts';
import type { ConnectionHealth } from './health.ts';

export interface Call {
  readonly attempt: Attempt;
  /** It took at least one event of it. */
  readonly ok: boolean;
}

/** The calls these events took part in, oldest first. A call of many events is one. */
export function callsOf(rows: readonly NormalizedRow[], slot: string): readonly Call[] {
  const calls = new Map<string, Call>();
  for (const { deliveries } of rows)
    for (const attempt of deliveries[slot]?.history ?? []) {
      const id = `${attempt.atMs}/${attempt.latencyMs}/${attempt.batchSize}`;
      const ok = attempt.outcome === 'delivered' || attempt.outcome === 'duplicate';
      const known = calls.get(id);
      if (known === undefined || (ok && !known.ok)) calls.set(id, { attempt, ok });
    }
  return [...calls.values()].sort((a, b) => a.attempt.atMs - b.attempt.atMs);
}

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
