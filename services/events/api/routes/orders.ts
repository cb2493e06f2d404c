// Orders by their ids, and by whose they are. Guarantees: an id of another merchant is answered like one that never was.
import type { Handlers, Success } from '#lib/core/http/handler.ts';
import { ingestTimeMs } from '#lib/events/domain/event/ingest-id.ts';
import type { EventKey, EventRow } from '#lib/events/domain/event/row.ts';
import { type KnownReport, REPORTS_MAX } from '#lib/events/domain/orders/order.ts';
import type { KnownRefund } from '#lib/events/domain/orders/refund.ts';
import { orderDigest } from '#lib/events/pipeline/orders/order-reports.ts';
import { readBeside } from '#lib/events/pipeline/pages/read-beside.ts';
import { parseVerdict } from '#lib/events/pipeline/verdicts.ts';
import type { ORDER_ROUTES, readOrder } from '#lib/events/routes/orders/orders.ts';
import type { PEOPLE_ROUTES } from '#lib/events/routes/orders/people.ts';
import { factsOf } from '../events/facts.ts';
import { createVerdictReader, explain, type PlatformVerdict } from '../events/verdicts.ts';
import { itemsOf, listedEvent } from '../events/view.ts';
import { listOrders } from '../orders/list-orders.ts';
import { copiesOf } from '../orders/order-rows.ts';
import { unitOf, worthOf } from '../orders/worth.ts';
import type { ApiPorts } from '../ports.ts';
import { iso } from '../wire-time.ts';

type OrderView = Success<typeof readOrder>['body']['order'];

export function orderHandlers(
  ports: ApiPorts,
): Handlers<(typeof ORDER_ROUTES | typeof PEOPLE_ROUTES)[number]> {
  return {
    async readPerson({ caller, query }) {
      // What only it needs is loaded by the first.
      const { readPerson } = await import('../orders/read-person.ts');
      const page = await readPerson(caller.merchantId, query, ports);
      return 'failure' in page ? page : { status: 200, body: page };
    },

    async reportPerson({ caller, query }) {
      const { reportPerson } = await import('../orders/report-person.ts');
      const report = await reportPerson(caller.merchantId, query, ports);
      return 'failure' in report ? report : { status: 200, body: report };
    },

    async listOrders({ caller, query }) {
      const page = await listOrders(caller.merchantId, query, ports);
      return 'failure' in page ? page : { status: 200, body: page };
    },

    async readOrder({ caller: { merchantId }, params: { id } }) {
      const found = await ports.orders.read(merchantId, orderDigest(id), ports.clock.now());
      if (found === 'unreadable') throw new Error('an order cannot be read');
      if (found.order === undefined) return { failure: 'not_found' };
      const { counted, others, refunds = [] } = found.order;
      const reports = [counted, ...others];
      const [rows, refundRows, connections] = await Promise.all([
        readReports(merchantId, reports, ports),
        readRefunds(merchantId, refunds, ports),
        ports.config.listConnections(merchantId),
      ]);
      const verdicts = createVerdictReader(ports.platforms, connections);
      const events = rows.map((row) => ({
        ...listedEvent(row, verdicts.read(row)),
        ...(row.state === 'normalized' ? { dedup_id: row.event.dedupId } : {}),
        counted: row === rows[0] && row.key.eventId === counted.eventId,
      }));
      const [first] = rows;
      const order = {
        order_id: id,
        ...placedAt(first),
        ...worthOf(found.order),
        items: first?.key.eventId === counted.eventId ? itemsOf(first) : [],
        refunds: refunds.map((each) => {
          const row = refundRows.find(({ ingestId }) => ingestId === each.ingestId);
          return {
            ...refundView(each, found.order?.amount),
            not_taken_back: row === undefined ? [] : notTakenBackBy(verdicts.read(row)),
          };
        }),
        events,
        is_complete: others.length < REPORTS_MAX,
      };
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
  const wanted = reports.flatMap((each) => copiesOf(merchantId, each));
  const nameOf = ({ eventId, channel }: EventKey): string => `${eventId} ${channel}`;
  const found = new Map((await readBeside(wanted, events)).map((row) => [nameOf(row.key), row]));
  return [...new Set(wanted.map(({ key }) => nameOf(key)))].flatMap((name) => found.get(name) ?? []);
}

const placedAt = (row: EventRow | undefined): Pick<OrderView, 'placed_at'> =>
  row === undefined ? {} : { placed_at: iso(factsOf(row).eventTimeSec * 1_000) };

/** As far as they are kept, and under their event id still. */
async function readRefunds(
  merchantId: string,
  refunds: readonly KnownRefund[],
  { events }: Pick<ApiPorts, 'events'>,
): Promise<readonly EventRow[]> {
  const wanted = refunds.map(({ eventId, ingestId }) => ({
    key: { merchantId, channel: 'server', eventId } as const,
    atMs: ingestTimeMs(ingestId),
  }));
  return await readBeside(wanted, events);
}

/** By its verdict, or by what was found before it would have been sent. */
const notTakenBackBy = (verdicts: readonly PlatformVerdict[]) =>
  verdicts.flatMap((verdict) =>
    parseVerdict(verdict.delivery?.reason ?? verdict.code).code === 'not_taken_back'
      ? [{ platform: verdict.platform.slug, explanation: explain(verdict) }]
      : [],
  );

const refundView = ({ eventId, minor, state }: KnownRefund, amount: string | undefined) => ({
  ...{ event_id: eventId, amount: Number(minor) / unitOf(amount), status: state },
});
