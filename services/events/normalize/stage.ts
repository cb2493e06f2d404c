// accepted → normalized: identifiers are hashed once, and what is personal lies in the clear no more.
// Guarantees: one effect per acceptance, however often its pointer arrives; a row that fails fails alone, and so does a
// merchant whose configuration cannot be had.
import { inParallel } from '../../../lib/adapters/concurrency/in-parallel.ts';
import { type BatchResult, type Received, SendFailure } from '../../../lib/core/ports/queue.ts';
import type { Merchant } from '../../../lib/core/tenancy/merchant.ts';
import type { RoutingSnapshot } from '../../../lib/events/domain/connection.ts';
import { DEDUP_WINDOW_MS } from '../../../lib/events/domain/dedup-window.ts';
import type { AcceptedRow, EventKey, EventRow, NormalizedRow } from '../../../lib/events/domain/event-row.ts';
import { grouped, keysOf, POINTERS_MAX, packPointers } from '../../../lib/events/domain/pointer.ts';
import { normalizeEvent } from '../../../lib/events/pipeline/normalize-event.ts';
import { readRows, rowId } from '../../../lib/events/pipeline/read-rows.ts';
import { sealEvent } from '../../../lib/events/pipeline/sealed-event.ts';
import { decideBesideCopy } from '../../../lib/events/pipeline/server-copies.ts';
import { counterRefreshes } from '../aggregate/message.ts';
import type { AcceptedMessage } from './message.ts';
import type { NormalizePorts } from './ports.ts';

export type NormalizeStage = (messages: readonly Received<AcceptedMessage>[]) => Promise<BatchResult>;

/** Rows committed side by side. */
const CONCURRENCY = 16;
/** Most deliveries have ended by then, so that one count sees them all. */
const COUNT_DELAY_SEC = 4;

export function createNormalizeStage(ports: NormalizePorts): NormalizeStage {
  return async (messages) => {
    // What cannot be read was set aside by the store: its slot stays due, and nobody here waits for it.
    const { rows } = await readRows(
      messages.flatMap((message) => keysOf(message.body)),
      ports.events,
    );
    const failed = new Set<string>();
    const fail = (row: AcceptedRow, error: unknown): void => {
      failed.add(rowId(row.key));
      ports.report('a row could not be normalized', error);
    };
    const ready = await prepare(rows.filter(isAccepted), ports, fail);

    const committed: EventKey[] = [];
    await inParallel(ready, CONCURRENCY, async ({ row, routing, copy }) => {
      try {
        const normalized = await toNormalized(row, routing, copy, ports);
        const isMine = await ports.events.normalize(normalized);
        // One that waits for its server copy is found by its due time.
        if (isMine && normalized.heldUntilMs === undefined) committed.push(row.key);
      } catch (error) {
        fail(row, error);
      }
    });

    // Whoever dies between the commit and this leaves rows that their slot finds.
    await sendPointers(committed, ports);
    await requestCounterRefresh(
      ready.map(({ row }) => slotOf(row)),
      ports,
      COUNT_DELAY_SEC,
    );
    return {
      failedIndexes: messages.flatMap((m, i) =>
        keysOf(m.body).some((k) => failed.has(rowId(k))) ? [i] : [],
      ),
    };
  };
}

const isAccepted = (row: EventRow): row is AcceptedRow => row.state === 'accepted';

interface Ready {
  readonly row: AcceptedRow;
  readonly routing: RoutingSnapshot;
  /** What came the other way under the same id. */
  readonly copy: EventRow | undefined;
}

