// Reading events and their deliveries. Guarantees: an id of another merchant is answered byte for byte like one that never was.
import type { Handlers } from '#lib/core/http/handler.ts';
import { traceIdOf } from '#lib/events/domain/event/request-names.ts';
import type { DELIVERY_ROUTES } from '#lib/events/routes/deliveries.ts';
import type { EVENT_ROUTES } from '#lib/events/routes/events.ts';
import { createWindowReader } from '../analytics/shown-window.ts';
import { confirmationView } from '../events/confirmation.ts';
import { findEvent } from '../events/find-event.ts';
import { listDeliveries } from '../events/list-deliveries.ts';
import { listEvents } from '../events/list-events.ts';
import { createVerdictReader, explain, type PlatformVerdict, verdictCode } from '../events/verdicts.ts';
import { deliveryViews, eventView } from '../events/view.ts';
import type { ApiPorts } from '../ports.ts';
import { iso } from '../wire-time.ts';

export function eventHandlers(
  ports: ApiPorts,
): Handlers<(typeof EVENT_ROUTES | typeof DELIVERY_ROUTES)[number]> {
  return {
    async listEvents({ caller, query }) {
      const page = await listEvents(caller.merchantId, query, ports);
      return 'failure' in page ? page : { status: 200, body: { success: true, ...page } };
    },

    async listDeliveries({ caller, query }) {
      const page = await listDeliveries(caller.merchantId, query, ports);
      return 'failure' in page ? page : { status: 200, body: page };
    },

    async readEvent({ caller, params, query }) {
      const found = await findEvent(caller.merchantId, params.id, query.trust, ports);
      if (found === null) return { failure: 'not_found' };
      const connections = await ports.config.listConnections(caller.merchantId);
      const verdicts = createVerdictReader(ports.platforms, connections).read(found.row);
      const windows = await createWindowReader(caller.merchantId, connections, ports);
      const body = {
        success: true as const,
        event: await eventView(found.row, found.copies, ports.eventVault),
        deliveries: deliveryViews(found.row, verdicts, windows),
      };
      return { status: 200, body };
    },

    async explainEvent({ caller, params, query }) {
      const found = await findEvent(caller.merchantId, params.id, query.trust, ports);
      if (found === null) return { failure: 'not_found' };
      const connections = await ports.config.listConnections(caller.merchantId);
      const verdicts = createVerdictReader(ports.platforms, connections).read(found.row);
      const windows = await createWindowReader(caller.merchantId, connections, ports);
      const { row } = found;
      const { key } = row;
      const replayUntil = ({ platform }: PlatformVerdict): string | undefined =>
        row.state === 'accepted' ? undefined : iso(windows.replayUntilMs(row, platform));
      const body = {
        success: true as const,
        event_id: key.eventId,
        trust: key.channel,
        copies: found.copies,
        trace_id: traceIdOf(row),
        ...(row.request?.id === undefined ? {} : { request_id: row.request.id }),
        verdicts: verdicts.map((verdict) => ({
          platform: verdict.platform.slug,
          label: verdict.platform.label,
          verdict: verdictCode(verdict),
          ...(verdict.detail === undefined ? {} : { subject: verdict.detail }),
          explanation: explain(verdict, replayUntil(verdict)),
          ...(verdict.changedBy === undefined ? {} : { changed_by: [...verdict.changedBy] }),
          ...(verdict.state === undefined ? {} : { delivery: verdict.state }),
          ...confirmationView(verdict.delivery, verdict.platform),
        })),
      };
      return { status: 200, body };
    },
  };
}
