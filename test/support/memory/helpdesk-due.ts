// What is due of the helpdesk's records, in memory.
import { groupShard } from '#lib/core/work/due-shard.ts';
import type { DueKind } from '#lib/helpdesk/domain/account/due-kind.ts';
import type { DueIndex } from '#lib/helpdesk/ports/stores.ts';
import type { memoryHelpdeskRecords } from './helpdesk-records.ts';

export function createMemoryDue(records: ReturnType<typeof memoryHelpdeskRecords>, shards: number): DueIndex {
  const kinds: readonly [DueKind, (typeof records)[keyof typeof records]][] = [
    ['ticket', records.tickets],
    ['contact', records.contacts],
    ['article', records.articles],
    ['account', records.accounts],
    ['webhooks', records.webhooks],
    ['run', records.runs],
    ['delivery', records.deliveries],
    ['mail', records.mails],
    ['job', records.jobs],
  ];
  return {
    shards,
    async *due(shard, beforeMs, perWorkspace) {
      const found = kinds
        .flatMap(([kind, { all }]) =>
          all().map(({ record: { workspaceId, id }, dueAtMs }) => ({ kind, workspaceId, id, dueAtMs })),
        )
        .filter(({ dueAtMs }) => dueAtMs !== null && dueAtMs < beforeMs)
        .filter(({ kind, workspaceId, id }) => groupShard(workspaceId, `${kind}/${id}`, shards) === shard)
        .sort((a, b) => (a.dueAtMs ?? 0) - (b.dueAtMs ?? 0));
      const workspaces = Map.groupBy(found, ({ workspaceId }) => workspaceId);
      for (const some of workspaces.values())
        for (const { dueAtMs, ...key } of some.slice(0, perWorkspace))
          yield { ...key, dueAtMs: dueAtMs ?? 0 };
    },
    putOff: async ({ kind, workspaceId, id, dueAtMs }, untilMs) =>
      kinds.some(([name, store]) => name === kind && store.putOff({ workspaceId, id }, dueAtMs, untilMs)),
  };
}