/** Rows with what their merchant configured. Where that cannot be had, all of this merchant's rows fail, and no other's. */
async function prepare(
  accepted: readonly AcceptedRow[],
  ports: NormalizePorts,
  fail: (row: AcceptedRow, error: unknown) => void,
): Promise<Ready[]> {
  const byMerchant = [...Map.groupBy(accepted, (row) => row.key.merchantId)];
  const prepared = await Promise.all(
    byMerchant.map(async ([merchantId, rows]): Promise<Ready[]> => {
      try {
        // Before the commit: a pointer received again finds the row normalized and says nothing of it.
        const unready = new Set<AcceptedRow>();
        const copies = await readCopies(merchantId, rows, ports, (row, error) => {
          unready.add(row);
          fail(row, error);
        });
        await refreshBrowserCopies(rows, copies, ports);
        const routing = await ports.config.currentRouting(merchantId);
        return rows
          .filter((row) => !unready.has(row))
          .map((row) => ({ row, routing, copy: copies.get(rowId(otherKey(row.key))) }));
      } catch (error) {
        for (const row of rows) fail(row, error);
        return [];
      }
    }),
  );
  return prepared.flat();
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
  const { event, verdicts, heldUntilMs } = decideBesideCopy(row, decided, copy, merchant, nowMs);
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
    ...(heldUntilMs === undefined ? {} : { heldUntilMs, dueAtMs: heldUntilMs }),
  };
}

/**
 * Where it is not known whether they arrived, they are sent again as pointers that may have been seen before. What is not
 * taken then either is told again when its slot is folded.
 */
async function sendPointers(keys: readonly EventKey[], ports: NormalizePorts): Promise<void> {
  if (keys.length === 0) return;
  const messages = grouped(packPointers(keys, 'first'));
  try {
    await ports.normalized.send(messages);
  } catch (error) {
    const again =
      error instanceof SendFailure ? error.failedIndexes.flatMap((i) => messages[i] ?? []) : messages;
    const unmarked = again.flatMap(({ body }) => grouped(packPointers(keysOf(body), 'unattempted')));
    await ports.normalized.send(unmarked).catch((second: unknown) => {
      ports.report('pointers to normalized rows were not sent', second);
    });
  }
}

/** A hint only: the slot is due as well. */
async function requestCounterRefresh(
  rows: readonly { readonly merchantId: string; readonly receivedAtMs: number }[],
  ports: NormalizePorts,
  delaySec: number,
): Promise<void> {
  const hints = counterRefreshes(rows);
  if (hints.length === 0) return;
  await ports.counterRefresh.send(grouped(hints), { delaySec }).catch((error: unknown) => {
    ports.report('a counter refresh was not sent', error);
  });
}

/** The merchant, if browsers may send it events: only then can an event have a copy that came the other way. */
async function openMerchant(merchantId: string, ports: NormalizePorts): Promise<Merchant | null> {
  const merchant = await ports.config.merchant(merchantId);
  return merchant?.browserIngestion.enabled === true ? merchant : null;
}

/**
 * What came the other way under the same ids. Read strongly: of two copies at least one must see the other. A copy that
 * cannot be read fails the browser event beside it, which may not go out unseen; a server event does not wait for it.
 */
async function readCopies(
  merchantId: string,
  accepted: readonly AcceptedRow[],
  ports: NormalizePorts,
  fail: (row: AcceptedRow, error: unknown) => void,
): Promise<ReadonlyMap<string, EventRow>> {
  const isOpen = (await openMerchant(merchantId, ports)) !== null;
  const wanted = accepted.filter(({ key }) => key.channel === 'browser' || isOpen);
  const copies = new Map<string, EventRow>();
  for (let at = 0; at < wanted.length; at += POINTERS_MAX) {
    const some = wanted.slice(at, at + POINTERS_MAX);
    const { rows, unreadable } = await ports.events.readMany(some.map(({ key }) => otherKey(key)));
    for (const row of rows) copies.set(rowId(row.key), row);
    for (const { key, problem } of unreadable)
      for (const row of some)
        if (row.key.channel === 'browser' && rowId(otherKey(row.key)) === rowId(key))
          fail(row, new Error(`its server copy cannot be read: ${problem}`));
  }
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
    const copy = copies.get(rowId(otherKey(server.key)));
    const isCopy = copy !== undefined && Math.abs(server.receivedAtMs - copy.receivedAtMs) < DEDUP_WINDOW_MS;
    return isCopy ? [slotOf(copy)] : [];
  });
  if (browser.length === 0) return;
  await ports.slots.markDue(browser);
  await requestCounterRefresh(browser, ports, 0);
}

const slotOf = ({ key, receivedAtMs }: EventRow) => ({ merchantId: key.merchantId, receivedAtMs });

const otherKey = (key: EventKey): EventKey => ({
  ...key,
  channel: key.channel === 'server' ? 'browser' : 'server',
});
