// People as normalizing leaves them: what they clicked, and what they ordered.
import type { EventBody } from '../../lib/events/domain/event/event.ts';
import type { NormalizedRow } from '../../lib/events/domain/event/row.ts';
import { normalizeIdentity } from '../../lib/events/domain/identity/normalize.ts';
import { createCreditOrders } from '../../lib/events/pipeline/attribution/credit-orders.ts';
import { createOrderReports } from '../../lib/events/pipeline/orders/order-reports.ts';
import { PLATFORMS } from '../../lib/events/platforms/registry.ts';
import type { AttributionStore } from '../../lib/events/ports/attribution-store.ts';
import type { EventVault } from '../../lib/events/ports/event-vault.ts';
import type { OrderStore } from '../../lib/events/ports/order-store.ts';
import type { ApiHost } from './api-host.ts';
import { type NormalizedDraft, normalizedEvent, normalizedRow, store } from './stored-rows.ts';

interface Host extends Pick<ApiHost, 'events' | 'ports'> {
  readonly orders: OrderStore;
  readonly people: AttributionStore;
  readonly eventVault: Pick<EventVault, 'sealText' | 'openText'>;
}

/** Stores an event, and what follows from it. `keptDays`: of the merchant. */
export function peopleOf({ events, orders, people, eventVault, ports }: Host, keptDays = 90) {
  const { report } = ports;
  const credit = createCreditOrders({ attribution: people, eventVault, platforms: PLATFORMS, report });
  const reports = createOrderReports({ orders, platforms: PLATFORMS });
  return async (draft: NormalizedDraft, user: EventBody['user_data'] = {}): Promise<NormalizedRow> => {
    const lookups = await ports.lookups();
    const said = normalizeIdentity(user, lookups);
    const event = { hashed: said.hashed, raw: said.raw, issues: said.issues, ...draft.event };
    const row = normalizedRow({ ...draft, event });
    await store(events, row);
    const known = await credit(normalizedEvent({ ...draft, event }), keptDays);
    await reports.report(row, row.event, row.verdicts, known);
    return row;
  };
}
