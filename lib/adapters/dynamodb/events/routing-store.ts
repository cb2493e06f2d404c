import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { RoutingStore } from '../../../events/ports/routing-store.ts';
import { changeRouting, readRouting } from './config-routing.ts';
import { snapshotOf } from './routing-item.ts';

export function createRoutingStore(db: DynamoDBDocumentClient, table: string): RoutingStore {
  return {
    currentRouting: async (merchantId) => snapshotOf(merchantId, await readRouting(db, table, merchantId)),

    async putRules(merchantId, rules) {
      await changeRouting(db, table, merchantId, () => ({ rules }));
    },
  };
}
