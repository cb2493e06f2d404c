// accepted → normalized: identifiers are hashed once, and personal data is no longer stored in the clear. Guarantees:
// one effect per acceptance, for any number of pointers; a failing row, or a merchant whose configuration cannot be
// read, does not affect others. Rows of one minute are committed as a batch.
import { inParallel } from '#lib/adapters/concurrency/in-parallel.ts';
import type { BatchResult, Received } from '#lib/core/ports/queue.ts';
import { withPersonalPolicy } from '#lib/events/domain/connections/connection.ts';
import { NO_PAYLOAD_HASH } from '#lib/events/domain/erasure/erased-row.ts';
import { DEDUP_WINDOW_MS } from '#lib/events/domain/event/dedup-window.ts';
import { canonicalEventName } from '#lib/events/domain/event/names.ts';
import { traceOfEvent } from '#lib/events/domain/event/request-names.ts';
import type {
  AcceptedRow,
  EventKey,
  EventRow,
  NormalizedRow,
  UnreadableRow,
} from '#lib/events/domain/event/row.ts';
import { isTestBody } from '#lib/events/domain/event/test-mode.ts';
import { type Merchant, retentionDaysOf } from '#lib/events/domain/merchant.ts';
import { suppressingOf } from '#lib/events/domain/people/suppression.ts';
import { keysOf, POINTERS_MAX } from '#lib/events/domain/pointer.ts';
import { RuleDefect } from '#lib/events/domain/rules/defect.ts';
import { type CreditOrders, createCreditOrders } from '#lib/events/pipeline/attribution/credit-orders.ts';
import { countedAt } from '#lib/events/pipeline/counting/due-buckets.ts';
import { createOrderReports, type OrderReports } from '#lib/events/pipeline/orders/order-reports.ts';
import { readRows, rowId } from '#lib/events/pipeline/read-rows.ts';
import { skippedRules } from '#lib/events/pipeline/rules/rule-set.ts';
import { sealEvent } from '#lib/events/pipeline/sealed-event.ts';
import { decideBesideCopy } from '#lib/events/pipeline/server-copies.ts';
import { requestCounterRefresh } from '../aggregate/message.ts';
import { commit } from './commit.ts';
import { createCountHints } from './count-hints.ts';
import type { AcceptedMessage } from './message.ts';
import { decideBesideOrder } from './orders.ts';
import { creditedEvent } from './page-copy.ts';
import { notePageOfOrder, pageOfOrder } from './page-of-order.ts';
import { pageWaitOf, waitedIds, withoutWaiting } from './page-wait.ts';
import type { NormalizePorts } from './ports.ts';
import { isReplayRow, normalizedReplay, normalizedTest } from './replays.ts';
import { settleEarlierOrders, settleServersOrder } from './settle-order.ts';
import { type Decisive, decideRow } from './suppression.ts';

export type NormalizeStage = (messages: readonly Received<AcceptedMessage>[]) => Promise<BatchResult>;

const CONCURRENCY = 16;
const TRACES_MAX = 4;

