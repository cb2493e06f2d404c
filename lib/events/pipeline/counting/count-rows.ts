// Rows → counters. Pure: the same rows always give the same counters.
import type { BucketCounters } from '../../domain/analytics/analytics.ts';
import { type ByConnection, connectionKey } from '../../domain/analytics/connection-counts.ts';
import { type LaterWords, laterWords } from '../../domain/analytics/later-words.ts';
import { sumCounters } from '../../domain/analytics/sum.ts';
import { isFurther, platformOf } from '../../domain/connections/target.ts';
import type { BatchPlace } from '../../domain/deliveries/batch.ts';
import { countedCode } from '../../domain/deliveries/code.ts';
import type { Delivery } from '../../domain/deliveries/delivery.ts';
import {
  hasUnattempted,
  isSettled,
  isWhollyParked,
  targetsOf,
  worstDeliveryAt,
} from '../../domain/deliveries/progress.ts';
import { canonicalEventName } from '../../domain/event/names.ts';
import {
  type AcceptedRow,
  type EventKey,
  type EventRow,
  type NormalizedRow,
  sourceOf,
} from '../../domain/event/row.ts';
import { isTestBody } from '../../domain/event/test-mode.ts';
import type { Platform } from '../../platforms/platform.ts';
import { parseVerdict, type Verdict, verdictsOf } from '../verdicts.ts';
import { countEvents, isReplay } from './count-events.ts';

export interface FoldInput {
  readonly rows: readonly EventRow[];
  /** Ids of browser rows whose server event exists: that one is counted. */
  readonly merged: ReadonlySet<string>;
  readonly platforms: readonly Platform[];
}

export interface FoldResult {
  readonly counters: BucketCounters;
  /** Rows that will still change: not normalized, or with an open delivery. */
  readonly open: number;
  /** Open rows that wait only for their connections: their counters do not change until a connection is repaired. */
  readonly parked: number;
  /** Open rows without a due time: not normalized, or a platform's delivery was never attempted or was lost. */
  readonly stranded: readonly StrandedRow[];
  /** Deliveries that wait for a retry: they end as soon as their connection is removed. */
  readonly waiting: readonly WaitingDelivery[];
  /** Rows in no counter, because they could not be read or counted. They are open: a later release may read them. */
  readonly uncounted: readonly UncountedRow[];
}

export interface UncountedRow {
  readonly key: EventKey;
  readonly error: unknown;
}

export interface WaitingDelivery {
  readonly key: EventKey;
  readonly platform: string;
  readonly routingVersion: number;
  /** Where its outcomes are written, if not in its row. */
  readonly place?: BatchPlace;
}

export interface StrandedRow {
  readonly key: EventKey;
  readonly state: EventRow['state'];
  readonly receivedAtMs: number;
  readonly shard?: number;
  /** Where its outcomes are written, if not in its row. */
  readonly place?: BatchPlace;
}

export function foldBucket(input: FoldInput): FoldResult {
  let open = 0;
  let parked = 0;
  const stranded: StrandedRow[] = [];
  const waiting: WaitingDelivery[] = [];
  const parts: BucketCounters[] = [];
  const uncounted: UncountedRow[] = [];
  for (const row of input.rows) {
    const part = countRow(row, input);
    if ('error' in part) uncounted.push(part);
    else parts.push(part);
    const over = row.state === 'normalized' && isSettled(row);
    if (!over || 'error' in part) open += 1;
    if (!over && !('error' in part) && row.state === 'normalized' && isWhollyParked(row)) parked += 1;
    if (!over && row.state === 'normalized') waiting.push(...retriesOf(row));
    const held = row.state === 'normalized' && row.heldUntilMs !== undefined && row.dueAtMs !== undefined;
    if (row.state === 'accepted' || (!over && !held && (hasUnattempted(row) || row.dueAtMs === undefined)))
      stranded.push({
        key: row.key,
        state: row.state,
        receivedAtMs: row.receivedAtMs,
        ...(row.shard === undefined ? {} : { shard: row.shard }),
        ...(row.state === 'normalized' ? placeOf(row) : {}),
      });
  }
  return { counters: sumCounters(parts), open, parked, stranded, waiting, uncounted };
}

function countRow(row: EventRow, input: FoldInput): BucketCounters | UncountedRow {
  if (input.merged.has(row.ingestId)) return { ...NOTHING, merged: 1 };
  try {
    return row.state === 'accepted' ? countAccepted(row) : countNormalized(row, input);
  } catch (error) {
    return { key: row.key, error };
  }
}

