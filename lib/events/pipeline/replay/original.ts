// Whether an event can be sent again, and its content. Guarantees: erased and unreadable events are distinguished from
// available ones; a failing dependency throws and is never taken for either.

import type { NormalizedEvent } from '../../domain/event/normalized-event.ts';
import type { EventRow, NormalizedRow } from '../../domain/event/row.ts';
import { type EventVault, UnreadablePart } from '../../ports/event-vault.ts';
import { openEvent } from '../sealed-event.ts';

export type Original =
  | { readonly kind: 'there'; readonly row: NormalizedRow; readonly event: NormalizedEvent }
  /** Not normalized yet, or a browser event that waits for its server copy: its first delivery is still to come. */
  | { readonly kind: 'processing' }
  | { readonly kind: 'erased' }
  | { readonly kind: 'unreadable' };

export async function openOriginal(row: EventRow, vault: Pick<EventVault, 'open'>): Promise<Original> {
  if (row.state === 'accepted' || row.heldUntilMs !== undefined) return { kind: 'processing' };
  // An event erased by deleting its encrypted part still lists the fields that were known.
  if (row.event.sealed === undefined && row.event.known.length > 0) return { kind: 'erased' };
  try {
    const event = await openEvent(row, vault);
    return event === null ? { kind: 'erased' } : { kind: 'there', row, event };
  } catch (error) {
    if (error instanceof UnreadablePart) return { kind: 'unreadable' };
    throw error;
  }
}
