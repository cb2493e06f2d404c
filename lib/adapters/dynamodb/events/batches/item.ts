// The items of a batch: one manifest, and one item per platform with the outcomes of its rows.
//   pk  <merchant>#<UTC day, base 36>#<shard, base 36>   sk  <minute of the day, 4 digits>#<batch>[#<platform>]
//   both:      expires  seconds: deleted by DynamoDB some day after it (row-expiry.ts)
//   manifest:  m  version of the routing, kinds of rows, event ids, counters; packed
//              i  ingest ids by position, 12 bytes each: milliseconds of the minute, and what a UUIDv7 has of its own
//   outcomes:  v  version   g  groups of positions and their delivery; packed   sw  sweeps
//              dp <shard>  da <digest of merchant>[:<platform, if some are parked>]|<due, base 36>   index due (sparse)
import { DAY_MS, MINUTE_MS } from '#lib/core/work/time-slot.ts';
import { channelOf, letterOf } from '#lib/events/domain/analytics/channel-letter.ts';
import {
  BATCH_ROWS_MAX,
  type BatchKey,
  type BatchOutcomes,
  type Manifest,
  type ManifestRow,
} from '#lib/events/domain/deliveries/batch.ts';
import { parkedIn } from '#lib/events/domain/deliveries/batch-outcomes.ts';
import { itemExpirySec, type Keeping } from '#lib/events/domain/event/row-expiry.ts';
import { bucketMsOf, isSparse } from '#lib/events/domain/shard.ts';
import { BATCH_DUE_SHARDS, type OutcomesKey } from '#lib/events/ports/batch-store.ts';
import type { Item } from '../../core/items/commands.ts';
import { dueEntry, parseDue } from '../../core/items/due-index.ts';
import { must } from '../../core/items/unreadable.ts';
import { packDelivery, unpackDelivery } from '../delivery-codec.ts';
import { checkDelivery } from '../rows/decoder.ts';
import { isCounters, packManifest, packShared, unpackManifest, unpackShared } from '../rows/event-codec.ts';

const SORT_KEY = /^(\d{4})#([\w-]{8})(?:#(.+))?$/s;
/** Of an ingest id behind its time. */
const RANDOM_BYTES = 10;
/** With its time in the bucket: 16 bits hold a minute's milliseconds, 24 those of ten. */
const ingestBytes = ({ shard }: Pick<BatchKey, 'shard'>): number =>
  RANDOM_BYTES + (isSparse({ shard }) ? 3 : 2);

export const minutePartition = ({ merchantId, minuteMs, shard }: Omit<BatchKey, 'id'>): string =>
  `${merchantId}#${Math.floor(minuteMs / DAY_MS).toString(36)}#${shard.toString(36)}`;

/** The common prefix of the sort keys of a minute. */
export const minutePrefix = ({ minuteMs }: Pick<BatchKey, 'minuteMs'>): string =>
  `${String(Math.floor((minuteMs % DAY_MS) / MINUTE_MS)).padStart(4, '0')}#`;

/** Without a platform: the manifest's. */
export function batchItemKey(batch: BatchKey, platform?: string): { pk: string; sk: string } {
  const sk = minutePrefix(batch) + batch.id;
  return { pk: minutePartition(batch), sk: platform === undefined ? sk : `${sk}#${platform}` };
}

/** Null for a key that this code did not write. A merchant's id may have any character. */
export function parseBatchItemKey({ pk, sk }: Item): { batch: BatchKey; platform?: string } | null {
  const [, minute = '', id = '', platform] = SORT_KEY.exec(String(sk)) ?? [];
  const [, merchantId = '', day = '', shard = ''] = /^(.*)#([0-9a-z]+)#([0-9a-z]+)$/s.exec(String(pk)) ?? [];
  if (id === '' || day === '') return null;
  const minuteMs = Number.parseInt(day, 36) * DAY_MS + Number(minute) * MINUTE_MS;
  const batch = { merchantId, minuteMs, shard: Number.parseInt(shard, 36), id };
  return { batch, ...(platform === undefined ? {} : { platform }) };
}

/** One row kind in `k`: the letter of its channel, the event's name, its target platforms. */
type Kind = readonly [channel: string, name: string, targets: readonly string[]];

interface PackedManifest {
  readonly v: number;
  /** Rows differ in little but their ids: each kind is written once. */
  readonly k: readonly Kind[];
  readonly r: readonly (readonly [eventId: string, kind: number, order?: string])[];
  readonly c: Manifest['counters'];
}

export function manifestItem(manifest: Manifest, keeping?: Keeping): Item {
  const { batch, rows } = manifest;
  if (rows.length > BATCH_ROWS_MAX) throw new RangeError(`a batch has ${BATCH_ROWS_MAX} rows at most`);
  const kinds = new Map<string, number>();
  const packed: PackedManifest['r'] = rows.map(({ eventId, order, ...row }) => {
    const text = JSON.stringify(kindOf(row));
    const kind = kinds.get(text) ?? kinds.size;
    kinds.set(text, kind);
    return order === undefined ? [eventId, kind] : [eventId, kind, order];
  });
  const k = [...kinds.keys()].map((text) => JSON.parse(text) as Kind);
  return {
    ...batchItemKey(batch),
    m: packManifest({
      v: manifest.routingVersion,
      k,
      r: packed,
      c: manifest.counters,
    } satisfies PackedManifest),
    i: Buffer.concat(rows.map(({ ingestId }) => packIngestId(ingestId, batch))),
    expires: expiryOf(batch, keeping),
  };
}

const kindOf = ({ channel, name, targets }: Pick<ManifestRow, 'channel' | 'name' | 'targets'>): Kind => [
  letterOf(channel),
  name,
  targets,
];

