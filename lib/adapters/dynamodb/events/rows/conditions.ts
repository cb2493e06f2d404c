// What a write to an event row is conditional on.
import type { NormalizedRow } from '#lib/events/domain/event/row.ts';
import type { Item } from './event-item.ts';

export interface Expression {
  readonly conditions: readonly string[];
  readonly values: Item;
}

/** Still the acceptance that was seen, normalized, and not reopened since. Revision 0 is not stored. */
export function sameRow(seen: NormalizedRow): Expression {
  const base = ['ts = :ingest', 'attribute_exists(d)'];
  return seen.revision === 0
    ? { conditions: [...base, 'attribute_not_exists(rn)'], values: { ':ingest': seen.ingestId } }
    : {
        conditions: [...base, 'rn = :revision'],
        values: { ':ingest': seen.ingestId, ':revision': seen.revision },
      };
}
