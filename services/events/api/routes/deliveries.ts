import type { Handlers } from '#lib/core/http/handler.ts';
import type { DELIVERY_ROUTES } from '#lib/events/routes/deliveries.ts';
import { listDeliveries } from '../events/list-deliveries.ts';
import type { ApiPorts } from '../ports.ts';

export function deliveryHandlers(ports: ApiPorts): Handlers<(typeof DELIVERY_ROUTES)[number]> {
  return {
    async listDeliveries({ caller, query }) {
      const page = await listDeliveries(caller.merchantId, query, ports);
      return 'failure' in page ? page : { status: 200, body: page };
    },
  };
}
