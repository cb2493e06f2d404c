// The queue of tasks: erasures, and tickets that a workspace keeps no longer. Guarantees: a step ends in a third of its function's
// time and notes how far it came; of several messages of one job one works; a job that is not moved is told again by the sweep.
import { inParallel } from '../../../lib/adapters/concurrency/in-parallel.ts';
import type { BatchResult, Received } from '../../../lib/core/ports/queue.ts';
import { runErasure } from './erase-contact.ts';
import { claimJob, goOn } from './job-steps.ts';
import type { TaskPointer } from './message.ts';
import type { TaskPorts } from './ports.ts';
import { purgeWorkspace } from './purge.ts';
import { removeRest } from './remove-ticket.ts';

const AT_ONCE = 4;
/** Of one message; a function lasts 60 s. */
const BUDGET_MS = 20_000;

export type TaskStage = (messages: readonly Received<TaskPointer>[]) => Promise<BatchResult>;

export function createTaskStage(ports: TaskPorts): TaskStage {
  return async (messages) => {
    const failedIndexes: number[] = [];
    await inParallel(messages, AT_ONCE, async ({ body }, index) => {
      try {
        await work(body, ports);
      } catch (error) {
        failedIndexes.push(index);
        ports.report('a task failed', error);
      }
    });
    return { failedIndexes: failedIndexes.sort((a, b) => a - b) };
  };
}

async function work({ workspaceId, kind, id }: TaskPointer, ports: TaskPorts): Promise<void> {
  const endMs = ports.clock.now() + BUDGET_MS;
  if (kind === 'purge') return await purgeWorkspace(workspaceId, endMs, ports);
  const held = await claimJob({ workspaceId, id }, ports);
  if (held === null) return;
  if (held.record.kind === 'remove') return await removeRest(held, ports);
  const left = await runErasure(held, endMs, ports);
  if (left !== null) await goOn(left, ports);
}
