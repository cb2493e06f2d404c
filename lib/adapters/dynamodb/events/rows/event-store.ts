// The events table on DynamoDB. Every write is one conditional write to one item; reads by key are consistent unless
// the caller accepts less.

import type { Delivery } from '#lib/events/domain/deliveries/delivery.ts';
import { openTargets, parkedFor } from '#lib/events/domain/deliveries/progress.ts';
import { mayFollow } from '#lib/events/domain/deliveries/transition.ts';
import { NO_PAYLOAD_HASH } from '#lib/events/domain/erasure/erased-row.ts';
import type { NormalizedRow, UnreadableRow } from '#lib/events/domain/event/row.ts';
import { itemExpirySec, type Keeping } from '#lib/events/domain/event/row-expiry.ts';
import { DUE_SHARDS, type EventStore, type RowPatch, ThrottledWrite } from '#lib/events/ports/event-store.ts';
import { isThrottled } from '../../core/client.ts';
import {
  type Condition,
  type Db,
  getItem,
  IF_NEW,
  putItem,
  type Table,
  updatedItem,
  updateItem,
} from '../../core/items/commands.ts';
import { readItems } from '../../core/items/read-items.ts';
import { packDelivery } from '../delivery-codec.ts';
import { createDueQueries, putOffUnread } from '../due-index.ts';
import { type Expression, sameRow } from './conditions.ts';
import { decodeRow, decodeRows, type OnUnreadable } from './decoder.ts';
import {
  dueAttributes,
  type Item,
  itemKey,
  normalizedAttributes,
  parseItemKey,
  rowDueEntry,
  toItem,
} from './event-item.ts';
import { release, withdraw } from './held-rows.ts';
import { queryReceived } from './received.ts';

const READ_MANY_MAX = 100;

/**
 * `onUnreadable` is called for every row that could not be read, by any method.
 */
export function createEventStore(
  db: Db,
  table: string,
  onUnreadable: OnUnreadable = () => {},
  keeping: Keeping = {},
): EventStore {
  const events = { db, table };
  return {
    async claim(row) {
      return (await putRow(events, toItem(row, keeping), IF_NEW)) ? 'claimed' : 'exists';
    },

    async read(key) {
      const item = await getItem(events, itemKey(key));
      return item === undefined ? null : decodeRow(item, onUnreadable);
    },

    readMany: async (keys, consistency = 'strong') => {
      if (keys.length > READ_MANY_MAX) throw new RangeError(`readMany takes ${READ_MANY_MAX} keys at most`);
      const items = await readItems(db, table, keys.map(itemKey), consistency === 'strong');
      return decodeRows(items, onUnreadable);
    },

    async archive(row) {
      // Stays in the time index, so that its slot counts it.
      await putItem(events, toItem({ ...row, key: { ...row.key, archivedAs: row.ingestId } }, keeping));
    },

    replace: (row, expectedIngestId) =>
      putRow(events, toItem(row, keeping), {
        condition: 'ts = :expected',
        values: { ':expected': expectedIngestId },
      }),

    async normalize(row) {
      // Set here as well, for rows accepted by a release that did not set it.
      const expires = itemExpirySec(row.receivedAtMs, keeping);
      const set = Object.entries({
        ...normalizedAttributes(row),
        ...dueAttributes(row),
        ...payloadHashIfTaken(row),
        expires,
      });
      return await updateItem(events, itemKey(row.key), {
        update: `SET ${set.map((_, i) => `#s${i} = :s${i}`).join(', ')} REMOVE ro`,
        condition: 'ts = :ingest AND st = :accepted',
        names: Object.fromEntries(set.map(([name], i) => [`#s${i}`, name])),
        values: {
          ...Object.fromEntries(set.map(([, value], i) => [`:s${i}`, value])),
          ':ingest': row.ingestId,
          ':accepted': 'A',
        },
      });
    },

    putDelivery: async (seen, patch) => {
      const item = await putDelivery(events, seen, patch);
      return item === null ? null : (decodeRow(item, onUnreadable) as NormalizedRow);
    },

    reschedule: (seen, dueAtMs, sweeps) => reschedule(events, seen, dueAtMs, sweeps),

    deferUnreadable: (seen, dueAtMs) => deferUnreadable(events, seen, dueAtMs),

    release: (seen, event) => release(events, seen, event),

    withdraw: (seen, verdicts) => withdraw(events, seen, verdicts),

    ...createDueQueries(events, DUE_SHARDS, parseItemKey),

    received: (query) => queryReceived(events, query),
  };
}

/** As it was when the row was accepted, except where nothing is to lead back to its person. */
const payloadHashIfTaken = ({ payloadHash }: NormalizedRow): Item =>
  payloadHash === NO_PAYLOAD_HASH ? { ph: Buffer.from(payloadHash, 'hex') } : {};

/** For a row, whose shard may be throttled: the caller can then choose another shard. */
async function putRow(events: Table, item: Item, condition: Condition): Promise<boolean> {
  try {
    return await putItem(events, item, condition);
  } catch (error) {
    throw isThrottled(error) ? new ThrottledWrite('the row was not taken', { cause: error }) : error;
  }
}

