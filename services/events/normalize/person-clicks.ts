// The click ids that were seen with a purchase's person before it. Guarantees: one read, which the order's credit would make
// anyway; ids that cannot be opened complete nothing and delay nothing, and are reported.
import type { UnopenedEvent } from '#lib/events/domain/event/normalized-event.ts';
import { orderKeys } from '#lib/events/pipeline/attribution/clicks.ts';
import { isJoinable, joinedFromPerson } from '#lib/events/pipeline/people/join-clicks.ts';
import { openedClicks } from '#lib/events/pipeline/people/note-clicks.ts';
import type { StoredPerson } from '#lib/events/ports/attribution-store.ts';
import type { NormalizePorts } from './ports.ts';

export interface Joined {
  readonly unopened: UnopenedEvent;
  /** By the keys of the order; absent: not read. */
  readonly people?: ReadonlyMap<string, StoredPerson>;
}

export async function joinedEvent(
  event: UnopenedEvent,
  ports: Pick<NormalizePorts, 'attribution' | 'eventVault' | 'report'>,
): Promise<Joined> {
  if (!isJoinable(event)) return { unopened: event };
  const { merchantId } = event;
  const people = await ports.attribution.people(merchantId, orderKeys(event).looked, 'strong');
  const known = [...people].filter(([, { clicks }]) => clicks !== undefined);
  const clicks = await Promise.all(
    known.map(([key, person]) => openedClicks(merchantId, key, person, ports)),
  );
  return { unopened: joinedFromPerson(event, clicks), people };
}