export function createNormalizeStage(ports: NormalizePorts): NormalizeStage {
  const creditOrders = createCreditOrders(ports);
  const orders = createOrderReports(ports);
  const hintOfCounts = createCountHints(ports);
  return async (messages) => {
    const startMs = ports.clock.now();
    // The store has set unreadable rows aside: their slot stays due, so they are not waited for here.
    const { rows } = await readRows(
      messages.flatMap((message) => keysOf(message.body)),
      ports.events,
    );
    const failed = new Set<string>();
    const fail = ({ key }: Pick<EventRow, 'key'>, error: unknown): void => {
      failed.add(rowId(key));
      ports.report('a row could not be normalized', error);
    };
    const ready = await withoutWaiting(await prepare(rows.filter(isAccepted), ports, fail), ports);
    const waited = waitedIds(messages);

    const normalize = async (each: Ready): Promise<NormalizedRow | null> => {
      try {
        return await toNormalized(each, ports, { creditOrders, orders, waited });
      } catch (error) {
        fail(each.row, error);
        return null;
      }
    };
    // Clicks are stored before the orders beside them look for clicks, and orders of pages before servers look for those.
    const {
      others = [],
      pages = [],
      servers = [],
    } = Object.groupBy(ready, ({ row }) =>
      isPurchase(row) ? (row.key.channel === 'browser' ? 'pages' : 'servers') : 'others',
    );
    const normalized: (NormalizedRow | null)[] = [];
    for (const some of [others, pages, servers])
      normalized.push(...(await inParallel(some, CONCURRENCY, normalize)));
    reportSkippedRules(ready, ports);
    await commit(
      normalized.filter((row) => row !== null),
      ports,
      fail,
    );
    await hintOfCounts(ready.map(({ row }) => countedAt(row)));
    ports.traced?.(
      ready.slice(0, TRACES_MAX).map(({ row }) => traceOfEvent(row)),
      ready.length,
      startMs,
    );
    if (failed.size === 0) return { failedIndexes: [] };
    return {
      failedIndexes: messages.flatMap((m, i) =>
        keysOf(m.body).some((k) => failed.has(rowId(k))) ? [i] : [],
      ),
    };
  };
}

const isPurchase = ({ body }: AcceptedRow): boolean => canonicalEventName(body.event_name) === 'Purchase';

const isAccepted = (row: EventRow): row is AcceptedRow => row.state === 'accepted';

interface Ready extends Decisive {
  readonly row: AcceptedRow;
  /** Null if browsers may not send it events. */
  readonly merchant: Merchant | null;
  /** Personal data, in days. */
  readonly keptDays: number;
  /** The row of the other channel with the same id. */
  readonly copy: EventRow | UnreadableRow | undefined;
}

/** Adds each merchant's configuration. If it cannot be read, only the rows of that merchant fail. */
async function prepare(
  accepted: readonly AcceptedRow[],
  ports: NormalizePorts,
  fail: (row: AcceptedRow, error: unknown) => void,
): Promise<Ready[]> {
  const byMerchant = [...Map.groupBy(accepted, (row) => row.key.merchantId)];
  const prepared = await Promise.all(
    byMerchant.map(async ([merchantId, rows]): Promise<Ready[]> => {
      try {
        // Before the commit: a repeated pointer finds the row normalized and would skip this.
        const profile = await ports.config.merchant(merchantId);
        const merchant = withBrowserEvents(profile);
        // A replay or a test has no copy: its id is its own.
        const wanted = rows.filter(
          ({ key, body }) =>
            body.internal?.replay !== true && (key.channel === 'browser' || merchant !== null),
        );
        const copies = await readCopies(wanted, ports);
        await refreshBrowserCopies(rows, copies, ports);
        const routing = withPersonalPolicy(await ports.config.currentRouting(merchantId), profile);
        const copyOf = ({ key }: AcceptedRow) =>
          copies.size === 0 ? undefined : copies.get(rowId(otherKey(key)));
        const allowedParameters = profile?.allowedParameters;
        const shared = {
          ...{ routing, merchant, allowedParameters, suppressing: suppressingOf(profile ?? {}) },
          keptDays: retentionDaysOf(profile ?? {}),
        };
        return rows.map((row) => ({ row, ...shared, copy: copyOf(row) }));
      } catch (error) {
        for (const row of rows) fail(row, error);
        return [];
      }
    }),
  );
  return prepared.flat();
}

interface Beside {
  readonly creditOrders: CreditOrders;
  readonly orders: OrderReports;
  /** Ids of rows that waited for their page. */
  readonly waited: ReadonlySet<string>;
}

