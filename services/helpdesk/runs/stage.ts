// The queue of runs: claims a run for five minutes, drafts, and writes the outcome. Guarantees: of several messages of
// one run one works; a worker that lost its claim writes nothing more; a run whose worker crashed is begun again, at
// most three times in all; a pointer to a finished run costs a read.
import { messageStage, type Stage } from '#lib/adapters/concurrency/message-stage.ts';
import { isSameTaking } from '#lib/core/work/lease.ts';
import type { Stored } from '#lib/helpdesk/domain/outbox.ts';
import type { Pointer } from '#lib/helpdesk/domain/pointer.ts';
import {
  claimed,
  completed,
  failed,
  isFree,
  isOver,
  pauseMs,
  RUN_ERRORS,
  released,
  runOutbox,
} from '#lib/helpdesk/domain/runs/change.ts';
import type { Run } from '#lib/helpdesk/domain/runs/run.ts';
import { type Change, change } from '#lib/helpdesk/work/commit.ts';
import { pointTo } from '#lib/helpdesk/work/effects/point-to.ts';
import { type DraftOutcome, draftFor } from './draft.ts';
import type { RunPorts } from './ports.ts';

const AT_ONCE = 4;

export const createRunStage = (ports: RunPorts): Stage<Pointer> =>
  messageStage(AT_ONCE, (body) => work(body, ports), 'a run failed', ports);

async function work(key: Pointer, ports: RunPorts): Promise<void> {
  const run = await claim(key, ports);
  if (run === null) return;
  const keep = (next: Run) => write(run, () => next, ports);
  const outcome = await draftFor(run, keep, ports);
  await end(run, outcome, ports);
}

/** Null if there is nothing to do. `change` first drains an outbox that the run may have left. */
async function claim(key: Pointer, ports: RunPorts): Promise<Run | null> {
  return await change<Run, Run | null>(
    ports.stores.runs,
    key,
    (stored) => {
      const nowMs = ports.clock.now();
      if (stored === null || isOver(stored.record) || !isFree(stored.record, nowMs)) return { result: null };
      const { record } = stored;
      if (pauseMs(record) === null)
        return changeOf(stored, failed(record, RUN_ERRORS.died, nowMs), null, ports);
      const run = claimed(record, nowMs);
      // Without a model the run fails at once: one write in place of two.
      if (ports.model === null && record.attempts === 0)
        return changeOf(stored, failed(run, RUN_ERRORS.noProvider, nowMs), null, ports);
      return changeOf(stored, run, run, ports);
    },
    ports,
  );
}

async function end(run: Run, outcome: DraftOutcome, ports: RunPorts): Promise<void> {
  const { clock, runs, report } = ports;
  switch (outcome.kind) {
    case 'lost':
      return;
    case 'completed':
      await write(run, () => completed(outcome.run, outcome.noteId, clock.now()), ports);
      return;
    case 'failed':
      await write(run, () => failed(run, outcome.error, clock.now()), ports);
      return;
    case 'again': {
      const waitMs = pauseMs(run);
      if (waitMs === null) {
        await write(run, () => failed(run, outcome.error, clock.now()), ports);
        return;
      }
      const { workspaceId, id } = run;
      if (!(await write(run, () => released(outcome.run ?? run), ports))) return;
      await pointTo(runs, { workspaceId, id }, workspaceId, report, waitMs / 1_000);
    }
  }
}

/** Writes while this worker still has the run: its number of tries identifies the claim. */
async function write(mine: Run, next: () => Run, ports: RunPorts): Promise<boolean> {
  const { workspaceId, id } = mine;
  return await change<Run, boolean>(
    ports.stores.runs,
    { workspaceId, id },
    (stored) =>
      stored?.record.status === 'running' && isSameTaking(stored.record, mine)
        ? changeOf(stored, next(), true, ports)
        : { result: false },
    ports,
  );
}

function changeOf<T>(
  { version }: Stored<Run>,
  record: Run,
  result: T,
  { clock, random }: RunPorts,
): Change<Run, T> {
  const atMs = clock.now();
  const newId = () => random.uuidv7(atMs);
  return {
    record,
    outbox: runOutbox(record, { version: version + 1, atMs, newId }),
    dueAtMs: dueAtMs(record, atMs),
    result,
  };
}

/** When the sweep must look at it again if its pointer is lost. */
function dueAtMs(run: Run, nowMs: number): number | null {
  if (isOver(run)) return null;
  return run.status === 'running' ? run.leaseUntilMs : nowMs + (pauseMs(run) ?? 0);
}
