// Jobs that look through all of a merchant's rows, step by step: a step looks at pages of rows and notes after each how far it is.
// Guarantees: a step that dies is taken up behind its last noted page, by its own message or by the hourly audit's; of several
// steps of one job one goes on; a step ends in a third of its function's time.
import { inParallel } from '../../../lib/adapters/concurrency/in-parallel.ts';
import type { BatchResult, Received } from '../../../lib/core/ports/queue.ts';
import { type Erasure, SETTLED_MS } from '../../../lib/events/domain/erasure.ts';
import { grouped } from '../../../lib/events/domain/pointer.ts';
import { runErasureStep } from './erasure-step.ts';
import type { TaskWork } from './message.ts';
import type { TaskPorts } from './ports.ts';
import { written } from './written.ts';

/** Nobody works on a job that has not moved for so long: longer than a step and the way of its message. */
const STALLED_MS = 120_000;
const AT_ONCE = 4;

export type TaskStage = (messages: readonly Received<TaskWork>[]) => Promise<BatchResult>;

export function createTaskStage(ports: TaskPorts): TaskStage {
  return async (messages) => {
    const failedIndexes: number[] = [];
    await inParallel(messages, AT_ONCE, async ({ body }, index) => {
      try {
        const taken = await takeErasure(body, ports);
        if (taken === null) return;
        const left = await runErasureStep(taken, ports);
        if (left !== null) await tell(left, ports);
      } catch (error) {
        failedIndexes.push(index);
        ports.report('a step of a job failed', error);
      }
    });
    return { failedIndexes: failedIndexes.sort((a, b) => a - b) };
  };
}

/** The job, when its next step is this message's; of several messages one gets it. */
async function takeErasure(
  { merchant, erasure: id, version }: TaskWork,
  ports: TaskPorts,
): Promise<Erasure | null> {
  const { erasures, clock } = ports;
  const nowMs = clock.now();
  const erasure = await erasures.erasure(merchant, id);
  if (erasure === null || erasure.state === 'done') return null;
  const isNext = version === erasure.version;
  const isStalled = nowMs - Math.max(erasure.updatedAtMs, erasure.notBeforeMs) >= STALLED_MS;
  if (!isNext && !isStalled) return null;
  if (nowMs < erasure.notBeforeMs) {
    await tell(erasure, ports);
    return null;
  }
  const toMs = erasure.toMs ?? nowMs - SETTLED_MS;
  return await written({ ...erasure, toMs, updatedAtMs: nowMs }, erasures);
}

async function tell(
  { merchantId, id, version, notBeforeMs }: Erasure,
  { work, clock }: Pick<TaskPorts, 'work' | 'clock'>,
): Promise<void> {
  const delaySec = Math.max(0, Math.ceil((notBeforeMs - clock.now()) / 1_000));
  await work.send(grouped([{ merchant: merchantId, erasure: id, version }]), { delaySec });
}
