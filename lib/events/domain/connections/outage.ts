// When a connection took nothing: what is kept of outages that are over, on the connection itself, for the chart of its shop.
// Guarantees: bounded. Deciding where events go never depends on it.
import * as z from 'zod';
import type { StoredAs } from '#lib/core/record/stored-type.ts';

export const STORED_OUTAGE = z.looseObject({
  /** `auth`: the platform refused the credentials. `circuit`: calls kept failing. */
  cause: z.enum(['auth', 'circuit']),
  fromMs: z.number(),
  toMs: z.number(),
  /** When its merchant got a mail about it; of a pause absent. */
  toldAtMs: z.number().exactOptional(),
});
export type Outage = StoredAs<typeof STORED_OUTAGE>;

/** Of a connection. They lie in the item that each process reads to know where events go: some 50 bytes each. */
export const OUTAGES_MAX = 10;
/** A platform that comes and goes has one outage, not one for every time that a probe went through. */
const JOINED_MS = 300_000;

/** Of a connection, as far as it matters here. */
export interface Troubled {
  /** Newest last. */
  readonly outages?: readonly Outage[];
  readonly circuit?: { readonly openedAtMs: number; readonly toldAtMs?: number };
  readonly pausedReason?: string;
  readonly pausedAtMs?: number;
}

/** Its outages when what goes on has ended: those of its `circuit`, or also of its pause. Undefined where there was none. */
export function outagesOver(
  { outages, circuit, pausedReason, pausedAtMs }: Troubled,
  over: { readonly circuit?: boolean; readonly pause?: boolean },
  nowMs: number,
): readonly Outage[] | undefined {
  const ended: Outage[] = [];
  const end = (cause: Outage['cause'], fromMs: number, toldAtMs?: number): void =>
    void ended.push({
      ...{ cause, fromMs, toMs: Math.max(fromMs, nowMs) },
      ...(toldAtMs === undefined ? {} : { toldAtMs }),
    });
  if (over.circuit === true && circuit !== undefined) end('circuit', circuit.openedAtMs, circuit.toldAtMs);
  if (over.pause === true && pausedReason === 'auth' && pausedAtMs !== undefined) end('auth', pausedAtMs);
  return ended.length === 0 ? outages : ended.reduce(withOutage, outages ?? []);
}

function withOutage(known: readonly Outage[], over: Outage): readonly Outage[] {
  const last = known.at(-1);
  const goesOn = last?.cause === over.cause && over.fromMs - last.toMs < JOINED_MS;
  return goesOn
    ? [...known.slice(0, -1), { ...over, ...last, toMs: Math.max(last.toMs, over.toMs) }]
    : [...known, over].slice(-OUTAGES_MAX);
}
