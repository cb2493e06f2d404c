// Jobs that look through all of a merchant's rows, step by step: a step looks at pages of rows and notes how far it is.
// Guarantees: a step that dies is taken up behind what was noted last, by its own message or by the hourly audit's; of several
// messages of one job one gets the step; a step ends in a third of its function's time.
import { messageStage, type Stage } from '#lib/adapters/concurrency/message-stage.ts';
import { type LongTask, workOn, written } from '#lib/core/work/long-task.ts';
import { stalledAtMs } from '#lib/events/domain/deliveries/task-work.ts';
import { type Erasure, NO_COUNTS, SETTLED_MS } from '#lib/events/domain/erasure/erasure.ts';
import { byTenant } from '#lib/events/domain/pointer.ts';
import type { Reconciliation } from '#lib/events/domain/reconciliation/reconciliation.ts';
import { runErasureStep } from './erasure-step.ts';
import type { IncidentWork } from './incident-looks.ts';
import { type ConnectionWork, mailAboutConnection } from './mail-connection.ts';
import type { TaskWork } from './message.ts';
import type { TaskPorts } from './ports.ts';
import { runReconciliationStep } from './reconciliation-step.ts';

const AT_ONCE = 4;
/** As long as a queue keeps a message back. */
const TOLD_AHEAD_MAX_SEC = 900;

export type TaskStage = Stage<TaskWork>;

export const createTaskStage = (ports: TaskPorts): Stage<TaskWork> =>
  messageStage(AT_ONCE, (body) => work(body, ports), 'a step of a job failed', ports);

async function work(body: TaskWork, ports: TaskPorts): Promise<void> {
  const { erasures, reconciliations, clock } = ports;
  if ('incident' in body) {
    // Rare: loaded when there is one.
    const { workOnIncident } = await import('./incident-step.ts');
    return await workOnIncident(body, ports);
  }
  if ('slot' in body) {
    const { tellWebhooks } = await import('./incident-step.ts');
    await tellWebhooks(body, ports);
    return await mailAboutConnection(body, ports);
  }
  if ('erasure' in body) {
    const erasure: Job<Erasure> = {
      read: () => erasures.erasure(body.merchant, body.erasure),
      // A pass counts from the beginning.
      begun: (job, nowMs) =>
        job.toMs === undefined ? { ...job, toMs: nowMs - SETTLED_MS, counts: NO_COUNTS } : job,
      write: erasures.writeErasure,
      step: runErasureStep,
    };
    return await workOn(longTaskOf(erasure, body, ports), clock);
  }
  const reconciliation: Job<Reconciliation> = {
    read: () => reconciliations.reconciliation(body.merchant, body.reconciliation),
    begun: (job) => job,
    write: reconciliations.writeReconciliation,
    step: runReconciliationStep,
  };
  await workOn(longTaskOf(reconciliation, body, ports), clock);
}

interface Kept {
  readonly state: string;
  readonly version: number;
  readonly updatedAtMs: number;
  readonly notBeforeMs: number;
}

interface Job<K extends Kept> {
  readonly read: () => Promise<K | null>;
  /** What changes of it when it is taken. */
  readonly begun: (job: K, nowMs: number) => K;
  readonly write: (next: K, seenVersion: number) => Promise<boolean>;
  readonly step: (taken: K, endMs: number, ports: TaskPorts) => Promise<K | null>;
}

const longTaskOf = <K extends Kept>(
  { read, write, begun, step }: Job<K>,
  body: Exclude<TaskWork, ConnectionWork | IncidentWork>,
  ports: TaskPorts,
): LongTask<K> => ({
  what: 'a job',
  read: async () => {
    const job = await read();
    return job?.state === 'running' ? job : null;
  },
  turn: (job) => ({
    isNext: body.version === job.version,
    leaseUntilMs: stalledAtMs(job),
    notBeforeMs: job.notBeforeMs,
  }),
  take: (job, nowMs) => written({ ...begun(job, nowMs), updatedAtMs: nowMs }, write),
  step: (taken, endMs) => step(taken, endMs, ports),
  tell: async ({ version, notBeforeMs }) => {
    const delaySec = Math.max(0, Math.ceil((notBeforeMs - ports.clock.now()) / 1_000));
    // A longer delay needs no message: the hourly audit sends one.
    if (delaySec <= TOLD_AHEAD_MAX_SEC) await ports.work.send(byTenant([{ ...body, version }]), { delaySec });
  },
});