async function toNormalized(
  { row, merchant, keptDays, copy, ...decisive }: Ready,
  ports: NormalizePorts,
  { creditOrders, orders, waited }: Beside,
): Promise<NormalizedRow> {
  if (isReplayRow(row)) return await normalizedReplay(row, decisive, ports);
  if (isTestBody(row.body)) return await normalizedTest(row, decisive, ports);
  const page = await pageOfOrder(row, copy, merchant, ports);
  const { decided, hasPerson, people } = await decideRow(row, page, decisive, ports);
  const nowMs = ports.clock.now();
  if (merchant !== null && row.key.channel === 'server')
    await ports.config.addServerEventName(row.key.merchantId, decided.event.name, nowMs);
  const beside = decideBesideCopy(row, decided, copy, merchant, nowMs);
  const credited = hasPerson ? await creditedEvent(row, beside.event, copy, ports) : beside.event;
  const credit = await creditOrders(credited, keptDays, people);
  if (hasPerson) {
    await settleServersOrder(row, beside.event, copy, ports);
    await settleEarlierOrders(credited, ports);
    await notePageOfOrder(beside.event, copy, { merchant, keptDays }, ports);
  }
  const { event, verdicts, heldUntilMs } = await decideBesideOrder(row, beside, credit, orders, ports);
  const wait = waited.has(rowId(row.key)) ? { pageWait: pageWaitOf(row, page, event, nowMs) } : {};
  const { body: _body, ...base } = row;
  return {
    ...base,
    ...(hasPerson ? {} : { payloadHash: NO_PAYLOAD_HASH }),
    state: 'normalized',
    event: await sealEvent(row, { ...event, ...wait }, ports.eventVault),
    routingVersion: decisive.routing.version,
    verdicts,
    deliveries: {},
    revision: 0,
    sweeps: 0,
    ...(heldUntilMs === undefined ? {} : { heldUntilMs, dueAtMs: heldUntilMs }),
  };
}

/** A rule that cannot be applied is skipped, so that no event is lost; an operator has to see it. */
function reportSkippedRules(ready: readonly Ready[], { report }: NormalizePorts): void {
  for (const { merchantId, rules } of new Set(ready.map(({ routing }) => routing)))
    for (const { id, problem } of skippedRules(rules))
      report('a rule was skipped', new RuleDefect(merchantId, id, problem));
}

/** The merchant, if it accepts browser events: only then can an event have a copy from the other channel. */
const withBrowserEvents = (merchant: Merchant | null): Merchant | null =>
  merchant?.browserIngestion.enabled === true ? merchant : null;

type Copies = ReadonlyMap<string, EventRow | UnreadableRow>;

/** Rows of the other channel with the same ids. Read consistently: of two copies at least one must see the other. */
async function readCopies(wanted: readonly AcceptedRow[], ports: NormalizePorts): Promise<Copies> {
  const copies = new Map<string, EventRow | UnreadableRow>();
  for (let at = 0; at < wanted.length; at += POINTERS_MAX) {
    const some = wanted.slice(at, at + POINTERS_MAX);
    const { rows, unreadable } = await ports.events.readMany(some.map(({ key }) => otherKey(key)));
    for (const row of [...rows, ...unreadable]) copies.set(rowId(row.key), row);
  }
  return copies;
}

/** A server event removes its browser copy from the counts, possibly in another minute's slot. */
async function refreshBrowserCopies(
  accepted: readonly AcceptedRow[],
  copies: Copies,
  ports: NormalizePorts,
): Promise<void> {
  if (copies.size === 0) return;
  const browser = accepted.flatMap((server) => {
    if (server.key.channel !== 'server') return [];
    const copy = copies.get(rowId(otherKey(server.key)));
    if (copy === undefined || 'problem' in copy) return [];
    const isCopy = Math.abs(server.receivedAtMs - copy.receivedAtMs) < DEDUP_WINDOW_MS;
    return isCopy ? [countedAt(copy)] : [];
  });
  if (browser.length === 0) return;
  await ports.slots.markDue(browser);
  await requestCounterRefresh(browser, ports);
}

const otherKey = (key: EventKey): EventKey => ({
  ...key,
  channel: key.channel === 'server' ? 'browser' : 'server',
});
