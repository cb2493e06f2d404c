// One event row as one DynamoDB item. Attribute names are short because they are paid for on every write.
//   pk  <merchant>#<s|b>#<event id>   sk  `~` live row, or the ingest id of an archived one
//   tp  <digest of merchant><UTC day, base 36>, with `~<k36>` behind it for rows of shard k > 0    ts <ingest id>  index by_time
//   dp  <due shard>  da <digest of merchant>[:<platforms it is parked for>]|<due, base 36>   index due (sparse)
//   st  A accepted | N normalized     ph  payload hash     (the time of receipt is the ingest id's own)
//   b   body, or clear part and verdicts, packed     se sealed part, ciphertext             rv routing version
//   ro  of a replay that is not normalized yet: its original, packed as bodies are
//   d   deliveries by platform, each one text        rn revision    sw sweeps
//   bt  place in a batch, whose items hold the deliveries then: <batch><position, 2 digits of base 36>
//   eb  id of the erasure that removed the person's data
//   rq  as its sender called the request: trace and span, 24 bytes, or an id of 16
//   er  earlier times of acceptance, milliseconds     hu held until, milliseconds (browser events that wait for a server copy)
//   expires  seconds: deleted by DynamoDB some day after it (row-expiry.ts)     kp 1 it stays, however old it is (kept-items.ts)
import { hash } from 'node:crypto';
import { DAY_MS } from '#lib/core/work/time-slot.ts';
import { channelOf, letterOf } from '#lib/events/domain/analytics/channel-letter.ts';
import { PENDING } from '#lib/events/domain/deliveries/progress.ts';
import { DEDUP_WINDOW_MS } from '#lib/events/domain/event/dedup-window.ts';
import type { EventBody } from '#lib/events/domain/event/event.ts';
import { ingestTimeMs } from '#lib/events/domain/event/ingest-id.ts';
import { KNOWN_FIELDS, type KnownField } from '#lib/events/domain/event/known-fields.ts';
import type { RequestNames } from '#lib/events/domain/event/request-names.ts';
import type {
  AcceptedRow,
  EventKey,
  EventRow,
  NormalizedRow,
  ReplayOrigin,
  StoredEvent,
} from '#lib/events/domain/event/row.ts';
import { expirySec, itemExpirySec, type Keeping } from '#lib/events/domain/event/row-expiry.ts';
import { parseShard, shardSuffix } from '#lib/events/domain/shard.ts';
import { DUE_SHARDS } from '#lib/events/ports/event-store.ts';
import { dueEntry, parseDue } from '../../core/items/due-index.ts';
import { packDelivery, unpackDelivery } from '../delivery-codec.ts';
import { packPlace, unpackPlace } from '../place-codec.ts';
import { packBody, packClear, unpackBody, unpackClear } from './event-codec.ts';

export type Item = Record<string, unknown>;

export const LIVE = '~';

export function partitionKey(key: EventKey): string {
  return `${key.merchantId}#${letterOf(key.channel)}#${key.eventId}`;
}

export function itemKey(key: EventKey): { pk: string; sk: string } {
  return { pk: partitionKey(key), sk: key.archivedAs ?? LIVE };
}

export function parseItemKey({ pk: pkValue, sk }: Item): EventKey {
  const pk = String(pkValue);
  const first = pk.indexOf('#');
  return {
    merchantId: pk.slice(0, first),
    channel: channelOf(pk.charAt(first + 1)),
    eventId: pk.slice(first + 3),
    ...(sk === LIVE ? {} : { archivedAs: String(sk) }),
  };
}

/**
 * Partition of the by_time index: a merchant's UTC day, or a shard of it. 96 bits of digest replace the merchant's id,
 * because every byte here is paid for twice.
 */
export function timePartition(merchantId: string, atMs: number, shard = 0): string {
  const digest = hash('sha256', merchantId, 'base64url').slice(0, 16);
  return digest + Math.floor(atMs / DAY_MS).toString(36) + shardSuffix('~', shard);
}

/** `dp` and `da`: a row's entry in the due index. */
export function rowDueEntry(
  key: EventKey,
  parkedFor: string | undefined,
  dueAtMs: number,
): { readonly dp: string; readonly da: string } {
  return dueEntry({ merchantId: key.merchantId, parkedFor }, partitionKey(key), dueAtMs, DUE_SHARDS);
}

