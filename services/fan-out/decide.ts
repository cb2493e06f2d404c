// Which platforms should hear of a row now. Pure.
import type { RoutingSnapshot } from '../../lib/domain/connection.ts';
import type { Platform } from '../../lib/platforms/platform.ts';
import {
  dueAtMs,
  freezeVerdicts,
  isSendable,
  pendingPlatforms,
  verdictsOf,
} from '../../lib/platforms/verdicts.ts';
import type { NormalizedRow } from '../../lib/ports/event-store.ts';

export interface FanOutDecision {
  /** Platforms to send a pointer to. */
  readonly send: readonly string[];
  /** Set when nothing is left to do: the verdicts to freeze. */
  readonly close?: Readonly<Record<string, string>>;
}

export function fanOutRow(
  row: NormalizedRow,
  routing: RoutingSnapshot,
  platforms: readonly Platform[],
  nowMs: number,
): FanOutDecision {
  const verdicts = verdictsOf(row, routing, platforms);
  const pending = pendingPlatforms(verdicts);
  if (dueAtMs(row, pending, nowMs) === null) return { send: [], close: freezeVerdicts(verdicts) };
  return { send: pending.filter((slug) => isSendable(row.deliveries[slug], nowMs)) };
}
