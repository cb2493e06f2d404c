// How records and their outboxes are packed into binary attributes: JSON, deflated against a dictionary of the helpdesk's own
// words, the number of the format first. What a commit carries is mostly words that every commit has: two fifths of its units.
// Guarantees: a format that was ever written is read for ever; of another one nothing is read. Items from before there were
// formats have both in the clear, and are read as well.

import { packedFormat, packJson, unpackJson } from '#lib/core/packing/packed-json.ts';
import { readBy } from '#lib/core/record/read-by-schema.ts';
import { type OutboxEntry, STORED_OUTBOX } from '#lib/helpdesk/domain/outbox.ts';
import { valid } from '../core/items/unreadable.ts';
import { HELPDESK_FORMAT_1 } from './dictionaries/format-1.ts';

const FORMATS = [HELPDESK_FORMAT_1];

/** Attributes of a record; `o` is absent where nothing must follow. */
export function packRecord(record: object, outbox: readonly OutboxEntry[]): Record<string, Uint8Array> {
  return {
    b: packJson(HELPDESK_FORMAT_1, record),
    ...(outbox.length === 0 ? {} : { o: packJson(HELPDESK_FORMAT_1, outbox) }),
  };
}

/** Throws where it is none of ours. */
export function unpackRecord(item: Readonly<Record<string, unknown>>): {
  readonly record: unknown;
  readonly outbox: readonly OutboxEntry[];
} {
  const outbox = item.o instanceof Uint8Array ? unpacked(item.o) : (item.o ?? []);
  return {
    record: item.b instanceof Uint8Array ? unpacked(item.b) : item.record,
    outbox: valid(outboxOf(outbox), 'outbox'),
  };
}

/** Most records have none. */
const outboxOf = (value: unknown): readonly OutboxEntry[] | undefined =>
  Array.isArray(value) && value.length === 0 ? [] : readBy(STORED_OUTBOX, value).data;

function unpacked(bytes: Uint8Array): unknown {
  const number = packedFormat(bytes);
  const format = FORMATS.find((known) => known.format === number);
  if (format === undefined) throw new Error(`unknown encoding ${number}`);
  return unpackJson(format, bytes).value;
}