/** As for the last rows of its bucket. */
const expiryOf = ({ minuteMs, shard }: BatchKey, keeping: Keeping | undefined): number =>
  itemExpirySec(minuteMs + bucketMsOf(shard), keeping, 'batch');

/** Throws on an item of another shape. */
export function manifestFromItem(item: Item, batch: BatchKey): Manifest {
  const { v, k, r, c } = unpackManifest(item.m as Uint8Array) as PackedManifest;
  must(Number.isFinite(v) && Array.isArray(k) && Array.isArray(r), 'manifest');
  must(isCounters(c), 'counters');
  must(item.i instanceof Uint8Array && item.i.byteLength === r.length * ingestBytes(batch), 'ingest ids');
  const ids = Buffer.from(item.i as Uint8Array);
  const rows = r.map(([eventId, kindIndex, order], position): ManifestRow => {
    const [channel, name, targets] = k[kindIndex] ?? ['', '', []];
    must(
      [eventId, name].every((text) => typeof text === 'string' && text !== ''),
      'row',
    );
    must(Array.isArray(targets) && targets.every((slug) => typeof slug === 'string'), 'row');
    return {
      channel: channelOf(channel),
      eventId,
      ingestId: unpackIngestId(ids.subarray(position * ingestBytes(batch)), batch),
      name,
      targets,
      ...(order === undefined ? {} : { order }),
    };
  });
  return { batch, routingVersion: v, rows, counters: c };
}

/** A UUIDv7 begins with its milliseconds, whose bucket is known. */
function packIngestId(uuid: string, batch: BatchKey): Buffer {
  const hex = uuid.replaceAll('-', '');
  const offsetMs = Number.parseInt(hex.slice(0, 12), 16) - batch.minuteMs;
  const size = ingestBytes(batch);
  const bytes = Buffer.alloc(size);
  const isOurs = offsetMs >= 0 && offsetMs < bucketMsOf(batch.shard) && /^[0-9a-f]{32}$/.test(hex);
  if (!isOurs) throw new RangeError('a batch holds rows of its own bucket');
  bytes.writeUIntBE(offsetMs, 0, size - RANDOM_BYTES);
  bytes.write(hex.slice(12), size - RANDOM_BYTES, 'hex');
  return bytes;
}

function unpackIngestId(bytes: Buffer, batch: BatchKey): string {
  const size = ingestBytes(batch);
  const atMs = batch.minuteMs + bytes.readUIntBE(0, size - RANDOM_BYTES);
  const hex = atMs.toString(16).padStart(12, '0') + bytes.toString('hex', size - RANDOM_BYTES, size);
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** Times are relative to the minute's start. */
type PackedGroups = readonly (readonly [positions: string, delivery: string])[];

export function outcomesItem(outcomes: BatchOutcomes, keeping?: Keeping): Item {
  const { batch, platform, version, groups, sweeps, dueAtMs } = outcomes;
  const key = batchItemKey(batch, platform);
  const packed: PackedGroups = groups.map(({ positions, delivery }) => [
    packPositions(positions),
    packDelivery(delivery, batch.minuteMs),
  ]);
  return {
    ...key,
    v: version,
    g: packShared(packed),
    expires: expiryOf(batch, keeping),
    ...(sweeps === 0 ? {} : { sw: sweeps }),
    ...(dueAtMs === undefined ? {} : outcomesDueEntry({ batch, platform }, parkedIn(outcomes), dueAtMs)),
  };
}

/** `dp` and `da`: an item's entry in the due index. */
export function outcomesDueEntry(
  { batch, platform }: OutcomesKey,
  parkedFor: string | undefined,
  dueAtMs: number,
): { readonly dp: string; readonly da: string } {
  const { pk, sk } = batchItemKey(batch, platform);
  return dueEntry({ merchantId: batch.merchantId, parkedFor }, pk + sk, dueAtMs, BATCH_DUE_SHARDS);
}

/** Throws on an item of another shape. */
export function outcomesFromItem(item: Item, batch: BatchKey, platform: string): BatchOutcomes {
  const packed = unpackShared(item.g as Uint8Array) as PackedGroups;
  const version = Number(item.v);
  const sweeps = Number(item.sw ?? 0);
  must(Array.isArray(packed), 'groups');
  must([version, sweeps].every(Number.isFinite) && version > 0, 'numbers');
  const groups = packed.map(([positions, text]) => {
    const delivery = unpackDelivery(text, batch.minuteMs);
    checkDelivery(delivery);
    return { positions: unpackPositions(positions), delivery };
  });
  const all = groups.flatMap(({ positions }) => positions);
  must(new Set(all).size === all.length, 'groups');
  const due = parseDue(item.da);
  must(item.da === undefined || due !== null, 'due time');
  const dueAtMs = due === null ? {} : { dueAtMs: due.atMs };
  return { batch, platform, version, groups, sweeps, ...dueAtMs };
}

/** One bit per position, in hex. */
function packPositions(positions: readonly number[]): string {
  if (!positions.every((position) => position >= 0 && position < BATCH_ROWS_MAX))
    throw new RangeError(`a batch has ${BATCH_ROWS_MAX} rows at most`);
  return positions.reduce((bits, position) => bits | (1n << BigInt(position)), 0n).toString(16);
}

function unpackPositions(hex: string): readonly number[] {
  must(/^[0-9a-f]{1,25}$/.test(hex), 'positions');
  const bits = BigInt(`0x${hex}`);
  return Array.from({ length: BATCH_ROWS_MAX }, (_, position) => position).filter(
    (position) => ((bits >> BigInt(position)) & 1n) === 1n,
  );
}
