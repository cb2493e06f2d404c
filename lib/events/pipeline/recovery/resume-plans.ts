// Sends a message for every replay plan that has a place; a plan that makes progress, or is paused, ignores it. So a
// plan whose message was lost, or whose step crashed, continues two sweeps later. Guarantees: a failure does not keep
// the sweep from its other work.
import type { MessageSender } from '#lib/core/ports/queue.ts';
import { byTenant } from '../../domain/pointer.ts';
import type { ReplayWork } from '../../domain/replays/work.ts';
import type { ReplayStore } from '../../ports/replay-store.ts';

export interface ResumePlansPorts {
  readonly replays: Pick<ReplayStore, 'activePlans'>;
  readonly replayWork: MessageSender<ReplayWork>;
  readonly report: (problem: string, error: unknown) => void;
}

export async function resumePlans({ replays, replayWork, report }: ResumePlansPorts): Promise<number> {
  let sent = 0;
  try {
    let cursor: string | undefined;
    do {
      const page = await replays.activePlans(cursor);
      const work = page.plans.map(({ merchantId, planId }) => ({ merchant: merchantId, plan: planId }));
      if (work.length > 0) await replayWork.send(byTenant(work));
      sent += work.length;
      cursor = page.cursor;
    } while (cursor !== undefined);
  } catch (error) {
    report('replay plans were not told to go on', error);
  }
  return sent;
}
