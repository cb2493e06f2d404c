// One event by its id. Guarantees: never another merchant's; which copies of the id exist is said with it.
import type { TrustClass } from '../../lib/domain/normalized-event.ts';
import type { EventRow } from '../../lib/ports/event-store.ts';
import type { ApiPorts } from './ports.ts';

export interface FoundEvent {
  readonly row: EventRow;
  readonly copies: { readonly server: boolean; readonly browser: boolean };
}

/** The copy asked for; without a wish the server's, which is the one that counts. */
export async function findEvent(
  merchantId: string,
  eventId: string,
  trust: TrustClass | undefined,
  ports: Pick<ApiPorts, 'events'>,
): Promise<FoundEvent | null> {
  const [server, browser] = await Promise.all([
    ports.events.read({ merchantId, trust: 'server', eventId }),
    ports.events.read({ merchantId, trust: 'browser', eventId }),
  ]);
  const row = trust === undefined ? (server ?? browser) : trust === 'server' ? server : browser;
  if (row === null) return null;
  return { row, copies: { server: server !== null, browser: browser !== null } };
}