export function toItem(row: EventRow, keeping?: Keeping): Item {
  return {
    ...itemKey(row.key),
    tp: timePartition(row.key.merchantId, row.receivedAtMs, row.shard),
    ts: row.ingestId,
    ph: Buffer.from(row.payloadHash, 'hex'),
    ...expiryOf(row, keeping),
    ...(row.earlierMs === undefined ? {} : { er: row.earlierMs }),
    ...(row.erasedBy && { eb: row.erasedBy }),
    ...(row.request && { rq: packNames(row.request) }),
    ...(row.state === 'accepted' ? acceptedItem(row) : normalizedItem(row)),
  };
}

const expiryOf = ({ kept, receivedAtMs }: EventRow, keeping: Keeping | undefined): Item =>
  kept === undefined
    ? { expires: itemExpirySec(receivedAtMs, keeping) }
    : { expires: expirySec(receivedAtMs, keeping?.retentionDays), kp: 1 };

function acceptedItem({ body, replayOf }: AcceptedRow): Item {
  return { st: 'A', b: packBody(body), ...(replayOf === undefined ? {} : { ro: packBody(replayOf) }) };
}

function normalizedItem(row: NormalizedRow): Item {
  return {
    ...normalizedAttributes(row),
    ...(row.sweeps === 0 ? {} : { sw: row.sweeps }),
    ...dueAttributes(row),
  };
}

/** When the sweep must look at the row again, and the time before which nothing of it may be sent. */
export function dueAttributes(row: NormalizedRow): Item {
  return {
    ...(row.heldUntilMs === undefined ? {} : { hu: row.heldUntilMs }),
    ...(row.dueAtMs === undefined ? {} : rowDueEntry(row.key, row.parkedFor, row.dueAtMs)),
  };
}

const TRACE_BYTES = 24;
const ID_BYTES = 16;

function packNames({ id, trace }: RequestNames): Uint8Array {
  return Buffer.from(trace === undefined ? id.replaceAll('-', '') : trace.traceId + trace.parentId, 'hex');
}

