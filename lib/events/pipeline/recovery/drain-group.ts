// One group of one shard, page after page and from message to message: what is due is told, what is parked for a connection
// that works again is released. Guarantees: no step outlasts its time; of many messages for the same group one run does it;
// a run that dies is begun anew by a later sweep.
import type { Random } from '../../../core/ports/clock.ts';
import type { RunLeases } from '../../../core/work/run-leases.ts';
import type { DrainTask, Run } from '../../domain/due-work.ts';
import { grouped, POINTERS_MAX } from '../../domain/pointer.ts';
import type { EventStore } from '../../ports/event-store.ts';
import { isReleased, platformsOf, sendParked } from './parked.ts';
import type { ScanPorts } from './scan-shard.ts';
import { tellDue } from './tell-due.ts';

/** Longer than a step and the way of its message through the queue. */
const LEASE_MS = 180_000;
/** A release begins with so many rows and doubles with each step: what a platform that is just back takes is found out. */
const RELEASE_FIRST = 100;
const RELEASE_MAX = 6_400;
const RELEASE_STEP_SEC = 5;
/** Rows that were released stay parked until they are sent: they are left in peace for a while before that is doubted. */
const SETTLE_MIN_MS = 120_000;
const SETTLE_MAX_MS = 3_600_000;

export interface DrainPorts extends ScanPorts {
  readonly events: ScanPorts['events'] & Pick<EventStore, 'dueOf'>;
  readonly leases: RunLeases;
  readonly random: Pick<Random, 'uuidv7'>;
}

/** Ends after the page in which `untilMs` comes; what is left goes on with another message. */
export async function drainGroup(work: DrainTask, ports: DrainPorts, untilMs: number): Promise<void> {
  const nowMs = ports.clock.now();
  const { run = { holder: ports.random.uuidv7(nowMs), hop: 0, startedAtMs: nowMs } } = work;
  const id = [work.task, work.merchant, work.parkedFor ?? '', work.shard].join('/');
  if (!(await ports.leases.take(id, run, nowMs, nowMs + LEASE_MS))) return;
  const step = work.task === 'due' ? tellStep : releaseStep;
  const { cursor, restMs } = await step(work, { ...run, nowMs }, ports, untilMs);
  if (cursor === undefined) {
    const endMs = ports.clock.now();
    await ports.leases.take(id, { ...run, hop: run.hop + 1 }, endMs, endMs + restMs);
    return;
  }
  const next: Run = { ...run, hop: run.hop + 1, cursor };
  const delaySec = work.task === 'release' ? RELEASE_STEP_SEC : 0;
  await ports.work.send(grouped([{ ...work, run: next }]), { delaySec });
}

type Step = Omit<Run, 'hop'> & { readonly hop: number; readonly nowMs: number };

interface StepResult {
  /** Where to go on; absent at the end. */
  readonly cursor?: string | undefined;
  /** How long nobody shall begin again. */
  readonly restMs: number;
}

async function tellStep(
  { merchant, parkedFor, shard }: DrainTask,
  { cursor: from, nowMs }: Step,
  ports: DrainPorts,
  untilMs: number,
): Promise<StepResult> {
  let cursor = from;
  do {
    const page = await ports.events.dueOf({
      shard,
      group: { merchantId: merchant, parkedFor },
      beforeMs: nowMs + 1,
      limit: POINTERS_MAX,
      ...(cursor === undefined ? {} : { cursor }),
    });
    await tellDue(
      page.entries.map(({ key }) => key),
      nowMs,
      ports,
    );
    cursor = page.cursor;
  } while (cursor !== undefined && ports.clock.now() < untilMs);
  return { cursor, restMs: 0 };
}

/** The index alone says what is parked; its rows are read where they are sent. */
async function releaseStep(
  { merchant, parkedFor = '', shard }: DrainTask,
  { cursor: from, hop, startedAtMs, nowMs }: Step,
  ports: DrainPorts,
  untilMs: number,
): Promise<StepResult> {
  const platforms: string[] = [];
  for (const platform of platformsOf(parkedFor))
    if (isReleased(await ports.config.connection(merchant, platform))) platforms.push(platform);
  if (platforms.length === 0) return { restMs: 0 };
  const rowsMax = Math.min(RELEASE_FIRST * 2 ** Math.min(hop, 10), RELEASE_MAX);
  let cursor = from;
  let rows = 0;
  do {
    const page = await ports.events.dueOf({
      shard,
      group: { merchantId: merchant, parkedFor },
      beforeMs: Number.POSITIVE_INFINITY,
      limit: POINTERS_MAX,
      ...(cursor === undefined ? {} : { cursor }),
    });
    await sendParked(
      page.entries.map(({ key }) => key),
      platforms,
      ports,
    );
    rows += page.entries.length;
    cursor = page.cursor;
  } while (cursor !== undefined && rows < rowsMax && ports.clock.now() < untilMs);
  const restMs = Math.min(Math.max(4 * (nowMs - startedAtMs), SETTLE_MIN_MS), SETTLE_MAX_MS);
  return { cursor, restMs };
}
