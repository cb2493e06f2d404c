// Opens a kept incident that was suspected, looks at one that goes on every five minutes, mails its merchant once, and ends it.
// Guarantees: of many messages one writes each version, and only the message of the newest version goes on; what was written and not
// mailed is tried again in a minute; a merchant without trouble costs nothing here.

import { written } from '#lib/core/work/long-task.ts';
import { CONFLICT, retryConflicts } from '#lib/core/work/retry-conflicts.ts';
import {
  endedIncident,
  foundIncident,
  incidentId,
  isActive,
  isOpen,
  type KeptIncident,
  LOOK_MS,
  needsTelling,
  nextTurnMs,
} from '#lib/events/domain/connections/incident.ts';
import { byTenant } from '#lib/events/domain/pointer.ts';
import { type IncidentWork, LOOKS } from './incident-looks.ts';
import { mailAboutIncident } from './incident-mail.ts';
import { sendNews, webhooksOf, withNews } from './incident-news.ts';
import type { ConnectionWork } from './mail-connection.ts';
import type { TaskPorts } from './ports.ts';

export async function workOnIncident(work: IncidentWork, ports: TaskPorts): Promise<void> {
  const { incidents, clock } = ports;
  const { merchant, incident: kind, subject } = work;
  const active = await retryConflicts({ what: 'an incident' }, async () => {
    const known = await incidents.incident(merchant, incidentId(kind, subject));
    const goesOn = known !== null && isOpen(known) ? known : null;
    const nowMs = clock.now();
    if (isOutdated(work, known, nowMs)) return null;
    // It is over, and something of it is unsent; or its time to be looked at has not come.
    if (work.version !== undefined && (goesOn === null || nowMs < goesOn.notBeforeMs - EARLY_MS))
      return known;
    const look = await LOOKS[kind](work, goesOn, ports);
    if (look !== 'over' && look !== 'instead') {
      const found = foundIncident(known, look, nowMs);
      const next = goesOn === null ? await withNews(found, ports) : found;
      return (await written(next, incidents.writeIncident)) ?? CONFLICT;
    }
    if (goesOn === null) return null;
    const ended = endedIncident(goesOn, nowMs);
    // Before it is written: where the process dies between, the message comes again and mails once more.
    if (look === 'over' && goesOn.isTold && kind === 'failing') await mailAboutIncident(ended, ports);
    return (await written(await withNews(ended, ports), incidents.writeIncident)) ?? CONFLICT;
  });
  if (active === null) return;
  const sent = await told(await sendNews(active, ports), ports);
  if (isActive(sent)) await goOn(sent, ports);
}

/** What a connection says of itself is kept for webhooks alone: where there are none, nothing is read or written for it. */
export async function tellWebhooks(
  { merchant, slot: subject }: ConnectionWork,
  ports: TaskPorts,
): Promise<void> {
  if ((await webhooksOf(merchant, ports.config)).length === 0) return;
  for (const incident of ['refused', 'unavailable'] as const)
    await workOnIncident({ merchant, incident, subject }, ports);
}

/** Another message has written it since, or it was looked at a moment ago and the message says nothing new. */
function isOutdated(
  { version, used, limit, ...work }: IncidentWork,
  known: KeptIncident | null,
  nowMs: number,
): boolean {
  if (version !== undefined) return known?.version !== version || !isActive(known);
  // Said by who changed the connection.
  if (known === null || !isOpen(known) || work.incident === 'refused' || work.incident === 'unavailable')
    return false;
  const isPassed = used !== undefined && limit !== undefined && used >= limit && (known.used ?? 0) < limit;
  return !isPassed && nowMs - known.updatedAtMs < LOOK_MS - LOOK_SLACK_MS && isSettled(known, nowMs);
}

/** Queues count whole seconds. */
const EARLY_MS = 1_000;
/** A suspicion as often as looks are made does not hold up the looks. */
const LOOK_SLACK_MS = 60_000;

/** From a mail that no provider took now to the next try. */
const UNTOLD_MS = 60_000;
/** As long as a queue keeps a message back. */
const DELAY_MAX_SEC = 900;

/** No mail is due: where a process died before its mail, the message that comes again sends it. */
const isSettled = (open: KeptIncident, nowMs: number): boolean => !needsTelling(open, nowMs);

async function told(open: KeptIncident, ports: TaskPorts): Promise<KeptIncident> {
  const nowMs = ports.clock.now();
  if (!needsTelling(open, nowMs)) return open;
  try {
    await mailAboutIncident(open, ports);
  } catch (error) {
    ports.report('a merchant could not be told of an incident, and is told in a minute', error);
    return open;
  }
  const next = { ...open, isTold: true, toldAtMs: nowMs };
  // Another process has written it: that one goes on, and mails once more.
  return (await written(next, ports.incidents.writeIncident)) ?? open;
}

async function goOn(incident: KeptIncident, ports: TaskPorts): Promise<void> {
  const { merchantId, kind, subject, version } = incident;
  const nowMs = ports.clock.now();
  const dueMs = needsTelling(incident, nowMs) ? nowMs + UNTOLD_MS : nextTurnMs(incident);
  const delaySec = Math.min(DELAY_MAX_SEC, Math.max(1, Math.ceil((dueMs - nowMs) / 1_000)));
  await ports.work.send(byTenant([{ merchant: merchantId, incident: kind, subject, version }]), { delaySec });
}
