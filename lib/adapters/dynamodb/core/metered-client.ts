// Says what each request to DynamoDB consumed. What is refused by a condition or throttled is not in it: DynamoDB says no figure then.
import type { Units } from '#lib/core/tenancy/unit-budget.ts';
import type { Db } from './items/commands.ts';

type Capacity = { readonly CapacityUnits?: number } | undefined;

/** Commands that write nothing, by name: Get, BatchGet, TransactGet, Query, Scan. */
const READS = /^(?:Batch|Transact)?Get|^Query|^Scan/;

/** Changes `db`. `add` is called once for each request that DynamoDB took. */
export function meterUnits(db: Db, add: (kind: keyof Units, units: number) => void): void {
  db.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        const input = { ...args.input, ReturnConsumedCapacity: 'TOTAL' } as typeof args.input;
        const result = await next({ ...args, input });
        const { ConsumedCapacity: consumed } = result.output as { ConsumedCapacity?: Capacity | Capacity[] };
        const units = [consumed].flat().reduce((sum, one) => sum + (one?.CapacityUnits ?? 0), 0);
        add(READS.test(commandName) ? 'read' : 'write', units);
        return result;
      },
    { step: 'initialize', name: 'meterUnits' },
  );
}
