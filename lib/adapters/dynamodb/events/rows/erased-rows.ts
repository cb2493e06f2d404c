// Removes the person's data from one row, live or archived, by one conditional write; later reads see the mark.
import { withoutPerson } from '#lib/events/domain/erasure/erased-row.ts';
import type { RowErasure } from '#lib/events/ports/event-store.ts';
import { type Db, updateItem } from '../../core/items/commands.ts';
import { itemKey, toItem } from './event-item.ts';

export const createRowErasure = (db: Db, table: string): RowErasure => ({
  async erase(seen, erasedBy) {
    const { b, ro, ph, eb, st } = toItem(withoutPerson(seen, erasedBy));
    const isAccepted = seen.state === 'accepted';
    return await updateItem({ db, table }, itemKey(seen.key), {
      // The clear part of normalized rows is not rewritten, because it may have changed since it was read.
      update: isAccepted
        ? `SET eb = :eb, ph = :ph, b = :b${ro === undefined ? '' : ', ro = :ro'}`
        : 'SET eb = :eb, ph = :ph REMOVE se',
      condition: 'ts = :ingest AND st = :st',
      values: {
        ':ingest': seen.ingestId,
        ':st': st,
        ':eb': eb,
        ':ph': ph,
        ...(isAccepted ? { ':b': b } : {}),
        ...(isAccepted && ro !== undefined ? { ':ro': ro } : {}),
      },
    });
  },
});
