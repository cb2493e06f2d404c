// accepted → normalized: identifiers are hashed once, plain personal data leaves the row.
// Guarantees: one effect per acceptance, however often its pointer arrives; a row that fails fails alone.
import { inParallel } from '../../../lib/adapters/concurrency/in-parallel.ts';
import type { BatchResult, Received } from '../../../lib/core/ports/queue.ts';
import type { Merchant } from '../../../lib/core/tenancy/merchant.ts';
import type { RoutingSnapshot } from '../../../lib/events/domain/connection.ts';
import { grouped, keysOf, POINTERS_MAX, packPointers } from '../../../lib/events/domain/pointer.ts';
import { normalizeEvent } from '../../../lib/events/pipeline/normalize-event.ts';
import { decideBesideCopy } from '../../../lib/events/pipeline/server-copies.ts';
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
    const copies = await readCopies(accepted, ports);
    // Before the commit: a pointer received again finds the row normalized and says nothing of it.
    await refreshBrowserCopies(accepted, copies, ports);
    const routings = await currentRoutings(accepted, ports);

    const committed: EventKey[] = [];
    const failed = new Set<string>();
    await inParallel(accepted, CONCURRENCY, async (row) => {
      const routing = routings.get(row.key.merchantId);
      try {
        if (routing === undefined) return;
        const normalized = await toNormalized(row, routing, copies.get(otherId(row.key)), ports);
        const isMine = await ports.events.normalize(normalized);
        // One that waits for its server copy is found by its due time.
        if (isMine && normalized.heldUntilMs === undefined) committed.push(row.key);
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
  copy: EventRow | undefined,
  ports: NormalizePorts,
): Promise<NormalizedRow> {
  const decided = normalizeEvent(row, routing, ports.platforms, ports.lookups);
  const nowMs = ports.clock.now();
  const merchant = await openMerchant(row.key.merchantId, ports);
  if (merchant !== null && row.key.channel === 'server')
    await ports.config.addServerEventName(row.key.merchantId, decided.event.name, nowMs);
  const { event, verdicts, keep, heldUntilMs } = decideBesideCopy(row, decided, copy, merchant, nowMs);
  const sealed =
    Object.keys(keep).length === 0
      ? undefined
      : await ports.vault.seal(row.key.merchantId, row.ingestId, JSON.stringify(keep));
  const { body: _body, ...base } = row;
  return {
    ...base,
    state: 'normalized',
    event: sealed === undefined ? event : { ...event, sealed },
    routingVersion: routing.version,
    verdicts,
    deliveries: {},
    revision: 0,
    sweeps: 0,
    ...(heldUntilMs === undefined ? {} : { heldUntilMs, dueAtMs: heldUntilMs }),
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

/** The merchant, if browsers may send it events: only then can an event have a copy that came the other way. */
async function openMerchant(merchantId: string, ports: NormalizePorts): Promise<Merchant | null> {
  const merchant = await ports.config.merchant(merchantId);
  return merchant?.browserIngestion.enabled === true ? merchant : null;
}

/** What came the other way under the same ids. Read strongly: of two copies at least one must see the other. */
async function readCopies(
  accepted: readonly AcceptedRow[],
  ports: NormalizePorts,
): Promise<ReadonlyMap<string, EventRow>> {
  const wanted: EventKey[] = [];
  for (const { key } of accepted) {
    const isBrowser = key.channel === 'browser';
    if (!isBrowser && (await openMerchant(key.merchantId, ports)) === null) continue;
    wanted.push({ ...key, channel: isBrowser ? 'server' : 'browser' });
  }
  const copies = new Map<string, EventRow>();
  for (let at = 0; at < wanted.length; at += POINTERS_MAX)
    for (const row of await ports.events.readMany(wanted.slice(at, at + POINTERS_MAX)))
      copies.set(idOf(row.key), row);
  return copies;
}

/** A server event takes its browser copy out of the counts, which may stand in another minute's slot. */
async function refreshBrowserCopies(
  accepted: readonly AcceptedRow[],
  copies: ReadonlyMap<string, EventRow>,
  ports: NormalizePorts,
): Promise<void> {
  const browser = accepted.flatMap((server) => {
    if (server.key.channel !== 'server') return [];
    const copy = copies.get(otherId(server.key));
    const isCopy = copy !== undefined && Math.abs(server.receivedAtMs - copy.receivedAtMs) < DAY_MS;
    return isCopy ? [slotOf(copy)] : [];
  });
  if (browser.length === 0) return;
  await ports.slots.markDue(browser);
  await requestCounterRefresh(browser, ports, 0);
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

const otherId = (key: EventKey): string =>
  idOf({ ...key, channel: key.channel === 'server' ? 'browser' : 'server' });

const idOf = (key: EventKey): string => `${key.merchantId}/${key.channel}/${key.eventId}`;
