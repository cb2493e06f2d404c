// Works off one group of one shard, page by page and from message to message: sends pointers for due entries, and
// releases parked ones whose connection works again. Guarantees: no step outlasts its time; of many messages for the
// same group one run does it; a later sweep restarts a run that crashed.
import type { Random } from '#lib/core/ports/clock.ts';
import { growingWait } from '#lib/core/work/retry-policy.ts';
import type { RunLeases } from '#lib/core/work/run-leases.ts';
import type { DrainTask, Run } from '../../domain/deliveries/due-work.ts';
import { byTenant, POINTERS_MAX } from '../../domain/pointer.ts';
import { knownConnection } from '../connections/known-connection.ts';
import type { DueSource } from './due-source.ts';
import { isPaced, isReleased, platformsOf, releasedPerMinute, sendParked } from './parked.ts';
import type { ScanPorts } from './scan-shard.ts';
import { sendDuePointers } from './send-due-pointers.ts';

/** Longer than a step and the delivery of its message. */
const LEASE_MS = 180_000;
/**
 * A release begins with this many events and doubles with each step, because it is unknown how many a recovering
 * platform takes.
 */
const RELEASE_FIRST = 100;
const RELEASE_MAX = 6_400;
const RELEASE_STEP_SEC = 5;
/** What a quota does not let through stays parked and is looked at in the next round: once a minute at the quota's rate. */
const PACED = { stepSec: 60, restMs: 50_000 };
/** Released rows stay parked until they are sent: they are not released again for a while. */
const SETTLE = { share: 4, minMs: 120_000, maxMs: 3_600_000 };

export interface DrainPorts extends ScanPorts {
  readonly leases: RunLeases;
  readonly random: Pick<Random, 'uuidv7'>;
}

/** Ends after the page during which `untilMs` passes; another message continues with the rest. */
export async function drainGroup(
  source: DueSource,
  work: DrainTask,
  ports: DrainPorts,
  untilMs: number,
): Promise<void> {
  const nowMs = ports.clock.now();
  const { run = { holder: ports.random.uuidv7(nowMs), hop: 0, startedAtMs: nowMs } } = work;
  const paced = pacedIn(work);
  const parts = [work.task, work.table, work.merchant, work.parkedFor ?? '', work.shard, paced ?? []];
  const id = parts.flat().join('/');
  if (!(await ports.leases.take(id, run, nowMs, nowMs + LEASE_MS))) return;
  const step = work.task === 'due' ? sendDueStep : releaseStep;
  const { cursor, restMs } = await step(source, work, { ...run, nowMs }, ports, untilMs);
  if (cursor === undefined) {
    const endMs = ports.clock.now();
    await ports.leases.take(id, { ...run, hop: run.hop + 1 }, endMs, endMs + restMs);
    return;
  }
  const next: Run = { ...run, hop: run.hop + 1, cursor };
  const delaySec = work.task === 'due' ? 0 : paced === undefined ? RELEASE_STEP_SEC : PACED.stepSec;
  await ports.work.send(byTenant([{ ...work, run: next }]), { delaySec });
}

type Step = Omit<Run, 'hop'> & { readonly hop: number; readonly nowMs: number };

interface StepResult {
  /** Where to continue; absent at the end. */
  readonly cursor?: string | undefined;
  /** How long no new run may begin. */
  readonly restMs: number;
}

async function sendDueStep(
  source: DueSource,
  { merchant, parkedFor, shard }: DrainTask,
  { cursor: from, nowMs }: Step,
  ports: DrainPorts,
  untilMs: number,
): Promise<StepResult> {
  let cursor = from;
  do {
    const page = await source.index.dueOf({
      shard,
      group: { merchantId: merchant, parkedFor },
      beforeMs: nowMs + 1,
      limit: POINTERS_MAX,
      ...(cursor === undefined ? {} : { cursor }),
    });
    await sendDuePointers(
      source,
      page.entries.map(({ key }) => key),
      nowMs,
      ports,
    );
    cursor = page.cursor;
  } while (cursor !== undefined && ports.clock.now() < untilMs);
  return { cursor, restMs: 0 };
}

const pacedIn = (work: DrainTask): string | undefined => (work.task === 'release' ? work.paced : undefined);

/** The index alone shows what is parked; its rows are read when they are sent. */
async function releaseStep(
  source: DueSource,
  work: DrainTask,
  { cursor: from, hop, startedAtMs, nowMs }: Step,
  ports: DrainPorts,
  untilMs: number,
): Promise<StepResult> {
  const { merchant, parkedFor = '', shard } = work;
  const paced = pacedIn(work);
  const platforms: string[] = [];
  for (const platform of platformsOf(parkedFor)) {
    if (paced === undefined ? isPaced(platform, ports) : platform !== paced) continue;
    const found = await knownConnection(ports.config.connection, merchant, platform, ports.report);
    if (found !== undefined && isReleased(found)) platforms.push(platform);
  }
  if (platforms.length === 0) return { restMs: 0 };
  const perMinute = paced === undefined ? undefined : releasedPerMinute(paced, ports);
  const eventsMax =
    perMinute === undefined
      ? Math.min(RELEASE_FIRST * 2 ** Math.min(hop, 10), RELEASE_MAX)
      : Math.ceil(perMinute / source.index.dueShards);
  let cursor = from;
  let entries = 0;
  let events = 0;
  do {
    // Before a batch has been read, only its maximum size is known.
    const eventsEach = entries === 0 ? source.eventsMax : Math.max(events / entries, 1);
    const page = await source.index.dueOf({
      shard,
      group: { merchantId: merchant, parkedFor },
      beforeMs: Number.POSITIVE_INFINITY,
      limit: Math.min(Math.ceil((eventsMax - events) / eventsEach), POINTERS_MAX),
      ...(cursor === undefined ? {} : { cursor }),
    });
    const keys = page.entries.map(({ key }) => key);
    await sendParked(source, keys, platforms, ports);
    entries += keys.length;
    events += await source.countEvents(keys);
    cursor = page.cursor;
  } while (cursor !== undefined && events < eventsMax && ports.clock.now() < untilMs);
  const restMs = paced === undefined ? growingWait(SETTLE, nowMs - startedAtMs) : PACED.restMs;
  return { cursor, restMs };
}
