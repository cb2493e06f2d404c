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
import { createVerdictReader, explain, type PlaceVerdict, verdictCode } from '../events/verdicts.ts';
import { deliveryViews, eventView, holderView } from '../events/view.ts';
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
      const { connections, removed } = await ports.config.everyConnection(caller.merchantId);
      const verdicts = createVerdictReader(ports.platforms, connections, removed).read(found.row);
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
      const { connections, removed } = await ports.config.everyConnection(caller.merchantId);
      const verdicts = createVerdictReader(ports.platforms, connections, removed).read(found.row);
      const windows = await createWindowReader(caller.merchantId, connections, ports);
      const { row } = found;
      const { key } = row;
      const said = (verdict: PlaceVerdict) => {
        const { platform, detail, changedBy, state, delivery } = verdict;
        const replayUntil = row.state === 'accepted' ? undefined : iso(windows.replayUntilMs(row, platform));
        return {
          ...(verdict.holder === undefined ? {} : holderView(verdict)),
          verdict: verdictCode(verdict),
          ...(detail === undefined ? {} : { subject: detail }),
          explanation: explain(verdict, replayUntil),
          ...(changedBy === undefined ? {} : { changed_by: [...changedBy] }),
          ...(state === undefined ? {} : { delivery: state }),
          ...confirmationView(delivery, platform),
        };
      };
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
          ...said(verdict),
          ...(verdict.places === undefined ? {} : { connections: verdict.places.map(said) }),
        })),
      };
      return { status: 200, body };
    },
  };
}
