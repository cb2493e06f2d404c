// The archive of one merchant: its days that are due, one after the other, and its horizon behind them. Work goes on where it was
// left, by whichever archiver. See archive-day.ts for the order within a day.
import { DAY_MS, floorTo } from '#lib/core/work/time-slot.ts';
import { everyShard } from '../../domain/shard.ts';
import type { CounterStore } from '../../ports/counter-store.ts';
import type { Horizon, HorizonStore } from '../../ports/page-store.ts';
import { ARCHIVED_AFTER_MS, type ArchivePorts, archiveUnit, openUnit } from './archive-day.ts';
import { dayPrefix, readIndex, type Unit, unitPrefix } from './unit.ts';

export interface MerchantArchivePorts extends ArchivePorts {
  readonly counters: Pick<CounterStore, 'openedShards'>;
  readonly horizons: Pick<HorizonStore, 'horizon' | 'moveHorizon'>;
}

/** So old the first day is that is looked at: what is older expires late, or not at all. */
const FIRST_DAYS = 12;
/** Opened together, so that a day that was late does not wait for the next run. */
const OPENED_DAYS = 4;

/** How long ago the day at the horizon should have been archived; not above 0: it is not late. */
export const lateMs = ({ dayMs }: Horizon, nowMs: number): number => nowMs - (dayMs + ARCHIVED_AFTER_MS);

/** True where there is more to do at once. */
export async function archiveMerchant(
  merchantId: string,
  isOver: () => boolean,
  ports: MerchantArchivePorts,
): Promise<boolean> {
  const nowMs = ports.clock.now();
  let horizon = await begun(merchantId, nowMs, ports);
  for (let days = 0; days < OPENED_DAYS; days++) {
    const dayMs = horizon.dayMs + days * DAY_MS;
    if (lateMs({ merchantId, dayMs }, nowMs) < 0) break;
    for (const unit of await unitsOf(merchantId, dayMs, ports)) await openUnit(unit, ports);
  }
  while (lateMs(horizon, nowMs) >= 0) {
    const units = await unitsOf(merchantId, horizon.dayMs, ports);
    for (const unit of units) {
      const step = await archiveUnit(unit, isOver, ports);
      if (step !== 'complete') return step === 'more';
    }
    await removeRest(units, ports);
    const next = { merchantId, dayMs: horizon.dayMs + DAY_MS };
    // Another archiver goes on.
    if (!(await ports.horizons.moveHorizon(horizon, next))) return false;
    horizon = next;
    if (isOver()) return lateMs(horizon, nowMs) >= 0;
  }
  return false;
}

async function begun(
  merchantId: string,
  nowMs: number,
  { horizons }: MerchantArchivePorts,
): Promise<Horizon> {
  const seen = await horizons.horizon(merchantId);
  if (seen !== null) return seen;
  const first = { merchantId, dayMs: floorTo(nowMs, DAY_MS) - FIRST_DAYS * DAY_MS };
  if (await horizons.moveHorizon(null, first)) return first;
  return (await horizons.horizon(merchantId)) ?? first;
}

async function unitsOf(
  merchantId: string,
  dayMs: number,
  { counters }: MerchantArchivePorts,
): Promise<readonly Unit[]> {
  const opened = await counters.openedShards(merchantId, dayMs, dayMs + DAY_MS);
  return everyShard(opened).map((shard) => ({
    merchantId,
    dayMs,
    shard,
  }));
}

/**
 * What archivers that died have left of these units, and of the day before, where one that was given up may have gone on: it may
 * have what was erased since.
 */
async function removeRest(units: readonly Unit[], ports: MerchantArchivePorts): Promise<void> {
  const [unit] = units;
  if (unit === undefined) return;
  for (const dayMs of [unit.dayMs - DAY_MS, unit.dayMs]) {
    const names = await ports.objects.names(dayPrefix({ ...unit, dayMs }));
    for (const [prefix, own] of Map.groupBy(names, (name) => name.slice(0, name.lastIndexOf('/') + 1))) {
      const shard = Number.parseInt(prefix.split('/').at(-2) ?? '', 36);
      const seen = await readIndex({ ...unit, dayMs, shard }, ports);
      if (seen === null || !seen.index.isComplete || prefix !== unitPrefix({ ...unit, dayMs, shard }))
        continue;
      const { pages, lists } = seen.index;
      const named = new Set(['index', ...[...pages, ...lists].map(({ name }) => name)]);
      for (const name of own) if (!named.has(name.slice(prefix.length))) await ports.objects.remove(name);
    }
  }
}
