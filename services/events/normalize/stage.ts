// accepted → normalized: identifiers are hashed once, and what is personal lies in the clear no more.
// Guarantees: one effect per acceptance, however often its pointer arrives; a row that fails fails alone.
import { inParallel } from '../../../lib/adapters/concurrency/in-parallel.ts';
import type { BatchResult, Received } from '../../../lib/core/ports/queue.ts';
import type { RoutingSnapshot } from '../../../lib/events/domain/connection.ts';
import { grouped, keysOf, POINTERS_MAX, packPointers } from '../../../lib/events/domain/pointer.ts';
import { normalizeEvent } from '../../../lib/events/pipeline/normalize-event.ts';
import { sealEvent } from '../../../lib/events/pipeline/sealed-event.ts';
import type {
  AcceptedRow,
  EventKey,
  EventRow,
  NormalizedRow,
} from '../../../lib/events/ports/event-store.ts';
import { counterRefreshes } from '../aggregate/message.ts';
import type { AcceptedMessage } from './message.ts';
import type { NormalizePorts } from './ports.ts';

export type NormalizeStage = (messages: readonly Received<AcceptedMessage>[]) => Promise<BatchResult>;

/** Rows committed side by side. */
const CONCURRENCY = 16;
const DAY_MS = 86_400_000;
/** Most deliveries have ended by then, so that one count sees them all. */
const COUNT_DELAY_SEC = 4;

export function createNormalizeStage(ports: NormalizePorts): NormalizeStage {
  return async (messages) => {
    const rows = await readRows(uniqueKeys(messages), ports);
    const accepted = rows.filter((row): row is AcceptedRow => row.state === 'accepted');
    // Before the commit: a pointer received again finds the row normalized and says nothing of it.
    await refreshBrowserCopies(accepted, ports);
    const routings = await currentRoutings(accepted, ports);

    const committed: EventKey[] = [];
    const failed = new Set<string>();
    await inParallel(accepted, CONCURRENCY, async (row) => {
      const routing = routings.get(row.key.merchantId);
      try {
        if (routing !== undefined && (await ports.events.normalize(await toNormalized(row, routing, ports))))
          committed.push(row.key);
      } catch (error) {
        failed.add(idOf(row.key));
        ports.report('a row could not be normalized', error);
      }
    });

    // Whoever dies between the commit and this leaves rows that their slot finds.
    await sendPointers(committed, ports);
    await requestCounterRefresh(accepted.map(slotOf), ports, COUNT_DELAY_SEC);
    return {
      failedIndexes: messages.flatMap((m, i) => (keysOf(m.body).some((k) => failed.has(idOf(k))) ? [i] : [])),
    };
  };
}

/** A row that is not to be seen yet was written a moment ago. */
async function readRows(keys: readonly EventKey[], ports: NormalizePorts): Promise<EventRow[]> {
  const rows: EventRow[] = [];
  for (let at = 0; at < keys.length; at += POINTERS_MAX) {
    const wanted = keys.slice(at, at + POINTERS_MAX);
    const found = await ports.events.readMany(wanted, 'eventual');
    const seen = new Set(found.map((row) => idOf(row.key)));
    const unseen = wanted.filter((key) => !seen.has(idOf(key)));
    rows.push(...found, ...(unseen.length === 0 ? [] : await ports.events.readMany(unseen)));
  }
  return rows;
}

async function toNormalized(
  row: AcceptedRow,
  routing: RoutingSnapshot,
  ports: NormalizePorts,
): Promise<NormalizedRow> {
  const { event, verdicts } = normalizeEvent(row, routing, ports.platforms, ports.lookups);
  const { body: _body, ...base } = row;
  return {
    ...base,
    state: 'normalized',
    event: await sealEvent(row, event, ports.eventVault),
    routingVersion: routing.version,
    verdicts,
    deliveries: {},
    revision: 0,
    sweeps: 0,
  };
}

/** Where it is not known whether they arrived, they are sent again as pointers that may have been seen before. */
async function sendPointers(keys: readonly EventKey[], ports: NormalizePorts): Promise<void> {
  if (keys.length === 0) return;
  const send = (mark: 'first' | 'unattempted') => ports.normalized.send(grouped(packPointers(keys, mark)));
  await send('first').catch(() => send('unattempted'));
}

async function requestCounterRefresh(
  rows: readonly { readonly merchantId: string; readonly receivedAtMs: number }[],
  ports: NormalizePorts,
  delaySec: number,
): Promise<void> {
  const hints = counterRefreshes(rows);
  if (hints.length === 0) return;
  await ports.counterRefresh.send(grouped(hints), { delaySec });
}

/**
 * A server event takes its browser copy out of the counts, which may stand in another minute's slot. One a day or more
 * apart is no copy of it.
 */
async function refreshBrowserCopies(accepted: readonly AcceptedRow[], ports: NormalizePorts): Promise<void> {
  const candidates = new Map<string, AcceptedRow>();
  for (const row of accepted) {
    if (row.key.channel !== 'server') continue;
    const merchant = await ports.config.merchant(row.key.merchantId);
    if (merchant?.browserIngestion.enabled === true)
      candidates.set(idOf({ ...row.key, channel: 'browser' }), row);
  }
  const keys = [...candidates.values()].map(({ key }): EventKey => ({ ...key, channel: 'browser' }));
  for (let at = 0; at < keys.length; at += POINTERS_MAX) {
    const twins = await ports.events.readMany(keys.slice(at, at + POINTERS_MAX), 'eventual');
    const copies = twins.filter(({ key, receivedAtMs }) => {
      const server = candidates.get(idOf(key));
      return server !== undefined && Math.abs(server.receivedAtMs - receivedAtMs) < DAY_MS;
    });
    await ports.slots.markDue(copies.map(slotOf));
    await requestCounterRefresh(copies.map(slotOf), ports, 0);
  }
}

async function currentRoutings(
  rows: readonly AcceptedRow[],
  ports: NormalizePorts,
): Promise<ReadonlyMap<string, RoutingSnapshot>> {
  const merchants = [...new Set(rows.map((row) => row.key.merchantId))];
  return new Map(
    await Promise.all(merchants.map(async (id) => [id, await ports.config.currentRouting(id)] as const)),
  );
}

function uniqueKeys(messages: readonly Received<AcceptedMessage>[]): EventKey[] {
  const keys = new Map<string, EventKey>();
  for (const message of messages) for (const key of keysOf(message.body)) keys.set(idOf(key), key);
  return [...keys.values()];
}

const slotOf = ({ key, receivedAtMs }: EventRow) => ({ merchantId: key.merchantId, receivedAtMs });

const idOf = (key: EventKey): string => `${key.merchantId}/${key.channel}/${key.eventId}`;
