// The embedded host in a process of its own, as `npm start` runs it, and what a benchmark asks of it: events sent with the
// time they were accepted, and when each arrived at each platform.
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Agent, request } from 'undici';
import type { Session } from '../../services/local/host.ts';
import type { standardEvent } from './standard-event.ts';

const START_MAX_MS = 60_000;
const ROOT = fileURLToPath(new URL('../../', import.meta.url));

export interface EmbeddedHost {
  readonly session: Session;
  /** Of this run alone, removed with it. */
  readonly dataDir: string;
  /** From the start of the process to the session. */
  readonly readySec: number;
  close(): Promise<void>;
}

export async function startEmbeddedHost(): Promise<EmbeddedHost> {
  const dataDir = await mkdtemp(join(tmpdir(), 'millrace-bench-'));
  // Below 32768, from where on systems give ports away by themselves.
  const portBase = 20_000 + Math.floor(Math.random() * 12_000);
  const startedMs = performance.now();
  const child = spawn(process.execPath, ['services/local/main.ts'], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, MILLRACE_PORT_BASE: String(portBase), MILLRACE_DATA_DIR: dataDir },
  });
  const ended = new Promise<void>((done) => {
    child.once('exit', () => done());
  });
  const close = async (): Promise<void> => {
    child.kill('SIGINT');
    await ended;
    await rm(dataDir, { recursive: true, force: true });
  };
  for (;;) {
    const text = await readFile(join(dataDir, 'session.json'), 'utf8').catch(() => '');
    if (text !== '') {
      const readySec = (performance.now() - startedMs) / 1_000;
      return { session: JSON.parse(text) as Session, dataDir, readySec, close };
    }
    if (child.exitCode !== null || performance.now() - startedMs > START_MAX_MS) {
      await close();
      throw new Error('the embedded host did not start');
    }
    await pause(50);
  }
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

/** When each event arrived at each platform: `<slug> <event id>` → milliseconds since the epoch. */
export async function arrivals(
  dataDir: string,
  disturbed: Disturbed = new Set(),
): Promise<ReadonlyMap<string, number>> {
  const text = await readFile(join(dataDir, 'sandbox.jsonl'), 'utf8').catch(() => '');
  const found = new Map<string, number>();
  for (const line of text.split('\n').slice(0, -1)) {
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
