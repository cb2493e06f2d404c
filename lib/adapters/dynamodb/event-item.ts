// One event row as one DynamoDB item. Attribute names are short because they are paid for on every write.
//   pk  <merchant>#<s|b>#<event id>   sk  `~` live row, or the ingest id of an archived one
//   tp  <merchant>#<UTC day>  ts <ingest id>   index by_time      dp <shard>  da <due ms>   index due (sparse)
//   st  A accepted | N normalized     ii ingest id (archived rows keep it)   ra received ms   ph payload hash
//   b   body or event, packed         se sealed values, ciphertext           rv routing version
//   d   deliveries by platform        rn revision    sw sweeps               cv closed verdicts
import type { Attempt, Delivery, DeliveryState, OutcomeKind } from '../../domain/delivery.ts';
import type { EventBody } from '../../domain/event.ts';
import { dueShard } from '../../domain/due-shard.ts';
import type { AcceptedRow, EventKey, EventRow, NormalizedRow, StoredEvent } from '../../ports/event-store.ts';
import { DUE_SHARDS } from '../../ports/event-store.ts';
import { packJson, unpackJson } from './event-codec.ts';

export type Item = Record<string, unknown>;

export const LIVE = '~';
const DEDUP_WINDOW_MS = 86_400_000;

export function partitionKey(key: EventKey): string {
  return `${key.merchantId}#${key.trust === 'server' ? 's' : 'b'}#${key.eventId}`;
}

export function itemKey(key: EventKey): { pk: string; sk: string } {
  return { pk: partitionKey(key), sk: key.archivedAs ?? LIVE };
}

export function parseItemKey({ pk: pkValue, sk }: Item): EventKey {
  const pk = String(pkValue);
  const first = pk.indexOf('#');
  return {
    merchantId: pk.slice(0, first),
    trust: pk.charAt(first + 1) === 's' ? 'server' : 'browser',
    eventId: pk.slice(first + 3),
    ...(sk === LIVE ? {} : { archivedAs: String(sk) }),
  };
}

/** Partition of the by_time index: a merchant's UTC day. */
export function timePartition(merchantId: string, atMs: number): string {
  return `${merchantId}#${new Date(atMs).toISOString().slice(0, 10)}`;
}

export function duePartition(pk: string): string {
  return String(dueShard(pk, DUE_SHARDS));
}

export function toItem(row: EventRow): Item {
  const pk = partitionKey(row.key);
  return {
    ...itemKey(row.key),
    tp: timePartition(row.key.merchantId, row.receivedAtMs),
    ts: row.ingestId,
    ra: row.receivedAtMs,
    ph: Buffer.from(row.payloadHash, 'hex'),
    ...(row.sweeps === 0 ? {} : { sw: row.sweeps }),
    ...(row.dueAtMs === undefined ? {} : { dp: duePartition(pk), da: row.dueAtMs }),
    ...(row.state === 'accepted' ? { st: 'A', b: packJson(row.body) } : normalizedAttributes(row)),
  };
}

/** Attributes that change when a row is normalized. */
export function normalizedAttributes(row: NormalizedRow): Item {
  const { sealed, ...event } = row.event;
  return {
    st: 'N',
    b: packJson(eventJson(event)),
    rv: row.routingVersion,
    rn: row.revision,
    d: Object.fromEntries(Object.entries(row.deliveries).map(([slug, d]) => [slug, toDeliveryItem(d)])),
    ...(sealed === undefined ? {} : { se: Buffer.from(sealed, 'base64') }),
    ...(row.closedVerdicts === undefined ? {} : { cv: row.closedVerdicts }),
  };
}

/** What the key and the row's own attributes say already is not stored again. */
function eventJson(event: Omit<StoredEvent, 'sealed'>): Partial<StoredEvent> {
  const { merchantId: _m, trust: _t, eventId, dedupId, receivedAtMs: _r, ...rest } = event;
  return { ...rest, ...(dedupId === eventId ? {} : { dedupId }) };
}

