// The end of the wait of a browser event: it is released, or yields to its server copy. One conditional write, one winner.
import type { NormalizedRow } from '#lib/events/domain/event/row.ts';
import { type Table, updateItem } from '../../core/items/commands.ts';
import { sameRow } from './conditions.ts';
import { type Item, itemKey, normalizedAttributes } from './event-item.ts';

/** `row`: what it is from then on; absent: as it is. */
const endWait = (events: Table, seen: NormalizedRow, row?: NormalizedRow): Promise<boolean> => {
  const same = sameRow(seen);
  const values: Item = row === undefined ? {} : { ':body': normalizedAttributes(row).b };
  return updateItem(events, itemKey(seen.key), {
    update: `${row === undefined ? '' : 'SET b = :body '}REMOVE hu, dp, da, sw`,
    condition: [...same.conditions, 'attribute_exists(hu)'].join(' AND '),
    values: { ...same.values, ...values },
  });
};

export const release = (
  events: Table,
  seen: NormalizedRow,
  event: NormalizedRow['event'] | undefined,
): Promise<boolean> => endWait(events, seen, event === undefined ? undefined : { ...seen, event });

export const withdraw = (
  events: Table,
  seen: NormalizedRow,
  verdicts: NormalizedRow['verdicts'],
): Promise<boolean> => endWait(events, seen, { ...seen, verdicts });
