// Reading events. Guarantees: an id of another merchant is answered byte for byte like one that never was.
import type { Handlers } from '../../../lib/contract/handler.ts';
import type { EVENT_ROUTES } from '../../../lib/contract/routes/events.ts';
import type { TrustClass } from '../../../lib/domain/normalized-event.ts';
import type { EventRow } from '../../../lib/ports/event-store.ts';
import { createVerdictReader, explain, verdictWord } from '../event-verdicts.ts';
import { deliveryViews, eventView } from '../event-view.ts';
import { listEvents } from '../list-events.ts';
import type { ApiPorts } from '../ports.ts';

interface FoundEvent {
  readonly row: EventRow;
  readonly copies: { readonly server: boolean; readonly browser: boolean };
}

export function eventHandlers(ports: ApiPorts): Handlers<(typeof EVENT_ROUTES)[number]> {
  return {
    async listEvents({ caller, query }) {
      const page = await listEvents(caller.merchantId, query, ports);
      return 'failure' in page ? page : { status: 200, body: { success: true, ...page } };
    },

    async readEvent({ caller, params, query }) {
      const found = await find(caller.merchantId, params.id, query.trust, ports);
      if (found === null) return { failure: 'not_found' };
      const connections = await ports.config.listConnections(caller.merchantId);
      const verdicts = createVerdictReader(ports.platforms, connections).read(found.row);
      const body = {
        success: true as const,
        event: eventView(found.row, found.copies),
        deliveries: deliveryViews(verdicts),
      };
      return { status: 200, body };
    },

    async explainEvent({ caller, params, query }) {
      const found = await find(caller.merchantId, params.id, query.trust, ports);
      if (found === null) return { failure: 'not_found' };
      const connections = await ports.config.listConnections(caller.merchantId);
      const verdicts = createVerdictReader(ports.platforms, connections).read(found.row);
      const { key } = found.row;
      const body = {
        success: true as const,
        event_id: key.eventId,
        trust: key.trust,
        copies: found.copies,
        verdicts: verdicts.map((verdict) => ({
          platform: verdict.platform.slug,
          label: verdict.platform.label,
          verdict: verdictWord(verdict),
          ...(verdict.subject === undefined ? {} : { subject: verdict.subject }),
          explanation: explain(verdict),
          ...(verdict.state === undefined ? {} : { delivery: verdict.state }),
        })),
      };
      return { status: 200, body };
    },
  };
}

/** The copy asked for; without a wish the server's, which is the one that counts. */
async function find(
  merchantId: string,
  eventId: string,
  trust: TrustClass | undefined,
  ports: ApiPorts,
): Promise<FoundEvent | null> {
  const [server, browser] = await Promise.all([
    ports.events.read({ merchantId, trust: 'server', eventId }),
    ports.events.read({ merchantId, trust: 'browser', eventId }),
  ]);
  const row = trust === undefined ? (server ?? browser) : trust === 'server' ? server : browser;
  if (row === null) return null;
  return { row, copies: { server: server !== null, browser: browser !== null } };
}
