// What an operator's requests read and write of the config table.

import { createAuditLog } from '#lib/adapters/dynamodb/core/audit-log.ts';
import type { Db } from '#lib/adapters/dynamodb/core/items/commands.ts';
import { createApiKeyStore } from '#lib/adapters/dynamodb/core/keys/api-keys.ts';
import { createDataKeyStore } from '#lib/adapters/dynamodb/core/keys/data-keys.ts';
import { createDayKeyStore } from '#lib/adapters/dynamodb/core/keys/day-keys.ts';
import { createKeyRotationStore } from '#lib/adapters/dynamodb/core/keys/key-rotation.ts';
import { createPassStore } from '#lib/adapters/dynamodb/core/keys/passes.ts';
import { createMemberStore } from '#lib/adapters/dynamodb/core/tenancy/members.ts';
import { createSuspensionStore } from '#lib/adapters/dynamodb/core/tenancy/suspensions.ts';
import { createBillingStore } from '#lib/adapters/dynamodb/events/billing-store.ts';
import { createMerchantLimitStore } from '#lib/adapters/dynamodb/events/merchant-limits.ts';
import { createMerchantPages } from '#lib/adapters/dynamodb/events/merchant-pages.ts';
import { createMerchantStore, createNewMerchantStore } from '#lib/adapters/dynamodb/events/merchants.ts';
import { createConnectionStore } from '#lib/adapters/dynamodb/events/routing/connection-store.ts';
import { createPlatformPauseStore } from '#lib/adapters/dynamodb/events/routing/platform-pauses.ts';
import { createCredentialStore } from '#lib/adapters/dynamodb/events/routing/resealed-credentials.ts';
import { createIncidentStore } from '#lib/adapters/dynamodb/events/tasks/incident-store.ts';
import { removeTasks } from '#lib/adapters/dynamodb/events/tasks/job-store.ts';
import { createRecordStore } from '#lib/adapters/dynamodb/helpdesk/record-store.ts';
import { WEBHOOKS } from '#lib/adapters/dynamodb/helpdesk/records.ts';
import type { Random } from '#lib/core/ports/clock.ts';
import type { OperatorPorts, RotatingPorts } from './ports.ts';

type Stores = Pick<
  OperatorPorts,
  'config' | 'pages' | 'incidents' | 'billing' | 'keys' | 'dataKeys' | 'dayKeys' | 'removeTasks'
>;

/** `helpdesk`: its table; absent where it is not deployed. */
export const sealedStoresOf =
  (db: Db, table: string, helpdesk: string | undefined): RotatingPorts['sealedStores'] =>
  (report) => {
    const quarantine = ({ message }: Error) => report(message);
    return {
      credentials: createCredentialStore(db, table, quarantine),
      team: createMemberStore(db, table, quarantine),
      keys: createKeyRotationStore(db, table, quarantine),
      webhooks: helpdesk === undefined ? null : createRecordStore(db, helpdesk, WEBHOOKS, quarantine),
    };
  };

export const operatorStores = (db: Db, table: string, random: Random): Stores => ({
  config: {
    ...createAuditLog(db, table),
    ...createMemberStore(db, table),
    ...createMerchantStore(db, table),
    ...createNewMerchantStore(db, table),
    ...createConnectionStore(db, table),
    ...createSuspensionStore(db, table),
    ...createPassStore(db, table),
    ...createPlatformPauseStore(db, table),
    ...createMerchantLimitStore(db, table),
  },
  pages: createMerchantPages(db, table),
  incidents: createIncidentStore(db, table),
  billing: createBillingStore(db, table),
  dataKeys: createDataKeyStore(db, table),
  dayKeys: createDayKeyStore(db, table),
  removeTasks: (merchantId) => removeTasks(db, table, merchantId),
  keys: {
    evk: createApiKeyStore(db, table, random, 'evk'),
    hdk: createApiKeyStore(db, table, random, 'hdk'),
  },
});