/** What is not as `packNames` writes it names no request. */
function namesIn(packed: unknown): { readonly request?: RequestNames } {
  if (!(packed instanceof Uint8Array)) return {};
  const hex = Buffer.from(packed).toString('hex');
  if (packed.byteLength === TRACE_BYTES)
    return { request: { trace: { traceId: hex.slice(0, 32), parentId: hex.slice(32) } } };
  if (packed.byteLength !== ID_BYTES) return {};
  return { request: { id: hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5') } };
}

/** Attributes that change when a row is normalized. */
export function normalizedAttributes(row: NormalizedRow): Item {
  const { sealed, ...event } = row.event;
  return {
    st: 'N',
    b: packEvent(event, row.verdicts, row.place !== undefined),
    rv: row.routingVersion,
    ...(row.revision === 0 ? {} : { rn: row.revision }),
    ...(row.place === undefined ? {} : { bt: packPlace(row.place, row) }),
    d: Object.fromEntries(
      Object.entries(row.deliveries).map(([slug, d]) => [slug, packDelivery(d, row.receivedAtMs)]),
    ),
    ...(sealed === undefined ? {} : { se: Buffer.from(sealed, 'base64') }),
  };
}

/**
 * `meta=pending,ga4=unmapped:Lead`; the most common verdict is left out. Texts are escaped, because a detail may be any
 * text.
 */
function packVerdicts(verdicts: Readonly<Record<string, string>>): string {
  return Object.entries(verdicts)
    .map(([slug, word]) => (word === PENDING ? slug : `${slug}=${encodeURIComponent(word)}`))
    .join(',');
}

function unpackVerdicts(text: string | undefined): Record<string, string> {
  if (text === undefined) return {};
  return Object.fromEntries(
    text.split(',').map((entry) => {
      const at = entry.indexOf('=');
      return at < 0 ? [entry, PENDING] : [entry.slice(0, at), decodeURIComponent(entry.slice(at + 1))];
    }),
  );
}

type OwnProperties = 'merchantId' | 'channel' | 'eventId' | 'dedupId' | 'receivedAtMs' | 'known' | 'sealed';
type PackedEvent = Omit<StoredEvent, OwnProperties> & {
  readonly dedupId?: string;
  readonly v?: string;
  /** Known fields, one bit each, in hex. */
  readonly k?: string;
};

/** Leaves out what the key and the row's own attributes already have. */
function packEvent(
  event: Omit<StoredEvent, 'sealed'>,
  verdicts: NormalizedRow['verdicts'],
  inBatch: boolean,
): Uint8Array {
  const { merchantId: _m, channel: _t, eventId, dedupId, receivedAtMs: _r, known, ...rest } = event;
  const packed: PackedEvent = {
    ...rest,
    ...(dedupId === eventId ? {} : { dedupId }),
    ...(Object.keys(verdicts).length === 0 ? {} : { v: packVerdicts(verdicts) }),
    ...(known.length === 0 ? {} : { k: packKnown(known) }),
  };
  return packClear(packed, inBatch);
}

function packKnown(known: readonly KnownField[]): string {
  return known.reduce((bits, field) => bits | (1 << KNOWN_FIELDS.indexOf(field)), 0).toString(16);
}

function unpackKnown(text: string): readonly KnownField[] {
  const bits = Number.parseInt(text, 16);
  return KNOWN_FIELDS.filter((_, i) => (bits & (1 << i)) !== 0);
}

function unpackEvent(
  packed: Uint8Array,
  key: EventKey,
  receivedAtMs: number,
  inBatch: boolean,
): { readonly event: Omit<StoredEvent, 'sealed'>; readonly verdicts: Record<string, string> } {
  const { v, k = '0', dedupId, ...rest } = unpackClear(packed, inBatch) as PackedEvent;
  const event = {
    ...rest,
    merchantId: key.merchantId,
    channel: key.channel,
    eventId: key.eventId,
    dedupId: dedupId ?? key.eventId,
    receivedAtMs,
    known: unpackKnown(k),
  };
  return { event, verdicts: unpackVerdicts(v) };
}

export function fromItem(item: Item): EventRow {
  const key = parseItemKey(item);
  const receivedAtMs = ingestTimeMs(String(item.ts));
  const shard = parseShard(String(item.tp).split('~')[1]);
  const base = {
    key,
    ingestId: String(item.ts),
    receivedAtMs,
    expiresAtMs: receivedAtMs + DEDUP_WINDOW_MS,
    payloadHash: Buffer.from(item.ph as Uint8Array).toString('hex'),
    ...(item.er === undefined ? {} : { earlierMs: item.er as number[] }),
    ...(item.eb ? { erasedBy: String(item.eb) } : {}),
    ...namesIn(item.rq),
    ...(shard === 0 ? {} : { shard }),
    ...(item.kp === undefined ? {} : { kept: true as const }),
  };
  if (item.st === 'A') {
    return {
      ...base,
      state: 'accepted',
      body: unpackBody(item.b as Uint8Array) as EventBody,
      ...(item.ro === undefined ? {} : { replayOf: unpackBody(item.ro as Uint8Array) as ReplayOrigin }),
    } satisfies AcceptedRow;
  }
  const place = item.bt === undefined ? undefined : unpackPlace(String(item.bt), base);
  const { event, verdicts } = unpackEvent(item.b as Uint8Array, key, receivedAtMs, place !== undefined);
  return {
    ...base,
    state: 'normalized',
    event: {
      ...event,
      ...(item.se === undefined ? {} : { sealed: Buffer.from(item.se as Uint8Array).toString('base64') }),
    },
    routingVersion: Number(item.rv),
    revision: Number(item.rn ?? 0),
    ...(place === undefined ? {} : { place }),
    deliveries: Object.fromEntries(
      Object.entries(item.d as Record<string, string>).map(([slug, d]) => [
        slug,
        unpackDelivery(d, receivedAtMs),
      ]),
    ),
    verdicts,
    sweeps: Number(item.sw ?? 0),
    ...dueOfItem(item.da),
    ...(item.hu === undefined ? {} : { heldUntilMs: Number(item.hu) }),
  } satisfies NormalizedRow;
}

/** Parses `da`; an unreadable entry is a defect of the row. */
function dueOfItem(da: unknown): Pick<NormalizedRow, 'dueAtMs' | 'parkedFor'> {
  if (da === undefined) return {};
  const due = parseDue(da);
  if (due === null) return { dueAtMs: Number.NaN };
  return { dueAtMs: due.atMs, ...(due.parkedFor === undefined ? {} : { parkedFor: due.parkedFor }) };
}
