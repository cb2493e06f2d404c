// The queue of tasks: erasures, and tickets past their retention. Guarantees: a step ends in a third of its function's
// timeout and stores its progress; of several messages of one job one works; the sweep sends a new pointer for a job
// that makes no progress.
import { messageStage, type Stage } from '#lib/adapters/concurrency/message-stage.ts';
import { STEP, workOn } from '#lib/core/work/long-task.ts';
import { runErasure } from './erase-contact.ts';
import { type HeldJob, jobTask } from './job-steps.ts';
import type { TaskPointer } from './message.ts';
import type { TaskPorts } from './ports.ts';
import { purgeWorkspace } from './purge.ts';
import { removeRest } from './remove-ticket.ts';

const AT_ONCE = 4;

export const createTaskStage = (ports: TaskPorts): Stage<TaskPointer> =>
  messageStage(AT_ONCE, (body) => work(body, ports), 'a task failed', ports);

async function work({ workspaceId, kind, id }: TaskPointer, ports: TaskPorts): Promise<void> {
  const { clock } = ports;
  if (kind === 'purge') return await purgeWorkspace(workspaceId, clock.now() + STEP.workMs, ports);
  const job = jobTask({ workspaceId, id }, (held, endMs) => step(held, endMs, ports), ports);
  await workOn(job, clock);
}

async function step(held: HeldJob, endMs: number, ports: TaskPorts): Promise<HeldJob | null> {
  if (held.record.kind === 'erase') return await runErasure(held, endMs, ports);
  await removeRest(held, ports);
  return null;
}
