// The database of this folder behind the real adapters, held to what the stores promise: the same suites that dynalite and
// Amazon's DynamoDB Local are held to.
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { synthesizeApp } from '#cdk/synthesize.ts';
import { createDataKeyStore } from '#lib/adapters/dynamodb/core/keys/data-keys.ts';
import { createDayKeyStore } from '#lib/adapters/dynamodb/core/keys/day-keys.ts';
import { createBatchStore } from '#lib/adapters/dynamodb/events/batches/store.ts';
import { createCounterStore } from '#lib/adapters/dynamodb/events/counter-store.ts';
import { createConfigStores } from '#lib/adapters/dynamodb/events/routing/config-stores.ts';
import { createRowErasure } from '#lib/adapters/dynamodb/events/rows/erased-rows.ts';
import { createEventStore } from '#lib/adapters/dynamodb/events/rows/event-store.ts';
import { readTopology } from '#services/local/stack/template.ts';
import { batchStoreConformance } from '../../conformance/stores/batch-store.suite.ts';
import { configConformance } from '../../conformance/stores/config.suite.ts';
import { counterStoreConformance } from '../../conformance/stores/counter-store.suite.ts';
import { dayKeyConformance } from '../../conformance/stores/day-keys.suite.ts';
import { eventStoreConformance } from '../../conformance/stores/event-store.suite.ts';
import { tenancyConformance } from '../../conformance/stores/tenancy.suite.ts';
import { createSeededRandom } from '../../support/memory/random.ts';
import { createDatabase } from './database.ts';

const { template } = synthesizeApp({ ephemeral: true, bundle: false });
const { tables, functions } = readTopology(template, {
  sqsOrigin: 'https://sqs.invalid',
  endpointUrl: () => 'https://function.invalid',
});
const variables = Object.assign({}, ...functions.map(({ environment }) => environment)) as Record<
  string,
  string
>;

let nowMs = 0;
const database = createDatabase({
  tables,
  // Each call in a second of its own: throttling is for another test.
  now: () => (nowMs += 1_000),
  later: (show) => show(),
  capacity: () => ({}),
});
const db = {
  send: async (command: { constructor: { name: string }; input: Record<string, unknown> }) =>
    database.execute(command.constructor.name, command.input).output,
} as unknown as DynamoDBDocumentClient;
const table = (variable: string): string => variables[variable] ?? '';

eventStoreConformance('modelled DynamoDB', async () => ({
  ...createEventStore(db, table('EVENTS_TABLE')),
  ...createRowErasure(db, table('EVENTS_TABLE')),
}));
batchStoreConformance('modelled DynamoDB', [], () => ({
  store: createBatchStore(db, table('BATCHES_TABLE')),
  spoilers: {},
}));
counterStoreConformance('modelled DynamoDB', async () => createCounterStore(db, table('ANALYTICS_TABLE')));
configConformance('modelled DynamoDB', async () => ({
  config: createConfigStores(db, table('CONFIG_TABLE'), createSeededRandom('keys')),
  dataKeys: createDataKeyStore(db, table('CONFIG_TABLE')),
}));
tenancyConformance('modelled DynamoDB', async () =>
  createConfigStores(db, table('CONFIG_TABLE'), createSeededRandom('copies')),
);
dayKeyConformance('modelled DynamoDB', () => createDayKeyStore(db, table('CONFIG_TABLE')));
