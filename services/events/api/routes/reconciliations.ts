// Reconciliations: orders are taken here and compared by the task stage. Guarantees: what was uploaded is stored sealed, and never
// logged; ids of another merchant are answered byte for byte like ones that never were.
import { audit } from '#lib/core/audit-log/audit.ts';
import { type Failure, type Handlers, refuse } from '#lib/core/http/handler.ts';
import { FOREIGN_CURSOR } from '#lib/core/http/list-cursor.ts';
import { mediaTypeOf } from '#lib/core/http/request-rules.ts';
import { isStalled } from '#lib/events/domain/deliveries/task-work.ts';
import {
  comparedPlatforms,
  RECONCILIATION_LIMITS,
  type Reconciliation,
} from '#lib/events/domain/reconciliation/reconciliation.ts';
import type { RECONCILIATION_ROUTES } from '#lib/events/routes/orders/reconciliations.ts';
import { momentsIn } from '../analytics/scan-range.ts';
import { zoneOf } from '../analytics/span.ts';
import { idCursors, idPage } from '../id-page.ts';
import type { ApiPorts } from '../ports.ts';
import { createJob, tell } from '../reconciling/create-reconciliation.ts';
import { orderView, standingsOf, viewOf } from '../reconciling/reconciliation-view.ts';
import { replayOrders } from '../reconciling/replay-orders.ts';
import { orderCursors, walkOrders } from '../reconciling/walk-orders.ts';

export function reconciliationHandlers(ports: ApiPorts): Handlers<(typeof RECONCILIATION_ROUTES)[number]> {
  const { jobs } = ports.reconciling;
  return {
    async createReconciliation({ caller, query, headers, bytes }) {
      const zone = await zoneOf(caller.merchantId, ports);
      // What only it needs is loaded by the first.
      const { readUpload } = await import('../reconciling/read-upload.ts');
      const upload = readUpload(bytes, mediaTypeOf(headers['content-type']), zone);
      if ('problems' in upload) return { failure: 'invalid_request', details: upload.problems };
      const range = await momentsIn(caller.merchantId, query, ports);
      const wish = { ...range, platforms: query.platforms, upload, key: headers['idempotency-key'] };
      const job = await createJob(caller, wish, ports);
      if ('failure' in job) return job;
      await audit(caller, 'reconciliation.create', job.id, ports);
      return { status: 202, body: { success: true, reconciliation: viewOf(job) } };
    },

    async listReconciliations({ caller, query }) {
      const place = idCursors.read(query);
      if (place === null) return FOREIGN_CURSOR;
      const { limit } = query;
      const kept = await jobs.listReconciliations(caller.merchantId, RECONCILIATION_LIMITS.keptMax, place?.i);
      const shown = kept.filter((job) => isShown(job, ports));
      const { page, next_cursor } = idPage(query, shown);
      return { status: 200, body: { success: true, reconciliations: page.map(viewOf), limit, next_cursor } };
    },

    async readReconciliation({ caller, params }) {
      const job = await jobs.reconciliation(caller.merchantId, params.id);
      if (job === null || !isShown(job, ports)) return { failure: 'not_found' };
      // Its message was lost: who asks need not wait for the audit.
      if (job.state === 'running' && isStalled(job, ports.clock.now())) await tell(job, ports);
      return { status: 200, body: { success: true, reconciliation: viewOf(job) } };
    },

    async listReconciledOrders({ caller, params, query }) {
      const asked = { ...query, id: params.id };
      const place = orderCursors.read(asked);
      if (place === null) return FOREIGN_CURSOR;
      const job = await doneJob(caller.merchantId, params.id, ports);
      if ('failure' in job) return job;
      const { platform, status, limit } = query;
      if (platform !== undefined && !comparedPlatforms(job).includes(platform))
        return refuse('platform', 'was not compared');
      const { found, next } = await walkOrders(
        job,
        { from: place?.n ?? 0, limit },
        (order) => {
          const all = standingsOf(order, job);
          const standings =
            platform === undefined ? all : new Map([...all].filter(([slug]) => slug === platform));
          const isWanted = [...standings.values()].some(({ standing }) =>
            status === undefined ? standing !== 'matched' : standing === status,
          );
          return isWanted ? orderView(order, standings) : undefined;
        },
        ports,
      );
      const next_cursor = orderCursors.write(asked, next);
      return { status: 200, body: { success: true, orders: [...found], limit, next_cursor } };
    },

    async replayReconciliation({ caller, params, body, headers }) {
      const job = await doneJob(caller.merchantId, params.id, ports);
      if ('failure' in job) return job;
      const made = await replayOrders(caller, job, { ...body, key: headers['idempotency-key'] }, ports);
      if ('failure' in made) return made;
      await audit(caller, 'reconciliation.replay', made.replay.id, ports);
      return { status: 202, body: { success: true, ...made } };
    },
  };
}

const isShown = ({ state, expiresAtMs }: Reconciliation, { clock }: Pick<ApiPorts, 'clock'>): boolean =>
  state !== 'receiving' && clock.now() < expiresAtMs;

async function doneJob(
  merchantId: string,
  id: string,
  ports: ApiPorts,
): Promise<Reconciliation | Failure<'not_found' | 'reconciliation_running'>> {
  const job = await ports.reconciling.jobs.reconciliation(merchantId, id);
  if (job === null || !isShown(job, ports)) return { failure: 'not_found' };
  return job.state === 'done' ? job : { failure: 'reconciliation_running' };
}
