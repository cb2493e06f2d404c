// One event by its id. Guarantees: never another merchant's; which copies of the id exist is said with it.

import type { Channel } from '#lib/events/domain/event/normalized-event.ts';
import type { EventRow } from '#lib/events/domain/event/row.ts';
import { testIdOf } from '#lib/events/domain/event/test-mode.ts';
import type { ApiPorts } from '../ports.ts';

export interface FoundEvent {
  readonly row: EventRow;
  readonly copies: { readonly server: boolean; readonly browser: boolean };
}

/** However long ago it came. */
const EVER = { fromMs: 0, toMs: Number.POSITIVE_INFINITY };

/** The copy asked for; without a wish the server's, which is the one that counts. Where there is none, a test of the last days. */
export async function findEvent(
  merchantId: string,
  eventId: string,
  channel: Channel | undefined,
  ports: Pick<ApiPorts, 'events'>,
): Promise<FoundEvent | null> {
  const [server, browser] = await Promise.all([
    ports.events.read({ merchantId, channel: 'server', eventId }, EVER),
    ports.events.read({ merchantId, channel: 'browser', eventId }, EVER),
  ]);
  if (server === null && browser === null) {
    const key = { merchantId, channel: 'server', eventId: testIdOf(eventId) } as const;
    const test = await ports.events.read(key);
    return test === null ? null : { row: test, copies: { server: true, browser: false } };
  }
  const row = channel === undefined ? (server ?? browser) : channel === 'server' ? server : browser;
  if (row === null) return null;
  return { row, copies: { server: server !== null, browser: browser !== null } };
}
