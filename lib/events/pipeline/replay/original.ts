// Whether an event can be sent once more, and with what. Guarantees: what was erased or cannot be read is told apart from
// what can be had; a dependency that is away is thrown, never taken for either.

import type { NormalizedEvent } from '../../domain/event/normalized-event.ts';
import type { EventRow, NormalizedRow } from '../../domain/event/row.ts';
import { type EventVault, UnreadablePart } from '../../ports/event-vault.ts';
import { openEvent } from '../sealed-event.ts';

export type Original =
  | { readonly kind: 'there'; readonly row: NormalizedRow; readonly event: NormalizedEvent }
  /** Not normalized yet, or a browser's that waits for its server copy: it is on its way for the first time. */
  | { readonly kind: 'processing' }
  | { readonly kind: 'erased' }
  | { readonly kind: 'unreadable' };

export async function openOriginal(row: EventRow, vault: Pick<EventVault, 'open'>): Promise<Original> {
  if (row.state === 'accepted' || row.heldUntilMs !== undefined) return { kind: 'processing' };
  // What was erased by taking the sealed part away still says what was known.
  if (row.event.sealed === undefined && row.event.known.length > 0) return { kind: 'erased' };
  try {
    const event = await openEvent(row, vault);
    return event === null ? { kind: 'erased' } : { kind: 'there', row, event };
  } catch (error) {
    if (error instanceof UnreadablePart) return { kind: 'unreadable' };
    throw error;
  }
}
