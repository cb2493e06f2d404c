// The browser's and the server's event of one id: which of them is sent, and under which id.
// Browser events need no credential, so they must not displace an event sent with an API key. A browser event of a name
// that the merchant also sends from servers is held for its server copy and yields to it. If a browser event with
// different content may have been sent under the id already, the server event is sent under an id that cannot be
// guessed. Exact without clocks: each of the two is stored before the other is read, so at least one of them sees the
// other.

import { PENDING, targetsOf } from '../domain/deliveries/progress.ts';
import { toDecimal } from '../domain/event/decimal.ts';
import { DEDUP_WINDOW_MS } from '../domain/event/dedup-window.ts';
import { canonicalEventName } from '../domain/event/names.ts';
import type { AcceptedRow, EventKey, EventRow, NormalizedRow, UnreadableRow } from '../domain/event/row.ts';
import type { Merchant } from '../domain/merchant.ts';
import type { Consistency, EventStore, Near } from '../ports/event-store.ts';
import type { NormalizeDecision } from './normalize-event.ts';
import { readable } from './read-rows.ts';

/** How long a browser event waits for its server copy, unless the merchant configured another time. */
export const SERVER_COPY_WAIT_SEC = 120;
/**
 * By then every process knows an added name: a profile is cached for half a minute and serves the batch it was read
 * for; that batch and the request for it take half a minute at most.
 */
const KNOWN_EVERYWHERE_MS = 120_000;

/**
 * The verdict of platforms that get the server event instead, and the reason why a delivery that may be in progress
 * ends.
 */
export const SERVER_COPY = 'server_copy';

export interface CopyDecision extends NormalizeDecision {
  /** The browser event waits for its server copy. */
  readonly heldUntilMs?: number;
}

/** True if the browser event is a copy of the server event: a day or more apart they are different events. */
export function isServerCopy(
  server: Pick<EventRow, 'receivedAtMs' | 'earlierMs'>,
  browser: Pick<EventRow, 'receivedAtMs'>,
): boolean {
  return [server.receivedAtMs, ...(server.earlierMs ?? [])].some(
    (atMs) => Math.abs(atMs - browser.receivedAtMs) < DEDUP_WINDOW_MS,
  );
}

type Id = Pick<EventKey, 'merchantId' | 'eventId'>;
type Found = EventRow | 'unreadable' | undefined;

/** Reads the server events of these ids. The answer gives one by its id; `unreadable` if it cannot be read. */
export async function readServerEvents(
  ids: readonly Id[],
  events: Pick<EventStore, 'readMany'>,
  consistency?: Consistency,
  near?: Near,
): Promise<(id: Id) => Found> {
  const idOf = ({ merchantId, eventId }: Id): string => `${merchantId}/${eventId}`;
  const keys = new Map(
    ids.map((id): [string, EventKey] => {
      const { merchantId, eventId } = id;
      return [idOf(id), { merchantId, channel: 'server', eventId }];
    }),
  );
  const found = new Map<string, EventRow | 'unreadable'>();
  for (const wanted of readable([...keys.values()])) {
    const { rows, unreadable } = await events.readMany(wanted, consistency, near);
    for (const row of rows) found.set(idOf(row.key), row);
    for (const { key } of unreadable) found.set(idOf(key), 'unreadable');
  }
  return (id) => found.get(idOf(id));
}

/** When copies of events that came at these times may have come. */
export function besides(times: readonly number[]): Near | undefined {
  if (times.length === 0) return undefined;
  const [first, last] = [Math.min(...times), Math.max(...times)];
  return { fromMs: first - DEDUP_WINDOW_MS, toMs: last + DEDUP_WINDOW_MS };
}

/** Likewise for each of these browser events: the server event of its id, where it is a copy of that. */
export async function readServerCopies(
  browser: readonly EventRow[],
  events: Pick<EventStore, 'readMany'>,
  consistency?: Consistency,
): Promise<(row: EventRow) => Found> {
  const ids = browser.map(({ key }) => key);
  const times = browser.map(({ receivedAtMs }) => receivedAtMs);
  const serverOf = await readServerEvents(ids, events, consistency, besides(times));
  return (row) => {
    const server = serverOf(row.key);
    return server === undefined || server === 'unreadable' || isServerCopy(server, row) ? server : undefined;
  };
}

