// Kinds of items that are written for every event, each read by a codec of its own: their formats are numbers in their bytes.
// The layouts are in event-item.ts, batch-item.ts and counter-store.ts.
import type { DeclaredKind } from '#lib/core/record/define-kind.ts';
import type { Item } from '#lib/core/record/stored-item.ts';
import { Unreadable } from '#lib/core/record/unreadable-item.ts';
import { decodeBatchItems } from './batches/decoder.ts';
import { readSlot, unpackedParts } from './counter-store.ts';
import { decodeRows } from './rows/decoder.ts';

function readRow(item: Item): unknown {
  const { rows, unreadable } = decodeRows([{ ...item }], () => {});
  if (rows[0] === undefined) throw new Unreadable(unreadable[0]?.problem);
  return rows[0];
}

function readOfBatch(item: Item): unknown {
  const { manifests, outcomes, unreadable } = decodeBatchItems([{ ...item }], () => {});
  const [found] = [...manifests, ...outcomes];
  if (found === undefined) throw new Unreadable(unreadable[0]?.problem);
  return found;
}

function readCounted(item: Item): unknown {
  const slot = readSlot({ ...item });
  if (slot.unreadable === true) throw new Unreadable('counters');
  return slot;
}

const ROW = {
  table: 'events',
  expires: 'expires',
  personal: ['b', 'se', 'ro'],
  whenUnreadable: 'wait',
  meaning: 'It is set aside by name and looked at again; rows beside it go on.',
  read: readRow,
} as const;

const OF_BATCH = {
  table: 'batches',
  expires: 'expires',
  personal: [],
  whenUnreadable: 'wait',
  read: readOfBatch,
} as const;

const counted = (what: string, key: DeclaredKind['key']): DeclaredKind => ({
  what,
  table: 'analytics',
  key,
  expires: null,
  personal: [],
  whenUnreadable: 'absent',
  meaning: 'Its slot is counted again from the rows.',
  read: readCounted,
});

export const HOT_KINDS: readonly DeclaredKind[] = [
  { ...ROW, what: 'event row', key: { pk: '{merchant}#s#{event...}', sk: '{row}' } },
  { ...ROW, what: 'event row of a browser', key: { pk: '{merchant}#b#{event...}', sk: '{row}' } },
  {
    ...OF_BATCH,
    what: 'manifest of a batch',
    key: { pk: '{merchant...}#{day}#{shard}', sk: '{minute}#{batch}' },
    meaning: 'Its rows are counted from themselves, and its batch is looked at again.',
  },
  {
    ...OF_BATCH,
    what: 'deliveries of a batch',
    key: { pk: '{merchant...}#{day}#{shard}', sk: '{minute}#{batch}#{platform...}' },
    meaning: 'Its deliveries wait and are looked at again; other platforms go on.',
  },
  counted('counters of a minute', { pk: '{merchant}#minute', sk: '{start...}' }),
  counted('counters of an hour', { pk: '{merchant}#hour', sk: '{start}' }),
  counted('counters of a day', { pk: '{merchant}#day', sk: '{start}' }),
  {
    what: 'parts of a day',
    table: 'analytics',
    key: { pk: '{merchant}#parts', sk: '{day}' },
    expires: null,
    personal: [],
    whenUnreadable: 'absent',
    meaning: 'The hours of the day are read instead.',
    read: ({ sp }) => {
      const parts = unpackedParts(sp);
      if (parts === undefined) throw new Unreadable('parts');
      return parts;
    },
  },
  {
    what: 'shard with rows',
    table: 'analytics',
    key: { pk: '{merchant}#shards', sk: '{day}#{shard}' },
    expires: null,
    personal: [],
    whenUnreadable: 'absent',
    meaning: 'It holds nothing but its key.',
    read: ({ sk }) => ({ sk }),
  },
];