export function fromItem(item: Item): EventRow {
  const key = parseItemKey(item);
  const receivedAtMs = Number(item['ra']);
  const base = {
    key,
    ingestId: String(item['ts']),
    receivedAtMs,
    expiresAtMs: receivedAtMs + DEDUP_WINDOW_MS,
    payloadHash: Buffer.from(item['ph'] as Uint8Array).toString('hex'),
    sweeps: Number(item['sw'] ?? 0),
    ...(item['da'] === undefined ? {} : { dueAtMs: Number(item['da']) }),
  };
  if (item['st'] === 'A') {
    return { ...base, state: 'accepted', body: unpackJson(item['b'] as Uint8Array) as EventBody } satisfies AcceptedRow;
  }
  const stored = unpackJson(item['b'] as Uint8Array) as Omit<
    StoredEvent,
    'merchantId' | 'trust' | 'eventId' | 'dedupId' | 'receivedAtMs'
  > & { dedupId?: string };
  return {
    ...base,
    state: 'normalized',
    event: {
      ...stored,
      merchantId: key.merchantId,
      trust: key.trust,
      eventId: key.eventId,
      dedupId: stored.dedupId ?? key.eventId,
      receivedAtMs,
      ...(item['se'] === undefined ? {} : { sealed: Buffer.from(item['se'] as Uint8Array).toString('base64') }),
    },
    routingVersion: Number(item['rv']),
    revision: Number(item['rn']),
    deliveries: Object.fromEntries(
      Object.entries(item['d'] as Record<string, DeliveryItem>).map(([slug, d]) => [slug, fromDeliveryItem(d)]),
    ),
    ...(item['cv'] === undefined ? {} : { closedVerdicts: item['cv'] as Record<string, string> }),
  } satisfies NormalizedRow;
}

const STATE_LETTERS: Readonly<Record<Delivery['state'], string>> = {
  SENDING: 'S',
  DELIVERED: 'D',
  RETRY: 'R',
  FAILED: 'F',
  ERROR: 'E',
  SKIPPED: 'K',
};
const STATES = new Map<string, Exclude<DeliveryState, 'QUEUED'>>(
  Object.entries(STATE_LETTERS).map(([state, letter]) => [letter, state as Delivery['state']]),
);

/** s state, n attempts, u unknowns, t updated, x next attempt or lease end, r reason, h attempts. */
interface DeliveryItem {
  s: string;
  n: number;
  u?: number;
  t: number;
  x?: number;
  r?: string;
  h?: AttemptItem[];
}
type AttemptItem = [atMs: number, latencyMs: number, kind: OutcomeKind, batch: number, ...rest: (number | string)[]];

export function toDeliveryItem(delivery: Delivery): DeliveryItem {
  const at = delivery.nextAttemptAtMs ?? delivery.leaseUntilMs;
  return {
    s: STATE_LETTERS[delivery.state],
    n: delivery.attempts,
    t: delivery.updatedAtMs,
    ...(delivery.unknowns === 0 ? {} : { u: delivery.unknowns }),
    ...(at === undefined ? {} : { x: at }),
    ...(delivery.reason === undefined ? {} : { r: delivery.reason }),
    ...(delivery.history.length === 0 ? {} : { h: delivery.history.map(toAttemptItem) }),
  };
}

function fromDeliveryItem(item: DeliveryItem): Delivery {
  const state = STATES.get(item.s);
  if (state === undefined) throw new Error(`unknown delivery state ${item.s}`);
  return {
    state,
    attempts: item.n,
    unknowns: item.u ?? 0,
    updatedAtMs: item.t,
    ...(state === 'DELIVERED' ? { deliveredAtMs: item.t } : {}),
    ...(state === 'RETRY' && item.x !== undefined ? { nextAttemptAtMs: item.x } : {}),
    ...(state === 'SENDING' && item.x !== undefined ? { leaseUntilMs: item.x } : {}),
    ...(item.r === undefined ? {} : { reason: item.r }),
    history: (item.h ?? []).map(fromAttemptItem),
  };
}

const toAttemptItem = (a: Attempt): AttemptItem => [
  a.atMs,
  a.latencyMs,
  a.outcome,
  a.batchSize,
  a.status ?? 0,
  ...(a.code === undefined && a.message === undefined ? [] : [a.code ?? '']),
  ...(a.message === undefined ? [] : [a.message]),
];

function fromAttemptItem([atMs, latencyMs, outcome, batchSize, status, code, message]: AttemptItem): Attempt {
  return {
    atMs,
    latencyMs,
    outcome,
    batchSize,
    ...(status === 0 || status === undefined ? {} : { status: Number(status) }),
    ...(code === undefined || code === '' ? {} : { code: String(code) }),
    ...(message === undefined ? {} : { message: String(message) }),
  };
}
