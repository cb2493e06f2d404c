// What was normalized a moment ago leaves at once, for all platforms side by side, by the invocation that would otherwise tell
// their queues. Guarantees: each row, manifest and routing is read once for all platforms; a platform or connection that does
// not look well is left to its queue untouched; nothing waits longer than the cutoff, and a request that is left behind at it
// is recorded as leased, so that another worker may send again later and says so.

import { remember } from '#lib/core/work/circuit.ts';
import { batchId, type Manifest } from '#lib/events/domain/deliveries/batch.ts';
import type { NormalizedRow, RowsRead } from '#lib/events/domain/event/row.ts';
import { askOnce } from '#lib/events/pipeline/ask-once.ts';
import type { OpenConnection } from '#lib/events/pipeline/connections/open-connection.ts';
import { rowId } from '#lib/events/pipeline/read-rows.ts';
import type { BatchItems, BatchStore } from '#lib/events/ports/batch-store.ts';
import type { ConnectionStore } from '#lib/events/ports/connection-store.ts';
import type { EventStore } from '#lib/events/ports/event-store.ts';
import type { SealedFor } from '#lib/events/ports/event-vault.ts';
import type { Breaker } from './circuit/breaker.ts';
import type { DeliverPorts } from './ports.ts';

/** No request starts later than this after the first could. One that starts has at least as long again for its answer. */
const START_MAX_MS = 1_000;
/** What has no answer by then is left behind. */
const CUTOFF_MS = 2_000;
/** For this long after a request to it was left behind, a platform gets everything through its queue. */
const SLOW_MS = 30_000;
/** Requests to a connection, in rounds of as many as run at once: what would take longer is left to the queue from the start. */
export const ROUNDS_MAX = 4;

/**
 * Deliveries of one invocation, over all platforms: 0.2 ms of CPU each (`npm run bench -- --only memory`), of which a function of
 * 512 MB has a second in 3.5.
 */
const DELIVERIES_MAX = 1_200;

/** What a caller has read. */
export interface Express {
  readonly rows: readonly NormalizedRow[];
  /** By `batchId`. */
  readonly manifests: ReadonlyMap<string, Manifest>;
}

/** One invocation's time. */
export interface ExpressTime {
  readonly startUntilMs: number;
  /** Of one connection. */
  readonly eventsMax: number;
  readonly cutoffAtMs: number;
  /** Resolves at the cutoff. */
  readonly cutoff: Promise<void>;
  /** A request to this platform was left behind. */
  readonly leftBehind: (platform: string) => void;
  readonly isSlow: (platform: string) => boolean;
}

/** `connections` share it. `slowUntilMs`: of the process, by slug. */
export function expressTime(
  { clock, pause }: Pick<DeliverPorts, 'clock' | 'pause'>,
  connections: number,
  slowUntilMs: Map<string, number>,
): ExpressTime {
  const startMs = clock.now();
  return {
    startUntilMs: startMs + START_MAX_MS,
    eventsMax: Math.max(1, Math.floor(DELIVERIES_MAX / connections)),
    cutoffAtMs: startMs + CUTOFF_MS,
    cutoff: pause(CUTOFF_MS),
    leftBehind: (platform) => remember(slowUntilMs, platform, clock.now() + SLOW_MS),
    isSlow: (platform) => (slowUntilMs.get(platform) ?? 0) > clock.now(),
  };
}

/** False: nothing is known to be wrong with others, so this one waits in its queue. */
export function looksWell(
  platform: string,
  open: OpenConnection | null,
  { breaker, time, nowMs }: { readonly breaker: Breaker; readonly time: ExpressTime; readonly nowMs: number },
): boolean {
  if (time.isSlow(platform)) return false;
  if (open === null) return true;
  const { connection } = open;
  return (
    connection.status === 'active' &&
    connection.circuit === undefined &&
    breaker.rest(connection.id, nowMs).waitMs === 0
  );
}

type Shared = Pick<DeliverPorts, 'events' | 'batches' | 'config' | 'eventVault'>;

/** The same ports: what one platform has asked for is there for the next. Of one invocation. */
export function shareReads<Ports extends Shared>(ports: Ports, { rows, manifests }: Express): Ports {
  return {
    ...ports,
    events: { ...ports.events, readMany: sharedRows(ports.events.readMany, rows) },
    batches: { ...ports.batches, ofBatch: knownBatch(ports.batches, manifests) },
    config: { ...ports.config, connection: sharedConnections(ports.config) },
    eventVault: { ...ports.eventVault, open: askOnce(ports.eventVault.open, openedBy) },
  };
}

const openedBy = ({ key, ingestId }: SealedFor): string => `${rowId(key)}/${ingestId}`;

/** Consistent reads are made each time. */
function sharedRows(
  readMany: EventStore['readMany'],
  known: readonly NormalizedRow[],
): EventStore['readMany'] {
  const reads = new Map<string, Promise<RowsRead>>(
    known.map((row) => [rowId(row.key), Promise.resolve({ rows: [row], unreadable: [] })]),
  );
  return async (keys, consistency) => {
    if (consistency !== 'eventual') return await readMany(keys, consistency);
    const missing = keys.filter((key) => !reads.has(rowId(key)));
    if (missing.length > 0) {
      const read = readMany(missing, consistency);
      for (const key of missing) reads.set(rowId(key), read);
    }
    const wanted = new Set(keys.map(rowId));
    const found = await Promise.all(new Set([...wanted].flatMap((id) => reads.get(id) ?? [])));
    return {
      rows: found.flatMap((read) => read.rows.filter(({ key }) => wanted.has(rowId(key)))),
      unreadable: found.flatMap((read) => read.unreadable.filter(({ key }) => wanted.has(rowId(key)))),
    };
  };
}

/**
 * Before the first request there are no outcomes. Where there are some all the same, because a queue delivered a first message
 * twice, the conditional write of the outcome sees them.
 */
function knownBatch(
  batches: Pick<BatchStore, 'ofBatch'>,
  manifests: ReadonlyMap<string, Manifest>,
): BatchStore['ofBatch'] {
  return async (key): Promise<BatchItems> => {
    const manifest = manifests.get(batchId(key.batch));
    if (manifest === undefined) return await batches.ofBatch(key);
    return { manifests: [manifest], outcomes: [], unreadable: [] };
  };
}

function sharedConnections({
  connectionsOf,
}: Pick<ConnectionStore, 'connectionsOf'>): ConnectionStore['connection'] {
  const readOnce = askOnce(connectionsOf, (merchantId) => merchantId);
  return async (merchantId, slot) => (await readOnce(merchantId))(slot);
}
