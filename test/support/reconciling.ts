// Reconciliations on a pipeline in memory: the API's own handlers, and the task stage on the pipeline's stores and queues.
import type { Failure } from '../../lib/core/http/handler.ts';
import type { Reconciliation } from '../../lib/events/domain/reconciliation/reconciliation.ts';
import type { Platform } from '../../lib/events/platforms/platform.ts';
import type { ApiPorts } from '../../services/events/api/ports.ts';
import { orderView, standingsOf } from '../../services/events/api/reconciling/reconciliation-view.ts';
import { walkOrders } from '../../services/events/api/reconciling/walk-orders.ts';
import { reconciliationHandlers } from '../../services/events/api/routes/reconciliations.ts';
import { tendReconciliations } from '../../services/events/reconcile/tend-tasks.ts';
import type { MemoryReplayStore } from './memory/replay-store.ts';
import { type createMemoryPipeline, PIPELINE_MERCHANT } from './memory-pipeline.ts';
import { ADMIN, CALL } from './replaying.ts';

interface Asked {
  readonly query?: { readonly start?: number; readonly end?: number; readonly platforms?: string };
  readonly key?: string;
}

export function withReconciliations(
  pipeline: ReturnType<typeof createMemoryPipeline>,
  platforms: readonly Platform[],
  replaying: { readonly plans: MemoryReplayStore; readonly work: ApiPorts['replaying']['work'] },
) {
  const { clock, random, reconciliations, queues, config, connections, vault } = pipeline;
  const ports = {
    reconciling: { jobs: reconciliations, work: queues.tasks },
    replaying,
    vault,
    platforms,
    clock,
    random,
    report: (_problem: string, error: unknown) => void pipeline.problems.push(error),
    config: {
      ...config,
      listConnections: async () => [...connections.values()],
      appendAudit: async () => undefined,
    },
  } as unknown as ApiPorts;
  const api = reconciliationHandlers(ports);
  const stored = async (id: string): Promise<Reconciliation> => {
    const job = await reconciliations.reconciliation(PIPELINE_MERCHANT, id);
    if (job === null) throw new Error('there is no such reconciliation');
    return job;
  };
  const ask = async (upload: readonly object[] | string, { query = {}, key }: Asked = {}) => {
    // What comes in the same millisecond came later.
    clock.advance(1);
    const isCsv = typeof upload === 'string';
    const text = isCsv ? upload : JSON.stringify({ orders: upload });
    const answer = await api.createReconciliation({
      ...CALL,
      caller: ADMIN,
      params: undefined,
      body: undefined,
      query,
      headers: {
        'content-type': isCsv ? 'text/csv' : 'application/json',
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      },
      bytes: Buffer.from(text),
    });
    return 'failure' in answer ? answer : answer.body.reconciliation;
  };
  const begin = async (upload: readonly object[] | string, asked?: Asked): Promise<string> => {
    const made: { readonly id: string } | Failure = await ask(upload, asked);
    if ('failure' in made) throw new Error(JSON.stringify(made));
    return made.id;
  };
  /** Until none runs; a quarter of a minute at a time. */
  const finish = async (rounds = 60): Promise<void> => {
    for (let round = 0; round < rounds; round++) {
      if (reconciliations.reconciliations().every(({ state }) => state === 'done')) return;
      clock.advance(16_000);
      await pipeline.drain();
    }
    throw new Error('a reconciliation does not end');
  };
  const orders = async (id: string) => {
    const job = await stored(id);
    const all = { from: 0, limit: 100_000 };
    const { found } = await walkOrders(job, all, (order) => orderView(order, standingsOf(order, job)), ports);
    return found;
  };
  return {
    ports,
    ask,
    begin,
    finish,
    stored,
    /** All of them, as the API words them. */
    orders,
    /** Standing by order (or event) id and platform. */
    standings: async (upload: readonly object[] | string, asked?: Asked) => {
      const id = await begin(upload, asked);
      await finish();
      return Object.fromEntries(
        (await orders(id)).map((order) => [
          order.order_id ?? order.event_id,
          Object.fromEntries(Object.entries(order.platforms).map(([slug, { status }]) => [slug, status])),
        ]),
      );
    },
    read: async (id: string) => {
      const answer = await api.readReconciliation({
        ...CALL,
        caller: ADMIN,
        params: { id },
        body: undefined,
      });
      if ('failure' in answer) throw new Error(answer.failure);
      return answer.body.reconciliation;
    },
    replay: async (id: string, platform: string, more: { dry_run?: boolean; cursor?: string } = {}) =>
      await api.replayReconciliation({
        ...CALL,
        caller: ADMIN,
        params: { id },
        headers: {},
        body: { platform, rate: 500, dry_run: false, ...more },
      }),
    tend: () => tendReconciliations(PIPELINE_MERCHANT, { reconciliations, taskWork: queues.tasks, clock }),
  };
}
