// A thread with the DynamoDB and SQS emulators, so that they use a core of their own. Listens on 127.0.0.1 only. Tables
// are on disk; queues are in memory on purpose: a restart loses them, and the rows restore all work.
import type { Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';
import dynalite from 'dynalite';
import { buildApp } from 'fauxqs';
import { ACCOUNT, REGION } from '../stack/references.ts';
import type { EmulatorAddresses, EmulatorOptions, EmulatorReport } from './start.ts';

const HOST = '127.0.0.1';

async function run(options: EmulatorOptions): Promise<() => Promise<void>> {
  process.env.AWS_ACCOUNT_ID = ACCOUNT;
  process.env.AWS_REGION = REGION;
  await openOnce(options.tablesPath);
  const tables = dynalite({ path: options.tablesPath, createTableMs: 0, deleteTableMs: 0, updateTableMs: 0 });
  const queues = buildApp({ logger: false, defaultRegion: REGION });
  // Node's own timer closes connections that were idle for 5 s, even if a request is on its way: a busy machine would
  // see connection resets.
  for (const server of [tables, queues.server]) server.keepAliveTimeout = 0;
  const addresses: EmulatorAddresses = {
    dynamodbPort: await listen('dynamodb', tables, options.dynamodbPort),
    sqsPort: await listen('sqs', queues, options.sqsPort),
  };
  report({ kind: 'ready', addresses });
  return async () => {
    queues.server.closeAllConnections();
    await queues.close();
    tables.closeAllConnections();
    await new Promise<void>((done) => {
      tables.close(() => done());
    });
  };
}

interface Database {
  open(): Promise<void>;
  close(): Promise<void>;
  _get(key: unknown, options: unknown): Promise<unknown>;
  _getSync(key: unknown, options: unknown): unknown;
}

/**
 * Reports why the database does not open, which the emulator hides. Level is the emulator's own. It reads here and not in a thread
 * of the pool: a read takes microseconds, the way there and back several times as long.
 */
async function openOnce(path: string): Promise<void> {
  const { Level } = createRequire(createRequire(import.meta.url).resolve('dynalite'))('level') as {
    Level: { new (path: string): Database; readonly prototype: Database };
  };
  Level.prototype._get = async function (key, options) {
    return this._getSync(key, options);
  };
  const db = new Level(path);
  try {
    await db.open();
    await db.close();
  } catch (error) {
    const { message, cause } = error as Error;
    const reason = cause instanceof Error ? cause.message : message;
    report({ kind: 'unreadable', reason: reason.split('\n', 1)[0] ?? '' });
    process.exit(1);
  }
}

type Listening = Pick<Server, 'listen' | 'once' | 'address'> | ReturnType<typeof buildApp>;

async function listen(use: string, server: Listening, port: number): Promise<number> {
  try {
    if ('server' in server) {
      await server.listen({ port, host: HOST });
      return (server.server.address() as AddressInfo).port;
    }
    await new Promise<void>((done, fail) => {
      server.once('error', fail);
      server.listen(port, HOST, () => done());
    });
    return (server.address() as AddressInfo).port;
  } catch (error) {
    const { code = String(error) } = error as NodeJS.ErrnoException;
    report({ kind: 'failed', use, port, code });
    // Not thrown: an error event may overtake the report, an exit waits for it.
    process.exit(1);
  }
}

function report(message: EmulatorReport): void {
  parentPort?.postMessage(message);
}

// The failure was reported: an error thrown here could overtake the report. The starter ends this thread.
const close = await run(workerData as EmulatorOptions).catch(() => async () => undefined);
parentPort?.once('message', () => {
  close().then(
    () => process.exit(0),
    () => process.exit(1),
  );
});
