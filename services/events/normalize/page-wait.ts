// An order that a server reports before the page does may wait for the page's copy. It waits as it was accepted: what
// is decided when it is normalized, its credit and verdicts among it, then sees the whole order.
// Guarantees: only such an order waits, at most as long as its merchant wants; a wait that cannot be arranged is not
// made; if the message that ends it is lost, its slot is due. What ends a wait says so, and the row keeps how long it was.
import { type EventBody, eventTimeSec } from '#lib/events/domain/event/event.ts';
import { canonicalEventName } from '#lib/events/domain/event/names.ts';
import type { NormalizedEvent, PageWait } from '#lib/events/domain/event/normalized-event.ts';
import type { AcceptedRow, EventKey, EventRow, UnreadableRow } from '#lib/events/domain/event/row.ts';
import { carriesClick } from '#lib/events/domain/identity/click-ids.ts';
import type { Merchant } from '#lib/events/domain/merchant.ts';
import { ACCEPTED_POINTERS_MAX, byTenant, keysOf, packPointers } from '#lib/events/domain/pointer.ts';
import { rowId } from '#lib/events/pipeline/read-rows.ts';
import type { AcceptedMessage } from './message.ts';
import type { NormalizePorts } from './ports.ts';

/** No page reports an order that happened longer ago than this: it was imported. */
const FRESH_MS = 300_000;

interface Read {
  readonly row: AcceptedRow;
  /** Null if browsers may not send it events. */
  readonly merchant: Merchant | null;
  readonly copy: EventRow | UnreadableRow | undefined;
}

type Ports = Pick<NormalizePorts, 'accepted' | 'clock' | 'report'>;

/** The rows to be normalized now. For the others a message comes when their wait ends, or their page's copy is here. */
export async function withoutWaiting<R extends Read>(
  read: readonly R[],
  ports: Ports,
): Promise<readonly R[]> {
  const nowMs = ports.clock.now();
  const waiting = new Map<number, AcceptedRow[]>();
  const awaited = new Map<string, EventKey>();
  for (const { row, merchant, copy } of read) {
    if (merchant === null) continue;
    if (copy === undefined) {
      const delaySec = waitSecOf(row, merchant, nowMs);
      if (delaySec === 0) continue;
      const alike = waiting.get(delaySec);
      if (alike === undefined) waiting.set(delaySec, [row]);
      else alike.push(row);
    } else if ('state' in copy && copy.state === 'accepted' && waitSecOf(copy, merchant, nowMs) > 0)
      awaited.set(rowId(copy.key), copy.key);
  }
  if (waiting.size + awaited.size === 0) return read;
  const put = [...waiting].map(async ([delaySec, rows]) => {
    try {
      await sendPointers(rows, ports, delaySec);
      return rows;
    } catch (error) {
      ports.report('an order could not wait for its page', error);
      return [];
    }
  });
  await sendPointers(
    [...awaited.values()].map((key) => ({ key })),
    ports,
  ).catch((error: unknown) => ports.report('an order waits to the end though its page reported it', error));
  const kept = new Set((await Promise.all(put)).flat());
  return read.filter(({ row }) => !kept.has(row));
}

async function sendPointers(
  rows: readonly Pick<AcceptedRow, 'key'>[],
  { accepted }: Ports,
  delaySec?: number,
): Promise<void> {
  const bodies = packPointers(
    rows.map(({ key }) => key),
    undefined,
    ACCEPTED_POINTERS_MAX,
  );
  if (bodies.length === 0) return;
  const marked = bodies.map((body) => ({ ...body, waited: true }));
  await accepted.send(byTenant(marked), delaySec === undefined ? {} : { delaySec });
}

/** Ids of rows that were let wait. One whose message was lost is late for another reason. */
export const waitedIds = (messages: readonly { readonly body: AcceptedMessage }[]): ReadonlySet<string> =>
  new Set(messages.flatMap(({ body }) => (body.waited === true ? keysOf(body).map(rowId) : [])));

/** Of a row that waited. `page`: what could complete it. A page's event that was there before is no reason to wait. */
export function pageWaitOf(
  { receivedAtMs }: AcceptedRow,
  page: EventRow | UnreadableRow | undefined,
  { fromPage }: Pick<NormalizedEvent, 'fromPage'>,
  nowMs: number,
): PageWait {
  const endMs = Math.max(0, nowMs - receivedAtMs);
  if (fromPage === undefined || page === undefined || 'problem' in page) return { endMs };
  const pageMs = page.receivedAtMs - receivedAtMs;
  return pageMs > 0 ? { endMs, pageMs } : { endMs };
}

/** Whole seconds that it has still to wait; 0: not at all. Clocks of two processes may differ: never more than the setting. */
function waitSecOf(row: AcceptedRow, { browserIngestion }: Merchant, nowMs: number): number {
  const { pageCopyWaitSec = 0 } = browserIngestion;
  if (pageCopyWaitSec === 0 || row.key.channel !== 'server' || !lacksPage(row)) return 0;
  const leftSec = Math.ceil((row.receivedAtMs - nowMs) / 1_000) + pageCopyWaitSec;
  return Math.max(0, Math.min(leftSec, pageCopyWaitSec));
}

/** A new order of a website without a click id and without the cookie of a browser, that may be completed. */
function lacksPage({ body, receivedAtMs, replayOf }: AcceptedRow): boolean {
  return (
    replayOf === undefined &&
    body.internal === undefined &&
    canonicalEventName(body.event_name) === 'Purchase' &&
    (body.action_source ?? 'website') === 'website' &&
    receivedAtMs - eventTimeSec(body.event_time) * 1_000 <= FRESH_MS &&
    mayBeCompleted(body) &&
    !body.user_data.browser_ids?.fbp &&
    !carriesClick(body)
  );
}

const mayBeCompleted = ({ consent = {} }: EventBody): boolean =>
  consent.ad_storage !== 'denied' && consent.ad_user_data !== 'denied';
