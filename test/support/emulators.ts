// The emulators tests talk to: those that `npm run e2e:localstack` started and names in two variables, or else each test's own.
import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { DeleteTableCommand, DynamoDBClient, paginateListTables } from '@aws-sdk/client-dynamodb';
import { DeleteQueueCommand, paginateListQueues, SQSClient } from '@aws-sdk/client-sqs';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import dynalite from 'dynalite';
import { buildApp } from 'fauxqs';
import { addNearbyServer } from '../../services/local/emulators/nearby-servers.ts';
import { drainOf, type EmulatorUrls, injectedIn, servedBy } from '../../services/local/emulators/start.ts';
import { createModelledDynamodb } from './memory/modelled-dynamodb.ts';

/** Undefined where a test starts emulators of its own. */
export function runningEmulators(): EmulatorUrls | undefined {
  const { MILLRACE_DYNAMODB_URL: dynamodbUrl, MILLRACE_SQS_URL: sqsUrl } = process.env;
  return dynamodbUrl === undefined || sqsUrl === undefined ? undefined : { dynamodbUrl, sqsUrl };
}

/** Deletes every table and queue of running emulators: a host finds them as it would find its own. */
export async function clearRunningEmulators(): Promise<void> {
  const urls = runningEmulators();
  if (urls === undefined) return;
  const access = { region: 'us-east-1', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } };
  const db = new DynamoDBClient({ ...access, endpoint: urls.dynamodbUrl });
  const tables: string[] = [];
  for await (const page of paginateListTables({ client: db }, {})) tables.push(...(page.TableNames ?? []));
  for (const TableName of tables) await db.send(new DeleteTableCommand({ TableName }));
  const sqs = new SQSClient({ ...access, endpoint: urls.sqsUrl, useQueueUrlAsEndpoint: false });
  const queues: string[] = [];
  for await (const page of paginateListQueues({ client: sqs }, {})) queues.push(...(page.QueueUrls ?? []));
  for (const QueueUrl of queues) await sqs.send(new DeleteQueueCommand({ QueueUrl }));
  db.destroy();
  sqs.destroy();
}

export interface DynamodbEndpoint {
  readonly endpoint: string;
  /** As asked for, or one of its own where other tests use the same tables. */
  readonly tableName: (name: string) => string;
  /** From now on the client calls the emulator without a socket, where it is in this process. */
  connect(client: DynamoDBDocumentClient): void;
  close(): Promise<void>;
}

/** An empty dynalite in memory, or the DynamoDB that runs. */
export async function openDynamodb(): Promise<DynamodbEndpoint> {
  const running = runningEmulators();
  if (running !== undefined) {
    const suffix = randomUUID();
    return {
      endpoint: running.dynamodbUrl,
      tableName: (name) => `${name}-${suffix}`,
      connect: () => undefined,
      close: async () => undefined,
    };
  }
  const server = dynalite({ createTableMs: 0 });
  const answered = drainOf(server);
  // Node's own timer ends connections that were idle for 5 s, also with a request on its way: in a busy process that is a reset.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let goAway = (): void => undefined;
  return {
    endpoint,
    tableName: (name) => name,
    connect: () => {
      goAway = addNearbyServer(endpoint, servedBy(server));
    },
    close: async () => {
      goAway();
      await answered();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/**
 * DynamoDB as test/scale models it, for tests that are about our tables and not about how DynamoDB takes a request: in both, stores
 * keep what test/conformance says of them. Commands come to it past the SDK's text and the emulator's, which are half of what such
 * a test computes.
 */
export function openModelledDynamodb(): DynamodbEndpoint {
  const model = createModelledDynamodb();
  return {
    endpoint: 'http://127.0.0.1:9',
    tableName: (name) => name,
    connect: (client) =>
      client.middlewareStack.add(
        (_next, { commandName }) =>
          async ({ input }) => ({
            response: {},
            output: model(String(commandName).replace(/Command$/, ''), input) as never,
          }),
        // What counts calls is above it.
        { step: 'initialize', priority: 'low', name: 'modelled' },
      ),
    close: async () => undefined,
  };
}

export interface SqsEndpoint {
  readonly endpoint: string;
  /** From now on clients of this process call it without a socket, where it is in this process. */
  bringNear(): void;
  close(): Promise<void>;
}

/** An empty fauxqs, or the SQS that runs. */
export async function openSqs(): Promise<SqsEndpoint> {
  const running = runningEmulators();
  if (running !== undefined)
    return { endpoint: running.sqsUrl, bringNear: () => undefined, close: async () => undefined };
  const app = buildApp({ logger: false, defaultRegion: 'us-east-1' });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const endpoint = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  let goAway = (): void => undefined;
  return {
    endpoint,
    bringNear: () => {
      goAway = addNearbyServer(endpoint, injectedIn(app));
    },
    close: () => {
      goAway();
      return app.close();
    },
  };
}
