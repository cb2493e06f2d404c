// What ended late is asked to be counted.
import type { NormalizedRow } from '#lib/events/domain/event/row.ts';
import { byTenant } from '#lib/events/domain/pointer.ts';
import { countedAt } from '#lib/events/pipeline/counting/due-slots.ts';
import { counterRefreshes } from '../aggregate/message.ts';
import type { DeliverPorts } from './ports.ts';

/** What ends sooner is seen by the count that normalize asked for. */
const COUNTED_ANYWAY_MS = 3_000;

/** Analytics is updated soon; if the hint is lost, at the slot's own due time. */
export async function requestCounterRefresh(
  changed: readonly NormalizedRow[],
  ports: Pick<DeliverPorts, 'counterRefresh' | 'clock' | 'report'>,
): Promise<void> {
  const nowMs = ports.clock.now();
  const refreshes = counterRefreshes(
    changed.filter((row) => nowMs - row.receivedAtMs > COUNTED_ANYWAY_MS).map((row) => countedAt(row)),
  );
  if (refreshes.length === 0) return;
  try {
    await ports.counterRefresh.send(byTenant(refreshes));
  } catch (error) {
    ports.report('a counter refresh was not sent', error);
  }
}
