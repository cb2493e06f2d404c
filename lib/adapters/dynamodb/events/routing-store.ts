import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { RoutingStore, RulesChange } from '../../../events/ports/routing-store.ts';
import { changeRouting, readRouting } from './config-routing.ts';
import { snapshotOf } from './routing-item.ts';

export function createRoutingStore(db: DynamoDBDocumentClient, table: string): RoutingStore {
  return {
    currentRouting: async (merchantId) => snapshotOf(merchantId, await readRouting(db, table, merchantId)),

    async changeRules<Answer>(
      merchantId: string,
      decide: (current: readonly unknown[]) => RulesChange<Answer>,
    ) {
      let last: { readonly answer: Answer } | undefined;
      await changeRouting(db, table, merchantId, (current) => {
        const { rules, answer } = decide(current.rules);
        last = { answer };
        return rules === undefined ? null : { rules };
      });
      if (last === undefined) throw new Error('a change of rules is always decided');
      return last.answer;
    },
  };
}
