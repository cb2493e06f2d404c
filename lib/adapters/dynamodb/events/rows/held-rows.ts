// The end of the wait of a browser event: it is released, or yields to its server copy. One conditional write, one winner.
import type { NormalizedRow } from '#lib/events/domain/event/row.ts';
import { type Table, updateItem } from '../../core/items/commands.ts';
import { sameRow } from './conditions.ts';
import { type Item, itemKey, normalizedAttributes } from './event-item.ts';

const endWait = (events: Table, seen: NormalizedRow, set: string, values: Item): Promise<boolean> => {
  const same = sameRow(seen);
  return updateItem(events, itemKey(seen.key), {
    update: `${set}REMOVE hu, dp, da, sw`,
    condition: [...same.conditions, 'attribute_exists(hu)'].join(' AND '),
    values: { ...same.values, ...values },
  });
};

export const release = (events: Table, seen: NormalizedRow): Promise<boolean> =>
  endWait(events, seen, '', {});

export const withdraw = (
  events: Table,
  seen: NormalizedRow,
  verdicts: NormalizedRow['verdicts'],
): Promise<boolean> =>
  endWait(events, seen, 'SET b = :body ', { ':body': normalizedAttributes({ ...seen, verdicts }).b });
