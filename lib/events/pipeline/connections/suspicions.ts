// What a stage takes for an incident goes to the task stage, which looks at it and sends the mail. Guarantees: a process says the
// same of a merchant once in a while only, so that trouble costs one message for many events; a merchant without trouble costs nothing; never throws.
import type { Clock } from '#lib/core/ports/clock.ts';
import type { MessageSender } from '#lib/core/ports/queue.ts';
import { MINUTE_MS } from '#lib/core/work/time-slot.ts';
import type { IncidentLimit } from '../../domain/connections/incident.ts';
import type { TaskWork } from '../../domain/deliveries/task-work.ts';
import { byTenant } from '../../domain/pointer.ts';

export type Suspicion = Omit<Extract<TaskWork, { readonly incident: string }>, 'version'>;

export interface SuspicionPorts {
  /** Absent in models of the pipeline. */
  readonly taskWork?: MessageSender<TaskWork> | undefined;
  readonly clock: Clock;
  readonly report: (problem: string, error: unknown) => void;
}

export interface Suspicions {
  /** `facts`: asked for where it is said, null where there is nothing to say. `state`: said again at once when it changes, such as a limit that is near and then passed. */
  suspect(
    suspicion: Suspicion,
    state?: string,
    facts?: () => Promise<Partial<Suspicion> | null>,
  ): Promise<void>;
}

/** The share of a limit from which on it is near. */
const NEAR_SHARE = 0.8;

/** To be called with what is used of a limit now: says so where it is near, and again once it is passed. */
export async function suspectLimit(
  { suspect }: Suspicions,
  merchant: string,
  subject: IncidentLimit,
  { used, limit }: { readonly used: number; readonly limit: number },
): Promise<void> {
  if (used < limit * NEAR_SHARE) return;
  await suspect({ merchant, incident: 'limit', subject, used, limit }, used >= limit ? 'passed' : 'near');
}

/** A suspicion of what goes on keeps it from being taken for over. */
export const SUSPECTED_EVERY_MS = 5 * MINUTE_MS;
const REMEMBERED_MAX = 10_000;

export function createSuspicions(
  { taskWork, clock, report }: SuspicionPorts,
  everyMs: number = SUSPECTED_EVERY_MS,
): Suspicions {
  const saidMs = new Map<string, number>();
  return {
    async suspect(suspicion, state = '', facts = async () => ({})) {
      const { merchant, incident, subject } = suspicion;
      const id = `${merchant}/${incident}/${subject}/${state}`;
      const nowMs = clock.now();
      if (taskWork === undefined || nowMs - (saidMs.get(id) ?? Number.NEGATIVE_INFINITY) < everyMs) return;
      if (saidMs.size >= REMEMBERED_MAX) saidMs.clear();
      saidMs.set(id, nowMs);
      try {
        const more = await facts();
        if (more !== null) await taskWork.send(byTenant([{ ...suspicion, ...more }]));
      } catch (error) {
        saidMs.delete(id);
        report('what may be an incident was not told to its stage', error);
      }
    },
  };
}
