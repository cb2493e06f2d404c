// Jobs that look through all of a merchant's rows, step by step: a step looks at pages of rows and notes how far it is.
// Guarantees: a step that dies is taken up behind what was noted last, by its own message or by the hourly audit's; of several
// steps of one job one goes on; a step ends in a third of its function's time.
import { inParallel } from '../../../lib/adapters/concurrency/in-parallel.ts';
import type { BatchResult, Received } from '../../../lib/core/ports/queue.ts';
import { type Erasure, SETTLED_MS } from '../../../lib/events/domain/erasure.ts';
import { grouped } from '../../../lib/events/domain/pointer.ts';
import type { Reconciliation } from '../../../lib/events/domain/reconciliation.ts';
import { runErasureStep } from './erasure-step.ts';
import type { TaskWork } from './message.ts';
import type { TaskPorts } from './ports.ts';
import { runReconciliationStep } from './reconciliation-step.ts';
import { type JobKind, takeJob } from './take-job.ts';

const AT_ONCE = 4;

export type TaskStage = (messages: readonly Received<TaskWork>[]) => Promise<BatchResult>;

export function createTaskStage(ports: TaskPorts): TaskStage {
  return async (messages) => {
    const failedIndexes: number[] = [];
    await inParallel(messages, AT_ONCE, async ({ body }, index) => {
      try {
        await ('erasure' in body ? workErasure(body, ports) : workReconciliation(body, ports));
      } catch (error) {
        failedIndexes.push(index);
        ports.report('a step of a job failed', error);
      }
    });
    return { failedIndexes: failedIndexes.sort((a, b) => a - b) };
  };
}

type ErasureWork = Extract<TaskWork, { readonly erasure: string }>;
type ReconciliationWork = Extract<TaskWork, { readonly reconciliation: string }>;

async function workErasure({ merchant, erasure: id, version }: ErasureWork, ports: TaskPorts): Promise<void> {
  const { erasures, clock } = ports;
  const kind: JobKind<Erasure> = {
    read: async () => {
      const erasure = await erasures.erasure(merchant, id);
      return erasure?.state === 'running' ? erasure : null;
    },
    write: erasures.writeErasure,
    tell: (job) => tell({ merchant, erasure: id, version: job.version }, job, ports),
    begun: (job, nowMs) => ({ ...job, toMs: job.toMs ?? nowMs - SETTLED_MS }),
  };
  const taken = await takeJob(version, kind, clock);
  const left = taken === null ? null : await runErasureStep(taken, ports);
  if (left !== null) await kind.tell(left);
}

async function workReconciliation(
  { merchant, reconciliation: id, version }: ReconciliationWork,
  ports: TaskPorts,
): Promise<void> {
  const { reconciliations, clock } = ports;
  const kind: JobKind<Reconciliation> = {
    read: async () => {
      const job = await reconciliations.reconciliation(merchant, id);
      return job?.state === 'running' ? job : null;
    },
    write: reconciliations.writeReconciliation,
    tell: (job) => tell({ merchant, reconciliation: id, version: job.version }, job, ports),
  };
  const taken = await takeJob(version, kind, clock);
  const left = taken === null ? null : await runReconciliationStep(taken, ports);
  if (left !== null) await kind.tell(left);
}

async function tell(
  work: TaskWork,
  { notBeforeMs }: { readonly notBeforeMs: number },
  ports: Pick<TaskPorts, 'work' | 'clock'>,
): Promise<void> {
  const delaySec = Math.max(0, Math.ceil((notBeforeMs - ports.clock.now()) / 1_000));
  await ports.work.send(grouped([work]), { delaySec });
}
