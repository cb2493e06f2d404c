// A page of old rows: their items as the table stores them, so that every format and upgrade of rows is one of pages too. JSON with
// bytes in base64, deflated: base64 costs nothing then, and keys that rows share are written once.
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import * as z from 'zod';
import type { PageCodec } from '#lib/events/ports/page-store.ts';
import { decodeRows } from '../rows/decoder.ts';
import { type Item, toItem } from '../rows/event-item.ts';

/** Of the page around the items, whose formats are their own, and of indexes. */
const FORMAT = 1;
const MEBIBYTE = 1_048_576;
const INFLATED_MAX_BYTES = 256 * MEBIBYTE;

export const INDEX_SCHEMA = z.looseObject({
  f: z.literal(FORMAT),
  openedAtMs: z.number(),
  isComplete: z.boolean(),
  after: z.string().optional(),
  pages: z.array(z.looseObject({ name: z.string(), first: z.string(), last: z.string() })),
  lists: z.array(z.looseObject({ name: z.string(), entries: z.int().positive() })),
  erased: z.array(z.tuple([z.string(), z.string()])),
});

export const PAGE_SCHEMA = z.looseObject({
  f: z.literal(FORMAT),
  rows: z.array(z.looseObject({ pk: z.string(), sk: z.string(), ts: z.string(), st: z.enum(['A', 'N']) })),
});

export const pageCodec: PageCodec = {
  pack(rows) {
    const items = rows.map((row) => {
      const { expires: _, kp: _k, ...item } = toItem(row);
      return item;
    });
    return deflateRawSync(JSON.stringify({ f: FORMAT, rows: items }, bytesAsText), { level: 6 });
  },
  unpack(bytes) {
    const text = inflateRawSync(bytes, { maxOutputLength: INFLATED_MAX_BYTES }).toString();
    const page = PAGE_SCHEMA.safeParse(JSON.parse(text, textAsBytes));
    if (!page.success) throw new Error('a page of old rows has an unknown format');
    const { rows, unreadable } = decodeRows(page.data.rows as Item[], () => {});
    if (unreadable[0] !== undefined) throw new Error(`a page of old rows: ${unreadable[0].problem}`);
    return rows;
  },
  packIndex: (index) => deflateRawSync(JSON.stringify({ ...index, f: FORMAT })),
  unpackIndex(bytes) {
    const index = INDEX_SCHEMA.safeParse(JSON.parse(inflateRawSync(bytes).toString()));
    if (!index.success) throw new Error('the index of old rows has an unknown format');
    return index.data;
  },
};

/** `JSON.stringify` calls `toJSON` of a buffer before this, so that bytes come as what that made of them. */
function bytesAsText(this: Item, name: string, value: unknown): unknown {
  const own = this[name];
  return own instanceof Uint8Array ? { $: Buffer.from(own).toString('base64') } : value;
}

function textAsBytes(_name: string, value: unknown): unknown {
  const base64 = (value as { readonly $?: unknown } | null)?.$;
  return typeof base64 === 'string' ? Buffer.from(base64, 'base64') : value;
}
