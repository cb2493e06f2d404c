// What the counted units of a minute would cost on provisioned capacity, table by table: the arithmetic behind "When
// provisioned capacity pays" in docs/capacity.md.
import { PRICES } from './cost-model.ts';
import { type Cost, STAGES, type StageCost } from './metered-usage.ts';

export interface Units {
  readonly write: number;
  readonly read: number;
}

/** The target of auto scaling in cdk/capacity.ts. */
export const USED = 0.7;
const SECONDS_PER_HOUR = 3_600;

export const onDemandDollars = ({ write, read }: Units): number =>
  write * PRICES.writeUnit + read * PRICES.readUnit;

/** `used`: the part of the capacity paid for that is in use. A unit of capacity is one unit in each second of its hour. */
export const provisionedDollars = ({ write, read }: Units, used = USED): number =>
  (write * PRICES.writeCapacityHour + read * PRICES.readCapacityHour) / SECONDS_PER_HOUR / used;

export interface TableUnits extends Units {
  readonly table: 'events' | 'batches' | 'analytics' | 'config';
  /** The part of `write` that its indexes take. */
  readonly indexWrite: number;
}

/** Per event. */
export function unitsByTable(cost: Cost, events: number): readonly TableUnits[] {
  const names = { events: 'events', batches: 'batches', analytics: 'counters', config: 'config' } as const;
  return Object.entries(names).map(([table, part]) => {
    const each = (of: (usage: StageCost[typeof part]) => number): number =>
      STAGES.reduce((sum, stage) => sum + of(cost.stages[stage][part]), 0) / events;
    return {
      table: table as TableUnits['table'],
      write: each(({ writeUnits }) => writeUnits),
      indexWrite: each(({ indexWriteUnits }) => indexWriteUnits),
      read: each((usage) => usage.readUnits),
    };
  });
}
