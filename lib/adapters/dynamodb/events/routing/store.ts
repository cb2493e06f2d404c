import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { ItemQuarantine } from '#lib/core/record/unreadable-item.ts';
import type { RoutingStore, RulesChange } from '#lib/events/ports/routing-store.ts';
import { createRoutingItems } from './config-routing.ts';
import { type Routing, snapshotOf } from './item.ts';

export function createRoutingStore(
  db: DynamoDBDocumentClient,
  table: string,
  quarantine: ItemQuarantine = () => {},
): RoutingStore {
  const routings = createRoutingItems(db, table, quarantine);
  return {
    currentRouting: async (merchantId) => snapshotOf(merchantId, await routings.read(merchantId)),

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
      await routings.change(merchantId, change);
      if (last === undefined) throw new Error('a change of rules is always decided');
      return last.answer;
    },
  };
}