/** The sum of folds over disjoint rows. */
export function sumFolds(parts: readonly FoldResult[]): FoldResult {
  return {
    counters: sumCounters(parts.map((part) => part.counters)),
    open: parts.reduce((sum, part) => sum + part.open, 0),
    parked: parts.reduce((sum, part) => sum + part.parked, 0),
    stranded: parts.flatMap((part) => part.stranded),
    waiting: parts.flatMap((part) => part.waiting),
    uncounted: parts.flatMap((part) => part.uncounted),
  };
}

function retriesOf(row: NormalizedRow): WaitingDelivery[] {
  const { key, routingVersion, deliveries } = row;
  return targetsOf(row)
    .filter((platform) => deliveries[platform]?.state === 'RETRY')
    .map((platform) => ({ key, platform, routingVersion, ...placeOf(row) }));
}

const placeOf = ({ place }: NormalizedRow): { readonly place?: BatchPlace } =>
  place === undefined ? {} : { place };

export function latencyOf({ deliveredAtMs, updatedAtMs }: Delivery, receivedAtMs: number): number {
  return Math.max(0, (deliveredAtMs ?? updatedAtMs) - receivedAtMs);
}

const NOTHING: BucketCounters = sumCounters([]);
const REPLAY: BucketCounters = { ...NOTHING, replays: 1 };
const TEST: BucketCounters = { ...NOTHING, tests: 1 };

function countAccepted(row: AcceptedRow): BucketCounters {
  const { body } = row;
  if (row.replayOf !== undefined) return REPLAY;
  if (isTestBody(body)) return TEST;
  const name = canonicalEventName(body.event_name);
  const bot = body.internal?.bot === true;
  return {
    ...NOTHING,
    ...(bot ? { bots: 1 } : { events: 1 }),
    bySource: bot ? {} : { [sourceOf(row)]: 1 },
    byName: bot ? {} : { [name]: 1 },
  };
}

function countNormalized(row: NormalizedRow, input: FoldInput): BucketCounters {
  const counters = countEvents([row]);
  return row.event.bot === true || isReplay(row) ? counters : { ...counters, ...countDeliveries(row, input) };
}

function countDeliveries(
  row: NormalizedRow,
  input: FoldInput,
): Pick<BucketCounters, 'deliveries' | 'latency' | 'later' | 'codes' | 'versions' | 'connections'> {
  const deliveries: Record<string, Record<string, Record<string, number>>> = {};
  const later: Record<string, LaterWords> = {};
  const codes: Record<string, Record<string, number>> = {};
  const latency = { count: 0, sumMs: 0 };
  const verdicts = verdictsOf(row, input.platforms);
  for (const [slug, verdict] of Object.entries(verdicts)) {
    const delivery = worstDeliveryAt(row, slug);
    const { word, later: said } = fateOf(verdict.code, delivery);
    deliveries[slug] = { [row.event.name]: { [word]: 1 } };
    if (delivery?.state === 'DELIVERED') {
      latency.count += 1;
      latency.sumMs += latencyOf(delivery, row.receivedAtMs);
    }
    if (said !== undefined) later[slug] = said;
    const code = verdict.code === 'pending' ? countedCode(delivery) : undefined;
    if (code !== undefined) codes[slug] = { [code]: 1 };
  }
  return {
    deliveries,
    latency,
    ...(Object.keys(later).length === 0 ? {} : { later }),
    ...(Object.keys(codes).length === 0 ? {} : { codes }),
    versions: { [row.routingVersion]: 1 },
    ...(Object.keys(row.verdicts).some(isFurther)
      ? { connections: countPlaces(row, (place) => Object.hasOwn(verdicts, platformOf(place))) }
      : {}),
  };
}

/** Each place by itself. */
function countPlaces(
  { verdicts, deliveries, routingVersion, event }: NormalizedRow,
  isWanted: (place: string) => boolean,
): ByConnection {
  const places = Object.keys(verdicts).filter(isWanted);
  return Object.fromEntries(
    places.map((place) => {
      const { word, ...later } = fateOf(parseVerdict(verdicts[place]).code, deliveries[place]);
      return [
        connectionKey(place, routingVersion),
        { deliveries: { [event.name]: { [word]: 1 } }, ...later },
      ];
    }),
  );
}

/** What it is counted as, and what its platform said later. */
function fateOf(
  code: Verdict['code'],
  delivery: Delivery | undefined,
): { readonly word: string; readonly later?: LaterWords } {
  const word = code === 'pending' ? (delivery?.state ?? 'QUEUED') : code;
  const said = delivery === undefined ? [] : laterWords(delivery);
  return { word, ...(said.length === 0 ? {} : { later: Object.fromEntries(said) }) };
}