/** Every platform that should have had the browser event gets the server event instead. */
export function yieldToServer({ verdicts }: Pick<NormalizedRow, 'verdicts'>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(verdicts).map(([slug, word]) => [slug, word === PENDING ? SERVER_COPY : word]),
  );
}

/**
 * `other`: the event of the same id from the other channel, read consistently after `row` was stored. If it cannot be
 * read, the worst case is assumed: a browser event with different content, or a server event to wait for.
 */
export function decideBesideCopy(
  row: AcceptedRow,
  decision: NormalizeDecision,
  other: EventRow | UnreadableRow | undefined,
  merchant: Merchant | null,
  nowMs: number,
): CopyDecision {
  if (row.key.channel === 'server') return decideServer(row, decision, other, merchant, nowMs);
  if (other !== undefined && 'problem' in other)
    throw new Error(`its server copy cannot be read: ${other.problem}`);
  return decideBrowser(row, decision, other, merchant);
}

function decideServer(
  row: AcceptedRow,
  decision: NormalizeDecision,
  browser: EventRow | UnreadableRow | undefined,
  merchant: Merchant | null,
  nowMs: number,
): CopyDecision {
  const { event } = decision;
  if (browser === undefined || row.body.internal?.dedup_id !== undefined) return decision;
  if (!('problem' in browser) && !mayDisplace(browser, decision, merchant, nowMs)) return decision;
  const issue = { field: 'event_id', code: 'browser_copy_differs' } as const;
  const issues = [...event.issues, issue];
  return { ...decision, event: { ...event, dedupId: row.ingestId, noOrderDedup: true, issues } };
}

function decideBrowser(
  row: AcceptedRow,
  decision: NormalizeDecision,
  server: EventRow | undefined,
  merchant: Merchant | null,
): CopyDecision {
  const { event, verdicts } = decision;
  if (server !== undefined && isServerCopy(server, row))
    return { ...decision, verdicts: yieldToServer({ verdicts }) };
  if (merchant === null || serverSinceMs(merchant, event.name) === undefined) return decision;
  const unconfirmed: CopyDecision = { ...decision, event: { ...event, noOrderDedup: true } };
  const waitSec = waitSecOf(merchant);
  if (waitSec === 0 || targetsOf({ verdicts }).length === 0) return unconfirmed;
  // Even if the wait is over: releasing the row reads the server event once more.
  return { ...unconfirmed, heldUntilMs: row.receivedAtMs + waitSec * 1000 };
}

const waitSecOf = (merchant: Merchant): number =>
  merchant.browserIngestion.serverCopyWaitSec ?? SERVER_COPY_WAIT_SEC;

function serverSinceMs({ serverEventNames = {} }: Merchant, name: string): number | undefined {
  return Object.hasOwn(serverEventNames, name) ? serverEventNames[name] : undefined;
}

/** True if the browser event may be sent under the id, or was, and platforms would then count different content. */
function mayDisplace(
  browser: EventRow,
  { event: server }: NormalizeDecision,
  merchant: Merchant | null,
  nowMs: number,
): boolean {
  // Its content under earlier uses of the id is in archived rows.
  if ((browser.earlierMs ?? []).length > 0) return true;
  if (willYield(browser, merchant, nowMs)) return false;
  const said = browser.state === 'accepted' ? saidByBody(browser) : browser.event;
  return (
    said.name !== server.name ||
    said.customName !== server.customName ||
    said.value !== server.value ||
    said.currency !== server.currency
  );
}

/** Nothing of it was sent, and before sending it the server event is read again. */
function willYield(browser: EventRow, merchant: Merchant | null, nowMs: number): boolean {
  if (browser.state === 'normalized')
    return browser.heldUntilMs !== undefined || targetsOf(browser).length === 0;
  if (browser.body.internal?.bot === true) return true;
  if (merchant === null || waitSecOf(merchant) === 0) return false;
  const sinceMs = serverSinceMs(merchant, canonicalEventName(browser.body.event_name));
  return sinceMs !== undefined && nowMs - sinceMs > KNOWN_EVERYWHERE_MS;
}

function saidByBody({ body }: AcceptedRow) {
  const name = canonicalEventName(body.event_name);
  return {
    name,
    customName: name === 'Custom' ? body.event_name.trim() : undefined,
    value: body.value === undefined ? undefined : toDecimal(body.value),
    currency: body.currency?.trim() || undefined,
  };
}
