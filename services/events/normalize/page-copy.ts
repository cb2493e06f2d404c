// The page's event of the same id as a server's event. Guarantees: a copy that cannot be opened completes nothing and
// delays nothing; it is reported.
import type { NormalizedEvent, UnopenedEvent } from '#lib/events/domain/event/normalized-event.ts';
import type { AcceptedRow, EventRow, NormalizedRow, UnreadableRow } from '#lib/events/domain/event/row.ts';
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
  if (copy.erasedBy !== undefined || !isServerCopy({ receivedAtMs }, copy)) return undefined;
  return copy.state === 'accepted' ? unopenedEvent(copy, ports.lookups) : await opened(copy, ports);
}

/**
 * The event whose click is remembered. A page's event that comes after the server's is too late to complete it: its
 * click is remembered for the person whom the server's event names.
 */
export async function creditedEvent(
  row: AcceptedRow,
  event: NormalizedEvent,
  copy: Copy,
  ports: Ports,
): Promise<NormalizedEvent> {
  if (row.key.channel !== 'browser' || copy === undefined || 'problem' in copy) return event;
  // One that is not normalized yet will read this row, and be completed from it.
  if (copy.state === 'accepted' || !isServerCopy(copy, row)) return event;
  const server = await opened(copy, ports);
  if (server === undefined || server.consent.analytics === 'denied' || !isOneVisit(server, event))
    return event;
  return { ...event, hashed: server.hashed };
}

async function opened(
  row: NormalizedRow,
  { eventVault, report }: Ports,
): Promise<NormalizedEvent | undefined> {
  try {
    return (await openEvent(row, eventVault)) ?? undefined;
  } catch (error) {
    report('the other copy of an event could not be opened', error);
    return undefined;
  }
}
