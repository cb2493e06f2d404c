// Credentials of connections, sealed again. What they say stays, and so do the connection's revision and its circuit.
import type { ItemQuarantine } from '#lib/core/record/unreadable-item.ts';
import type { Connection } from '#lib/events/domain/connections/connection.ts';
import { connectionTarget } from '#lib/events/domain/connections/target.ts';
import type { CredentialStore } from '#lib/events/ports/connection-store.ts';
import type { Db } from '../../core/items/commands.ts';
import { createRoutingItems } from './config-routing.ts';

export function createCredentialStore(db: Db, table: string, quarantine: ItemQuarantine): CredentialStore {
  const routings = createRoutingItems(db, table, quarantine);
  return {
    connections: async (merchantId) => Object.values((await routings.read(merchantId)).connections),

    async putCredentials(seen: Connection, sealed: string) {
      const change = {
        update: 'SET c.#p.sealedCredentials = :sealed',
        condition: 'c.#p.id = :id AND c.#p.sealedCredentials = :seen',
        names: { '#p': connectionTarget(seen) },
        values: { ':id': seen.id, ':seen': seen.sealedCredentials, ':sealed': sealed },
      };
      return (await routings.updateWhereItIs(seen.merchantId, change, 'NONE')) !== null;
    },
  };
}
