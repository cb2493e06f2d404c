// Orders by their ids. Guarantees: an id of another merchant is answered like one that never was.
import type { Handlers, Success } from '#lib/core/http/handler.ts';
import type { EventKey, EventRow } from '#lib/events/domain/event/row.ts';
import { type KnownReport, REPORTS_MAX } from '#lib/events/domain/orders/order.ts';
import { orderDigest } from '#lib/events/pipeline/orders/order-reports.ts';
import type { ORDER_ROUTES, readOrder } from '#lib/events/routes/orders/orders.ts';
import { factsOf } from '../events/facts.ts';
import { createVerdictReader } from '../events/verdicts.ts';
import { listedEvent } from '../events/view.ts';
import type { ApiPorts } from '../ports.ts';
import { iso } from '../wire-time.ts';

type OrderView = Success<typeof readOrder>['body']['order'];

export function orderHandlers(ports: ApiPorts): Handlers<(typeof ORDER_ROUTES)[number]> {
  return {
    async readOrder({ caller: { merchantId }, params: { id } }) {
      const found = await ports.orders.read(merchantId, orderDigest(id), ports.clock.now());
      if (found === 'unreadable') throw new Error('an order cannot be read');
      if (found.order === undefined) return { failure: 'not_found' };
      const { counted, others } = found.order;
      const reports = [counted, ...others];
      const [rows, connections] = await Promise.all([
        readReports(merchantId, reports, ports),
        ports.config.listConnections(merchantId),
      ]);
      const verdicts = createVerdictReader(ports.platforms, connections);
      const events = rows.map((row) => ({
        ...listedEvent(row, verdicts.read(row)),
        ...(row.state === 'normalized' ? { dedup_id: row.event.dedupId } : {}),
        counted: row === rows[0] && row.key.eventId === counted.eventId,
      }));
      const order = { order_id: id, ...countedAs(rows[0]), events, is_complete: others.length < REPORTS_MAX };
      return { status: 200, body: { success: true, order } };
    },
  };
}

/** As they are kept, those of the counted event first, of copies of one event the server's first: that one is counted. */
async function readReports(
  merchantId: string,
  reports: readonly KnownReport[],
  { events }: Pick<ApiPorts, 'events'>,
): Promise<readonly EventRow[]> {
  const keys = new Map<string, EventKey>();
  for (const { eventId } of reports)
    for (const channel of ['server', 'browser'] as const)
      keys.set(`${eventId} ${channel}`, { merchantId, channel, eventId });
  const { rows } = await events.readMany([...keys.values()]);
  const found = new Map(rows.map((row) => [`${row.key.eventId} ${row.key.channel}`, row]));
  return [...keys.keys()].flatMap((key) => found.get(key) ?? []);
}

function countedAs(
  row: EventRow | undefined,
): Pick<OrderView, 'placed_at' | 'value' | 'currency' | 'credited_to'> {
  if (row === undefined) return {};
  const { eventTimeSec, value, currency } = factsOf(row);
  const credit = row.state === 'normalized' ? row.event.credit : undefined;
  return {
    placed_at: iso(eventTimeSec * 1_000),
    ...(value === undefined ? {} : { value }),
    ...(currency === undefined ? {} : { currency }),
    ...(credit === undefined ? {} : { credited_to: credit.touch }),
  };
}
