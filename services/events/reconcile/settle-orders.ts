// Settles the credit of the orders that a recount reads anyway: by then the clicks of before them are normalized.
import { creditOfRow } from '#lib/events/domain/analytics/settled-credit.ts';
import type { NormalizedRow } from '#lib/events/domain/event/row.ts';
import { byTenant } from '#lib/events/domain/pointer.ts';
import { recountedCredits } from '#lib/events/pipeline/attribution/evidence.ts';
import {
  isDifferent,
  type SettlePorts,
  settleCredit,
} from '#lib/events/pipeline/attribution/settle-credit.ts';
import { bucketRefreshes } from '../aggregate/message.ts';
import type { ReconcilePorts } from './ports.ts';

/** Rows in memory until their persons are looked up. */
const ORDERS_AT_ONCE = 100;

export function collectOrders(ports: SettlePorts & Pick<ReconcilePorts, 'counterRefresh'>) {
  let unread: NormalizedRow[] = [];
  const differing: NormalizedRow[] = [];
  const look = async (): Promise<void> => {
    const rows = unread;
    unread = [];
    const orders = rows.flatMap((row) => {
      const credited = creditOfRow(row);
      return credited === null ? [] : [{ row, credited }];
    });
    const credits = await recountedCredits(orders, 'eventual', ports);
    for (const [at, { row, credited }] of orders.entries())
      if (isDifferent(credits[at], credited)) differing.push(row);
  };
  return {
    onOrder: (row: NormalizedRow): void => void unread.push(row),
    afterRows: async (): Promise<void> => {
      if (unread.length >= ORDERS_AT_ONCE) await look();
    },
    /** Returns how many were credited otherwise than what is known now. */
    settle: async (): Promise<number> => {
      await look();
      const { moved, slots } = await settleCredit(differing, ports);
      if (slots.length > 0) await ports.counterRefresh.send(byTenant(bucketRefreshes([...slots])));
      return moved;
    },
  };
}
