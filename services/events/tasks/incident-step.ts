// Opens a kept incident that was suspected, looks at one that goes on every five minutes, tells its merchant once, and ends it.
// Guarantees: of many messages one writes each version, and only the message of the newest version goes on; what was written and not
// told is told by the same message again, or by the next look; a merchant without trouble costs nothing here.

import { written } from '#lib/core/work/long-task.ts';
import { CONFLICT, retryConflicts } from '#lib/core/work/retry-conflicts.ts';
import {
  endedIncident,
  foundIncident,
  incidentId,
  isOpen,
  type KeptIncident,
  LOOK_MS,
  needsTelling,
} from '#lib/events/domain/connections/incident.ts';
import { byTenant } from '#lib/events/domain/pointer.ts';
import { type IncidentWork, LOOKS } from './incident-looks.ts';
import { mailAboutIncident } from './incident-mail.ts';
import type { TaskPorts } from './ports.ts';

export async function workOnIncident(work: IncidentWork, ports: TaskPorts): Promise<void> {
  const { incidents, clock } = ports;
  const { merchant, incident: kind, subject } = work;
  const open = await retryConflicts({ what: 'an incident' }, async () => {
    const known = await incidents.incident(merchant, incidentId(kind, subject));
    const goesOn = known !== null && isOpen(known) ? known : null;
    const nowMs = clock.now();
    if (isOutdated(work, goesOn, nowMs)) return null;
    const look = await LOOKS[kind](work, goesOn, ports);
    if (look === 'over' || look === 'instead') {
      if (goesOn === null) return null;
      // Before it is written, so that a process that dies tells it again.
      if (look === 'over' && goesOn.isTold && kind === 'failing')
        await mailAboutIncident(endedIncident(goesOn, nowMs), ports);
      return (await written(endedIncident(goesOn, nowMs), incidents.writeIncident)) === null
        ? CONFLICT
        : null;
    }
    return (await written(foundIncident(known, look, nowMs), incidents.writeIncident)) ?? CONFLICT;
  });
  if (open !== null) await goOn(await told(open, ports), ports);
}

/** Another message has written it since, or it was looked at a moment ago and the message says nothing new. */
function isOutdated(
  { version, used, limit }: IncidentWork,
  open: KeptIncident | null,
  nowMs: number,
): boolean {
  if (version !== undefined) return open?.version !== version;
  if (open === null) return false;
  const isPassed = used !== undefined && limit !== undefined && used >= limit && (open.used ?? 0) < limit;
  return !isPassed && nowMs - open.updatedAtMs < LOOK_MS - LOOK_SLACK_MS && isSettled(open, nowMs);
}

/** A suspicion as often as looks are made does not hold up the looks. */
const LOOK_SLACK_MS = 60_000;

/** What is to be told was told: where a process died before, the message that comes again does it. */
const isSettled = (open: KeptIncident, nowMs: number): boolean => !needsTelling(open, nowMs);

async function told(open: KeptIncident, ports: TaskPorts): Promise<KeptIncident> {
  const nowMs = ports.clock.now();
  if (!needsTelling(open, nowMs)) return open;
  await mailAboutIncident(open, ports);
  const next = { ...open, isTold: true, toldAtMs: nowMs };
  // Another process has written it: that one goes on, and tells it again.
  return (await written(next, ports.incidents.writeIncident)) ?? open;
}

async function goOn(
  { merchantId, kind, subject, version, notBeforeMs }: KeptIncident,
  ports: TaskPorts,
): Promise<void> {
  const delaySec = Math.max(1, Math.ceil((notBeforeMs - ports.clock.now()) / 1_000));
  await ports.work.send(byTenant([{ merchant: merchantId, incident: kind, subject, version }]), { delaySec });
}
