// The page's event of the same id as a server's event. Guarantees: a copy that cannot be opened completes nothing and
// delays nothing; it is reported.
import type { NormalizedEvent, UnopenedEvent } from '#lib/events/domain/event/normalized-event.ts';
import type { AcceptedRow, EventRow, UnreadableRow } from '#lib/events/domain/event/row.ts';
import { isOneVisit } from '#lib/events/pipeline/completed-from-copy.ts';
import { unopenedEvent } from '#lib/events/pipeline/normalize-event.ts';
import { openEvent } from '#lib/events/pipeline/sealed-event.ts';
import { isServerCopy } from '#lib/events/pipeline/server-copies.ts';
import type { NormalizePorts } from './ports.ts';

type Ports = Pick<NormalizePorts, 'eventVault' | 'lookups' | 'report'>;
type Copy = EventRow | UnreadableRow | undefined;

/** What the page said, if `row` is a server's and the two were received within a day of each other. */
export async function pageEventOf(
  row: AcceptedRow,
  copy: Copy,
  ports: Ports,
): Promise<UnopenedEvent | undefined> {
  if (row.key.channel !== 'server' || copy === undefined || 'problem' in copy) return undefined;
  // Earlier events of the server's id are others.
  const { receivedAtMs } = row;
  return isServerCopy({ receivedAtMs }, copy) ? await saidIn(copy, ports) : undefined;
}

/**
 * The event whose click is remembered. A page's event may come too late to complete the server's: its click is
 * remembered for the person whom the server's event names.
 */
export async function creditedEvent(
  row: AcceptedRow,
  event: NormalizedEvent,
  copy: Copy,
  ports: Ports,
): Promise<NormalizedEvent> {
  const server = await serverEventOf(row, event, copy, ports);
  return server === undefined || server.consent.analytics === 'denied'
    ? event
    : {
        ...event,
        hashed: server.hashed,
        // What it reports was clicked before the order, also where its own clock is behind.
        eventTimeSec: Math.min(event.eventTimeSec, server.eventTimeSec),
      };
}

/** What the server said of the same visit, if `row` is a page's. */
export async function serverEventOf(
  row: AcceptedRow,
  event: UnopenedEvent,
  copy: Copy,
  ports: Ports,
): Promise<UnopenedEvent | undefined> {
  if (row.key.channel !== 'browser' || copy === undefined || 'problem' in copy) return undefined;
  if (!isServerCopy(copy, row)) return undefined;
  // Also of one that is not normalized yet: it may have looked for this row before it was stored.
  const server = await saidIn(copy, ports);
  return server !== undefined && isOneVisit(server, event) ? server : undefined;
}

/** Undefined if it was erased, or cannot be opened. */
async function saidIn(
  row: EventRow,
  { eventVault, lookups, report }: Ports,
): Promise<UnopenedEvent | undefined> {
  if (row.erasedBy !== undefined) return undefined;
  if (row.state === 'accepted') return unopenedEvent(row, lookups);
  try {
    return (await openEvent(row, eventVault)) ?? undefined;
  } catch (error) {
    report('the other copy of an event could not be opened', error);
    return undefined;
  }
}
