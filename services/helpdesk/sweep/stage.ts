// Each minute: drains the outboxes that crashed writers left, ends snoozes that are over, and sends pointers for due
// runs, deliveries, mails and jobs to their workers.
// Guarantees: it ends in a third of its timeout with any backlog; every workspace gets some work done before any gets
// more; a record that cannot be read or carried out is put off and does not hold up others.
import { inParallel } from '#lib/adapters/concurrency/in-parallel.ts';
import type { MessageSender } from '#lib/core/ports/queue.ts';
import { sumCounts } from '#lib/core/values/sum-counts.ts';
import { UnreadableRecord } from '#lib/helpdesk/domain/account/unreadable-record.ts';
import type { DueRecord } from '#lib/helpdesk/ports/stores.ts';
import { type Look, lookAt } from './look.ts';
import type { SweepPorts } from './ports.ts';

/** A third of its timeout. */
const BUDGET_MS = 18_000;
/** Of each workspace, in each shard, in the first round. */
const PER_WORKSPACE = 25;
const CHUNK = 64;
const SHARDS_AT_ONCE = 4;
const LOOKS_AT_ONCE = 16;
const UNREADABLE_PUT_OFF_MS = 3_600_000;
const FAILED_PUT_OFF_MS = 60_000;

export interface SweepReport {
  readonly looks: number;
  readonly drained: number;
  readonly woken: number;
  readonly pointed: number;
  readonly failed: number;
}

const NOTHING: SweepReport = { looks: 0, drained: 0, woken: 0, pointed: 0, failed: 0 };

export async function runSweep(ports: SweepPorts): Promise<SweepReport> {
  const startMs = ports.clock.now();
  const shards = Array.from({ length: ports.stores.due.shards }, (_, shard) => shard);
  const isOver = (): boolean => ports.clock.now() - startMs >= BUDGET_MS;
  const seen = new Set<string>();
  let report = NOTHING;
  // A share for every workspace first, then more for those with a backlog.
  for (let perWorkspace = PER_WORKSPACE; ; perWorkspace *= 4) {
    const round = { startMs, perWorkspace, seen, isOver };
    const swept = await inParallel(shards, SHARDS_AT_ONCE, (shard) => sweepShard(shard, round, ports));
    report = swept.map((shard) => shard.report).reduce((a, b) => sumCounts(a, b), report);
    if (isOver() || !swept.some(({ hasMore }) => hasMore)) return report;
  }
}

interface Round {
  readonly startMs: number;
  readonly perWorkspace: number;
  /** Records seen in this sweep: a record may stay due, and an index may lag behind. */
  readonly seen: Set<string>;
  readonly isOver: () => boolean;
}

async function sweepShard(
  shard: number,
  { startMs, perWorkspace, seen, isOver }: Round,
  ports: SweepPorts,
): Promise<{ readonly report: SweepReport; readonly hasMore: boolean }> {
  let report = NOTHING;
  let chunk: DueRecord[] = [];
  const counts = new Map<string, number>();
  // Include records that are due at exactly this millisecond.
  for await (const due of ports.stores.due.due(shard, startMs + 1, perWorkspace)) {
    if (isOver()) break;
    counts.set(due.workspaceId, (counts.get(due.workspaceId) ?? 0) + 1);
    const name = JSON.stringify([due.kind, due.workspaceId, due.id]);
    if (seen.has(name)) continue;
    seen.add(name);
    if (chunk.push(due) < CHUNK) continue;
    report = sumCounts(report, await sweepSome(chunk, ports));
    chunk = [];
  }
  if (chunk.length > 0 && !isOver()) report = sumCounts(report, await sweepSome(chunk, ports));
  return { report, hasMore: [...counts.values()].some((count) => count >= perWorkspace) };
}

type DuePointer = Extract<Look, { readonly kind: 'point' }> & { readonly due: DueRecord };

async function sweepSome(some: readonly DueRecord[], ports: SweepPorts): Promise<SweepReport> {
  const looks = await inParallel(some, LOOKS_AT_ONCE, async (due) => {
    const look = await lookSafely(due, ports);
    return { due, look };
  });
  const pointers = looks.flatMap(({ due, look }): DuePointer[] =>
    look?.kind === 'point' ? [{ ...look, due }] : [],
  );
  const { deliveries, runs, mails, tasks } = ports;
  await Promise.all([
    sendPointers(pointers, 'deliveries', deliveries, pointerTo, ports),
    sendPointers(pointers, 'runs', runs, pointerTo, ports),
    sendPointers(pointers, 'mails', mails, pointerTo, ports),
    sendPointers(pointers, 'tasks', tasks, (one) => ({ ...pointerTo(one), kind: one.jobKind ?? '' }), ports),
  ]);
  const count = (kind: Look['kind'] | undefined): number =>
    looks.filter(({ look }) => look?.kind === kind).length;
  return {
    looks: looks.length,
    drained: count('drained'),
    woken: count('woken'),
    pointed: pointers.length,
    failed: count(undefined),
  };
}

/** Undefined if it failed and was put off. */
async function lookSafely(due: DueRecord, ports: SweepPorts): Promise<Look | undefined> {
  try {
    return await lookAt(due, ports);
  } catch (error) {
    const isUnreadable = error instanceof UnreadableRecord;
    if (isUnreadable) ports.quarantine(error);
    else ports.report('a record that is due could not be looked after', error);
    await putOff(due, ports.clock.now() + (isUnreadable ? UNREADABLE_PUT_OFF_MS : FAILED_PUT_OFF_MS), ports);
    return undefined;
  }
}

const pointerTo = ({ due: { workspaceId, id } }: DuePointer) => ({ workspaceId, id });

async function sendPointers<Body>(
  pointers: readonly DuePointer[],
  queue: DuePointer['queue'],
  sender: MessageSender<Body>,
  bodyOf: (one: DuePointer) => Body,
  ports: SweepPorts,
): Promise<void> {
  const some = pointers.filter((one) => one.queue === queue);
  if (some.length === 0) return;
  try {
    await sender.send(some.map((one) => ({ body: bodyOf(one), groupId: one.groupId })));
  } catch (error) {
    // Their due times are unchanged: the next sweep sends the pointers.
    return ports.report('pointers of what is due were not all taken by their queue', error);
  }
  await inParallel(some, LOOKS_AT_ONCE, async ({ due, untilMs }) => {
    if (untilMs !== null) await putOff(due, untilMs, ports);
  });
}

async function putOff(due: DueRecord, untilMs: number, { stores, report }: SweepPorts): Promise<void> {
  try {
    await stores.due.putOff(due, untilMs);
  } catch (error) {
    report('what is due could not be put off', error);
  }
}
