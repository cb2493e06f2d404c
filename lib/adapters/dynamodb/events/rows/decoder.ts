// Items → rows, one at a time: an unreadable item is set aside with its readable facts, and affects no other. All
// format errors are found here and not in a stage: a returned row has the shape of its type.
import type { Delivery } from '#lib/events/domain/deliveries/delivery.ts';
import {
  type EventRow,
  type RowsRead,
  type UnreadableRow,
  UnreadableRowError,
} from '#lib/events/domain/event/row.ts';
import type { Rewrite } from '#lib/events/domain/rules/rule.ts';
import { parseDue } from '../../core/items/due-index.ts';
import { countOf, must, problemOf } from '../../core/items/unreadable.ts';
import { fromItem, type Item, parseItemKey } from './event-item.ts';

export type OnUnreadable = (row: UnreadableRow) => void;

export function decodeRows(items: readonly Item[], onUnreadable: OnUnreadable): RowsRead {
  const rows: EventRow[] = [];
  const unreadable: UnreadableRow[] = [];
  for (const item of items) {
    const decoded = decode(item);
    if ('problem' in decoded) unreadable.push(decoded);
    else rows.push(decoded);
  }
  unreadable.forEach(onUnreadable);
  return { rows, unreadable };
}

/** Throws `UnreadableRowError`. */
export function decodeRow(item: Item, onUnreadable: OnUnreadable): EventRow {
  const decoded = decode(item);
  if (!('problem' in decoded)) return decoded;
  onUnreadable(decoded);
  throw new UnreadableRowError(decoded);
}

function decode(item: Item): EventRow | UnreadableRow {
  try {
    must(item.st === 'A' || item.st === 'N', 'state');
    const row = fromItem(item);
    check(row);
    return row;
  } catch (error) {
    const due = parseDue(item.da);
    return {
      key: parseItemKey(item),
      ingestId: String(item.ts),
      problem: problemOf(error),
      sweeps: countOf(item.sw),
      ...(due === null ? {} : { dueAtMs: due.atMs }),
      ...(due?.parkedFor === undefined ? {} : { parkedFor: due.parkedFor }),
    };
  }
}

function check(row: EventRow): void {
  must(Number.isFinite(row.receivedAtMs), 'ingest id');
  must(Number.isFinite(row.shard ?? 0), 'shard');
  if (row.state === 'accepted') {
    const { body } = row;
    must(isObject(body) && typeof body.event_name === 'string', 'body');
    must(isObject(body.user_data) && Number.isFinite(body.event_time), 'body');
    return;
  }
  const { event, deliveries } = row;
  must(
    [event.name, event.source, event.actionSource].every((text) => typeof text === 'string'),
    'event',
  );
  must(isObject(event.consent), 'event');
  must(Array.isArray(event.items) && Array.isArray(event.issues), 'event');
  must(Number.isFinite(event.eventTimeSec), 'event');
  must((event.rewrites ?? []).every(isRewrite), 'rewrites');
  must([row.routingVersion, row.revision, row.sweeps, row.dueAtMs ?? 0].every(Number.isFinite), 'numbers');
  for (const delivery of Object.values(deliveries)) checkDelivery(delivery);
}

/** Throws if the unpacked text had another shape. */
export function checkDelivery(delivery: Delivery): void {
  const { attempts, unknowns, updatedAtMs, nextAttemptAtMs = 0, leaseUntilMs = 0, confirmation } = delivery;
  const { askAtMs = 0, rejected = 0, of = 0 } = confirmation ?? {};
  const numbers = [attempts, unknowns, updatedAtMs, nextAttemptAtMs, leaseUntilMs, askAtMs, rejected, of];
  must(numbers.every(Number.isFinite), 'delivery');
}

const isRewrite = ({ rule, changes, platforms = [] }: Rewrite): boolean =>
  typeof rule === 'string' && Array.isArray(changes) && Array.isArray(platforms);

const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
