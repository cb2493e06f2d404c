// The emulators of DynamoDB and SQS, in this process. They listen on 127.0.0.1 for scripts; the functions' own clients call them
// without a socket. Tables are on disk; queues are in memory on purpose: a restart loses them, and the rows restore all work.
import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { dirname } from 'node:path';
import dynalite from 'dynalite';
import { buildApp } from 'fauxqs';
import { LocalProblem, unusable } from '../problem.ts';
import { busyPort } from '../settings.ts';
import { ACCOUNT, REGION } from '../stack/references.ts';
import { withConditionalWrites } from './conditional-writes.ts';
import { addNearbyServer, type NearbyServer } from './nearby-servers.ts';

export interface EmulatorOptions {
  /** LevelDB folder of the tables. */
  readonly tablesPath: string;
  /** 0 takes any free port. */
  readonly dynamodbPort: number;
  readonly sqsPort: number;
}

/** Without a slash at the end. */
export interface EmulatorUrls {
  readonly dynamodbUrl: string;
  readonly sqsUrl: string;
}

export interface Emulators extends EmulatorUrls {
  /** Flushes open tables, at the latest after some seconds. */
  close(): Promise<void>;
}

const HOST = '127.0.0.1';
const CLOSE_MAX_MS = 5_000;

/** Throws a LocalProblem where a port is busy or the tables do not open; then nothing is left open. */
export async function startEmulators(options: EmulatorOptions): Promise<Emulators> {
  await openOnce(options.tablesPath);
  const tables = openTables(options.tablesPath);
  const answered = drainOf(tables);
  const queues = withConditionalWrites(buildApp({ logger: false, defaultRegion: REGION }));
  // Node's own timer closes connections that were idle for 5 s, even if a request is on its way: a busy machine would
  // see connection resets.
  for (const server of [tables, queues.server]) server.keepAliveTimeout = 0;
  const leave: (() => void)[] = [];
  const close = async (): Promise<void> => {
    for (const one of leave) one();
    queues.server.closeAllConnections();
    await queues.close();
    await answered();
    tables.closeAllConnections();
    await new Promise<void>((done) => {
      const timer = setTimeout(done, CLOSE_MAX_MS);
      tables.close(() => {
        clearTimeout(timer);
        done();
      });
    });
  };
  try {
    const dynamodbUrl = await listening('dynamodb', options.dynamodbPort, () =>
      listen(tables, options.dynamodbPort),
    );
    const sqsUrl = await listening('sqs', options.sqsPort, async () => {
      await queues.listen({ port: options.sqsPort, host: HOST });
      return queues.server.address() as AddressInfo;
    });
    leave.push(addNearbyServer(dynamodbUrl, servedBy(tables)), addNearbyServer(sqsUrl, injectedIn(queues)));
    return { dynamodbUrl, sqsUrl, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Returns what takes no more requests and waits for the answers to those that it has, a few seconds at most: reading on in tables that
 * are closed, the emulator throws where nothing catches it.
 */
export function drainOf(server: Server): () => Promise<void> {
  let open = 0;
  let none = (): void => undefined;
  server.prependListener('request', (_request, response) => {
    open += 1;
    const { end } = response;
    response.end = (...args: unknown[]) => {
      open -= 1;
      if (open === 0) none();
      return Reflect.apply(end, response, args);
    };
  });
  return async () => {
    server.removeAllListeners('request');
    server.on('request', ({ socket }) => socket.destroy());
    if (open === 0) return;
    await new Promise<void>((done) => {
      const timer = setTimeout(done, CLOSE_MAX_MS);
      none = () => {
        clearTimeout(timer);
        done();
      };
    });
  };
}

/** It reads from the environment, once, whose tables they are. */
function openTables(path: string): Server {
  const { AWS_ACCOUNT_ID: account, AWS_REGION: region } = process.env;
  Object.assign(process.env, { AWS_ACCOUNT_ID: ACCOUNT, AWS_REGION: REGION });
  try {
    return dynalite({ path, createTableMs: 0, deleteTableMs: 0, updateTableMs: 0 });
  } finally {
    for (const [name, value] of Object.entries({ AWS_ACCOUNT_ID: account, AWS_REGION: region }))
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
  }
}

interface Database {
  open(): Promise<void>;
  close(): Promise<void>;
  _get(key: unknown, options: unknown): Promise<unknown>;
  _getSync(key: unknown, options: unknown): unknown;
}

/**
 * Says why the database does not open, which the emulator hides. Level is the emulator's own. It reads here and not in a thread
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
    const reason = (cause instanceof Error ? cause.message : message).split('\n', 1)[0];
    throw unusable(dirname(path), `its tables cannot be opened (${reason})`);
  }
}

async function listening(use: string, port: number, listen: () => Promise<AddressInfo>): Promise<string> {
  try {
    return `http://${HOST}:${(await listen()).port}`;
  } catch (error) {
    const { code = String(error) } = error as NodeJS.ErrnoException;
    throw new LocalProblem(busyPort(port, use, code));
  }
}

async function listen(server: Server, port: number): Promise<AddressInfo> {
  await new Promise<void>((done, fail) => {
    server.once('error', fail);
    server.listen(port, HOST, () => done());
  });
  return server.address() as AddressInfo;
}

/** A server whose listener reads a request by its events and answers by one `end`. */
export function servedBy(server: Server): NearbyServer {
  return ({ method, path, headers, body }) =>
    new Promise((resolve) => {
      const request = Object.assign(new EventEmitter(), { method, url: path, headers });
      const sent: Record<string, string> = {};
      const response = {
        statusCode: 200,
        setHeader: (name: string, value: unknown) => {
          sent[name.toLowerCase()] = String(value);
        },
        end(text = '') {
          resolve({ statusCode: this.statusCode, headers: sent, body: Buffer.from(text) });
        },
      };
      server.emit('request', request, response);
      request.emit('data', body);
      request.emit('end');
    });
}

/** A server of fastify. */
export function injectedIn(app: ReturnType<typeof buildApp>): NearbyServer {
  return async ({ method, path, headers, body }) => {
    const answer = await app.inject({ method: method as 'POST', url: path, headers, payload: body });
    return { statusCode: answer.statusCode, headers: answer.headers, body: answer.rawPayload };
  };
}
