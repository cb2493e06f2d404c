import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { ItemQuarantine } from '#lib/core/record/unreadable-item.ts';
import type { RoutingStore, RulesChange } from '#lib/events/ports/routing-store.ts';
import { changeRouting, readRouting } from './config-routing.ts';
import { type Routing, snapshotOf } from './item.ts';

export function createRoutingStore(
  db: DynamoDBDocumentClient,
  table: string,
  quarantine: ItemQuarantine = () => {},
): RoutingStore {
  return {
    currentRouting: async (merchantId) =>
      snapshotOf(merchantId, await readRouting(db, table, merchantId, quarantine)),

    async changeRules<Answer>(
      merchantId: string,
      decide: (current: readonly unknown[]) => RulesChange<Answer>,
    ) {
      let last: { readonly answer: Answer } | undefined;
      const change = (current: Routing) => {
        const { rules, answer } = decide(current.rules);
        last = { answer };
        return rules === undefined ? null : { rules };
      };
      await changeRouting(db, table, merchantId, change, quarantine);
      if (last === undefined) throw new Error('a change of rules is always decided');
      return last.answer;
    },
  };
}
