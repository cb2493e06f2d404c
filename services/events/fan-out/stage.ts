// normalized → one pointer per platform that is to have the event.
// Guarantees: writes nothing, unless a platform was taken out of the code while its deliveries were open, or a browser
// event has waited for its server copy.

import type { BatchResult, Received } from '../../../lib/core/ports/queue.ts';
import {
  hasUnattempted,
  isSettled,
  nextDueMs,
  targetsOf,
} from '../../../lib/events/domain/delivery-progress.ts';
import { endWithout, lease } from '../../../lib/events/domain/delivery-transition.ts';
import { grouped, keysOf, POINTERS_MAX, packPointers } from '../../../lib/events/domain/pointer.ts';
import { DELIVERY_MESSAGES_MAX } from '../../../lib/events/domain/topology.ts';
import { withdraw } from '../../../lib/events/pipeline/recovery/withdraw.ts';
import { isServerCopy, SERVER_COPY, yieldToServer } from '../../../lib/events/pipeline/server-copies.ts';
import type { EventKey, NormalizedRow } from '../../../lib/events/ports/event-store.ts';
import { fanOutRow } from './decide.ts';
import type { NormalizedMessage } from './message.ts';
import type { FanOutPorts } from './ports.ts';

export type FanOutStage = (messages: readonly Received<NormalizedMessage>[]) => Promise<BatchResult>;

export function createFanOutStage(ports: FanOutPorts): FanOutStage {
  return async (messages) => {
    // platform → rows, those nobody can have sent before apart from the others.
    const first = new Map<string, EventKey[]>();
    const again = new Map<string, EventKey[]>();
    for (const message of messages) {
      const { body } = message;
      const target = body.first === true && message.receiveCount === 1 ? first : again;
      const unattempted = body.first === true || body.unattempted === true;
      const rows = await readRows(keysOf(body), ports);
      for (const row of target === first ? rows : await releaseHeld(rows, ports)) {
        const isReleased = row.heldUntilMs !== undefined;
        const { send, gone } = fanOutRow(row, ports.platforms, unattempted || isReleased, ports.clock.now());
        for (const slug of send) add(isReleased ? first : target, slug, row.key);
        for (const slug of gone) await withdraw(row, slug, ports);
      }
    }
    // Where it is not known whether they arrived, they are sent again as pointers that may have been seen before.
    await send(first, 'first', ports).catch(() => send(first, undefined, ports));
    await send(again, undefined, ports);
    return { failedIndexes: [] };
  };
}

/** Its rows are normalized: one that does not look so yet is asked for again. */
async function readRows(keys: readonly EventKey[], ports: FanOutPorts): Promise<readonly NormalizedRow[]> {
  const isNormalized = (row: { readonly state: string }): row is NormalizedRow => row.state === 'normalized';
  const rows = (await ports.events.readMany(keys, 'eventual')).filter(isNormalized);
  if (rows.length === keys.length) return rows;
  return (await ports.events.readMany(keys)).filter(isNormalized);
}

/**
 * The rows to look at further. A browser event that waited for its server copy yields to it, or is released: after that
 * write nobody can have sent it before, and the message that follows says so. A server event that is not seen after the
 * write sees that the row was released (`decideBesideCopy`).
 */
async function releaseHeld(
  rows: readonly NormalizedRow[],
  ports: FanOutPorts,
): Promise<readonly NormalizedRow[]> {
  const nowMs = ports.clock.now();
  const isWaiting = (row: NormalizedRow): boolean => (row.heldUntilMs ?? 0) > nowMs;
  const isUntouched = (row: NormalizedRow): boolean =>
    row.heldUntilMs !== undefined ||
    (row.key.channel === 'browser' && Object.keys(row.deliveries).length === 0 && hasUnattempted(row));
  const unsent = rows.filter((row) => !isWaiting(row) && isUntouched(row));
  const copies = await serverCopies(unsent, ports);
  const released: NormalizedRow[] = [];
  const done = new Set<NormalizedRow>();
  for (const row of unsent) {
    const isCopy = copies.has(row.ingestId);
    if (row.heldUntilMs === undefined ? isCopy : true) done.add(row);
    // A conflict means that somebody else wrote: the row's slot or due time brings it up again.
    if (isCopy && row.heldUntilMs !== undefined) await ports.events.withdraw(row, yieldToServer(row));
    else if (isCopy) await skipCopy(row, ports);
    else if (row.heldUntilMs !== undefined && (await ports.events.release(row))) released.push(row);
  }
  const late = await serverCopies(released, ports);
  for (const row of released)
    if (late.has(row.ingestId)) await skipCopy(withoutWait(row), ports);
    else done.delete(row);
  return rows.filter((row) => !isWaiting(row) && !done.has(row));
}

/** Ingest ids of the rows that have a server copy. */
async function serverCopies(
  rows: readonly NormalizedRow[],
  ports: FanOutPorts,
): Promise<ReadonlySet<string>> {
  if (rows.length === 0) return new Set();
  const servers = await ports.events.readMany(rows.map(({ key }) => ({ ...key, channel: 'server' })));
  const byId = new Map(servers.map((row) => [`${row.key.merchantId}/${row.key.eventId}`, row]));
  const isCopy = (row: NormalizedRow): boolean => {
    const server = byId.get(`${row.key.merchantId}/${row.key.eventId}`);
    return server !== undefined && isServerCopy(server, row);
  };
  return new Set(rows.filter(isCopy).map((row) => row.ingestId));
}

/** One that was released may be under way, whoever lost its message: that is recorded with its end. */
async function skipCopy(row: NormalizedRow, ports: FanOutPorts): Promise<void> {
  let current: NormalizedRow | null = row;
  for (const slug of targetsOf(row)) {
    if (current === null) return;
    const delivery = endWithout(
      lease(undefined, ports.clock.now(), true),
      'SKIPPED',
      SERVER_COPY,
      ports.clock.now(),
    );
    const after: NormalizedRow = { ...current, deliveries: { ...current.deliveries, [slug]: delivery } };
    const patch = { platform: slug, delivery, dueAtMs: nextDueMs(after), forget: isSettled(after) };
    current = await ports.events.putDelivery(current, patch);
  }
}

function withoutWait({ heldUntilMs: _held, dueAtMs: _due, ...row }: NormalizedRow): NormalizedRow {
  return row;
}

async function send(
  byPlatform: ReadonlyMap<string, readonly EventKey[]>,
  mark: 'first' | undefined,
  ports: FanOutPorts,
): Promise<void> {
  await Promise.all(
    [...byPlatform].map(async ([platform, keys]) => {
      const bodies = packPointers(keys, mark, rowsMaxFor(platform, ports));
      await ports.deliveries(platform).send(grouped(bodies.map((body) => ({ ...body, platform }))));
    }),
  );
}

/** So many that the messages of one invocation fill a request to the platform, and no more: a message is one retry. */
function rowsMaxFor(platform: string, { platforms }: FanOutPorts): number {
  const batchSizeMax = platforms.find(({ slug }) => slug === platform)?.limits.batchSizeMax ?? 0;
  return Math.max(POINTERS_MAX, Math.ceil(batchSizeMax / DELIVERY_MESSAGES_MAX));
}

function add(map: Map<string, EventKey[]>, slug: string, key: EventKey): void {
  const keys = map.get(slug);
  if (keys === undefined) map.set(slug, [key]);
  else keys.push(key);
}