async function putDelivery(events: Table, seen: NormalizedRow, patch: RowPatch): Promise<Item | null> {
  if (seen.place !== undefined)
    throw new RangeError('what becomes of a row of a batch is written to its batch');
  const written = { ...patch.also, [patch.platform]: patch.delivery };
  const changes = Object.entries(written).map(([slug, delivery], i) => ({
    slug,
    delivery,
    before: seen.deliveries[slug],
    name: `#p${i}`,
    value: `:p${i}`,
    was: `:w${i}`,
  }));
  for (const { before, delivery } of changes) if (!mayFollow(before, delivery)) return null;
  const deliveries = { ...seen.deliveries, ...written };
  const due = dueUpdate(seen, patch.dueAtMs, parkedFor({ ...seen, deliveries }), Object.keys(written));
  const same = sameRow(seen);
  const packed = (delivery: Delivery) => packDelivery(delivery, seen.receivedAtMs);
  const change = {
    update: clauses(
      [...changes.map(({ name, value }) => `d.${name} = ${value}`), ...due.set],
      [...due.remove, 'sw'],
    ),
    condition: [
      ...same.conditions,
      ...due.conditions,
      ...changes.map(({ before, name, was }) =>
        before === undefined ? `attribute_not_exists(d.${name})` : `d.${name} = ${was}`,
      ),
    ].join(' AND '),
    names: { ...Object.fromEntries(changes.map(({ name, slug }) => [name, slug])), ...due.names },
    values: {
      ...same.values,
      ...due.values,
      ...Object.fromEntries(
        changes.flatMap(({ before, delivery, value, was }) => [
          [value, packed(delivery)],
          ...(before === undefined ? [] : [[was, packed(before)]]),
        ]),
      ),
    },
  };
  return await updatedItem(events, itemKey(seen.key), change, 'ALL_NEW');
}

async function reschedule(
  events: Table,
  seen: NormalizedRow,
  dueAtMs: number | null,
  sweeps: number,
): Promise<boolean> {
  const due = dueUpdate(seen, dueAtMs, parkedFor(seen));
  const same = sameRow(seen);
  return await updateItem(events, itemKey(seen.key), {
    update: clauses([...due.set, 'sw = :sweeps'], due.remove),
    condition: [...same.conditions, ...due.conditions].join(' AND '),
    names: due.names,
    values: { ...same.values, ...due.values, ':sweeps': sweeps },
  });
}

async function deferUnreadable(
  events: Table,
  { key, parkedFor, dueAtMs: seenDueMs, sweeps }: UnreadableRow,
  dueAtMs: number,
): Promise<boolean> {
  if (seenDueMs === undefined) return false;
  const seen = rowDueEntry(key, parkedFor, seenDueMs);
  const next = rowDueEntry(key, parkedFor, dueAtMs);
  return await putOffUnread(events, { key: itemKey(key), seen, next, sweeps });
}

/**
 * The due time is written on the condition that it has not changed, because another platform's may be earlier. If it
 * ends or moves later, every other open delivery must be unchanged too: one that began to wait in the meantime, for a
 * time after the stored due time, did not move it.
 */
function dueUpdate(
  seen: NormalizedRow,
  dueAtMs: number | null,
  parked: string | undefined,
  platforms: readonly string[] = [],
): Expression & {
  readonly set: readonly string[];
  readonly remove: readonly string[];
  readonly names: Readonly<Record<string, string>>;
} {
  const before = seen.dueAtMs;
  if (before === undefined && dueAtMs === null)
    return { set: [], remove: [], conditions: [], values: {}, names: {} };
  const isLater = before !== undefined && (dueAtMs === null || dueAtMs > before);
  const others = isLater ? othersAsSeen(seen, platforms) : NOBODY;
  const conditions = [
    before === undefined ? 'attribute_not_exists(da)' : 'da = :seenDue',
    ...others.conditions,
  ];
  const { names } = others;
  const seenEntry = before === undefined ? undefined : rowDueEntry(seen.key, seen.parkedFor, before).da;
  const seenDue = { ...others.values, ...(seenEntry === undefined ? {} : { ':seenDue': seenEntry }) };
  if (dueAtMs === null) return { set: [], remove: ['dp', 'da'], conditions, values: seenDue, names };
  const { dp, da } = rowDueEntry(seen.key, parked, dueAtMs);
  if (da === seenEntry) return { set: [], remove: [], conditions, values: seenDue, names };
  return {
    set: ['dp = :dp', 'da = :da'],
    remove: [],
    conditions,
    values: { ...seenDue, ':dp': dp, ':da': da },
    names,
  };
}

const NOBODY = { conditions: [], values: {}, names: {} } as const;

function othersAsSeen(
  seen: NormalizedRow,
  platforms: readonly string[],
): Expression & { readonly names: Readonly<Record<string, string>> } {
  const others = openTargets(seen).filter((slug) => !platforms.includes(slug));
  const known = others.flatMap((slug, i) => {
    const delivery = seen.deliveries[slug];
    return delivery === undefined ? [] : [[`:o${i}`, packDelivery(delivery, seen.receivedAtMs)] as const];
  });
  return {
    conditions: others.map((slug, i) =>
      seen.deliveries[slug] === undefined ? `attribute_not_exists(d.#o${i})` : `d.#o${i} = :o${i}`,
    ),
    values: Object.fromEntries(known),
    names: Object.fromEntries(others.map((slug, i) => [`#o${i}`, slug])),
  };
}

function clauses(set: readonly string[], remove: readonly string[]): string {
  return [
    set.length === 0 ? '' : `SET ${set.join(', ')}`,
    remove.length === 0 ? '' : `REMOVE ${remove.join(', ')}`,
  ]
    .join(' ')
    .trim();
}
