// The embedded host in a process of its own, as `npm start` runs it, and what a benchmark asks of it: events sent with the
// time they were accepted, and when each arrived at each platform.
import { spawn } from 'node:child_process';
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { type Agent, request } from 'undici';
import { createDocumentClient } from '../../lib/adapters/dynamodb/core/client.ts';
import type { Session } from '../../services/local/session.ts';
import type { standardEvent } from './standard-event.ts';

const START_MAX_MS = 300_000;
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const COUNT_WRITES = new URL('./count-writes.mjs', import.meta.url).href;

export interface EmbeddedHost {
  readonly session: Session;
  /** Removed with the host, unless it was there before it. */
  readonly dataDir: string;
  /** From the start of the process to the session. */
  readonly readySec: number;
  /** Calls so far that write an item of a table. */
  writes(): Promise<number>;
  close(): Promise<void>;
}

/** `kept`: a data folder of an earlier start, which stays. */
export async function startEmbeddedHost(kept?: string): Promise<EmbeddedHost> {
  const dataDir = kept ?? (await mkdtemp(join(tmpdir(), 'millrace-bench-')));
  // Below 32768, from where on systems give ports away by themselves.
  const portBase = 20_000 + Math.floor(Math.random() * 12_000);
  // Of the start before: this one is up when it has written its own.
  await rm(join(dataDir, 'session.json'), { force: true });
  const startedMs = performance.now();
  const writesFile = join(dataDir, 'bench-writes');
  await rm(writesFile, { force: true });
  const child = spawn(process.execPath, ['--import', COUNT_WRITES, 'services/local/main.ts'], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      MILLRACE_PORT_BASE: String(portBase),
      MILLRACE_DATA_DIR: dataDir,
      MILLRACE_BENCH_WRITES: writesFile,
    },
  });
  const ended = new Promise<void>((done) => {
    child.once('exit', () => done());
  });
  const close = async (): Promise<void> => {
    child.kill('SIGINT');
    await ended;
    if (kept === undefined) await rm(dataDir, { recursive: true, force: true });
  };
  for (;;) {
    const text = await readFile(join(dataDir, 'session.json'), 'utf8').catch(() => '');
    if (text !== '') {
      const readySec = (performance.now() - startedMs) / 1_000;
      const writes = async () => Number(await readFile(writesFile, 'utf8').catch(() => '0'));
      return { session: JSON.parse(text) as Session, dataDir, readySec, writes, close };
    }
    if (child.exitCode !== null || performance.now() - startedMs > START_MAX_MS) {
      await close();
      throw new Error('the embedded host did not start');
    }
    await pause(50);
  }
}

/** The host's tables; `tableOf`: the one whose name is like that. */
export async function tablesOf({ session }: EmbeddedHost) {
  process.env.AWS_ACCESS_KEY_ID ??= 'local';
  process.env.AWS_SECRET_ACCESS_KEY ??= 'local';
  process.env.AWS_REGION ??= 'us-east-1';
  const db = createDocumentClient({ endpoint: session.dynamodb_url });
  const { TableNames = [] } = await db.send(new ListTablesCommand({}));
  const tableOf = (pattern: RegExp): string => {
    const table = TableNames.find((name) => pattern.test(name));
    if (table === undefined) throw new Error(`no ${pattern} among ${TableNames.join(', ')}`);
    return table;
  };
  return { db, tableOf };
}

export interface Sent {
  readonly eventId: string;
  readonly answeredMs: number;
  /** Wall time, milliseconds since the epoch. */
  readonly acceptedAtMs: number;
}

/** Throws where the answer is not 202. */
export async function sendEvent(
  ingestionUrl: string,
  apiKey: string,
  event: ReturnType<typeof standardEvent>,
  agent: Agent,
): Promise<Sent> {
  const beforeMs = performance.now();
  const answer = await request(`${ingestionUrl}/v1/events`, {
    dispatcher: agent,
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` },
    body: JSON.stringify(event),
  });
  const text = await answer.body.text();
  if (answer.statusCode !== 202) throw new Error(`${answer.statusCode} ${text}`);
  return { eventId: event.event_id, answeredMs: performance.now() - beforeMs, acceptedAtMs: Date.now() };
}

/** Platforms a fault was asked for: what they refuse is no surprise. */
export type Disturbed = ReadonlySet<string>;

interface ReadLog {
  readBytes: number;
  readonly found: Map<string, number>;
}
/** What was read already: reading it all again and again would take the cores from what is measured. */
const logs = new Map<string, ReadLog>();

/** Whole lines the sandbox has written since the last call. */
async function newLines(dataDir: string, log: ReadLog): Promise<readonly string[]> {
  const file = await open(join(dataDir, 'sandbox.jsonl')).catch(() => null);
  if (file === null) return [];
  try {
    const { size } = await file.stat();
    const fresh = Buffer.alloc(Math.max(0, size - log.readBytes));
    const { bytesRead } = await file.read(fresh, 0, fresh.byteLength, log.readBytes);
    const end = fresh.subarray(0, bytesRead).lastIndexOf('\n') + 1;
    log.readBytes += end;
    return fresh.toString('utf8', 0, end).split('\n').slice(0, -1);
  } finally {
    await file.close();
  }
}

/** When each event arrived at each platform: `<slug> <event id>` → milliseconds since the epoch. */
export async function arrivals(
  dataDir: string,
  disturbed: Disturbed = new Set(),
): Promise<ReadonlyMap<string, number>> {
  const log = logs.get(dataDir) ?? { readBytes: 0, found: new Map<string, number>() };
  logs.set(dataDir, log);
  const { found } = log;
  for (const line of await newLines(dataDir, log)) {
    const { platform, event_id, at, accepted, reason } = JSON.parse(line) as {
      platform: string;
      event_id: string;
      at: string;
      accepted: boolean;
      reason?: string;
    };
    if (!accepted) {
      if (disturbed.has(platform)) continue;
      throw new Error(`${platform} refused ${event_id}: ${reason}`);
    }
    const key = `${platform} ${event_id}`;
    if (!found.has(key)) found.set(key, Date.parse(at));
  }
  return found;
}

/** Whole seconds a moment ago: an event of the future would be refused where clocks differ. */
export function nowSec(): number {
  return Math.floor(Date.now() / 1_000) - 60;
}
