// Hosts for tests: one in the test's own process, or one in a process of its own that a test kills; and what tests ask of them.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll } from 'vitest';
import { type Host, type HostOptions, startHost } from '../../services/local/host.ts';
import type { Session } from '../../services/local/session.ts';
import { clearRunningEmulators, runningEmulators } from '../support/emulators.ts';

const newFolder = (): string => mkdtempSync(join(tmpdir(), 'millrace-e2e-'));

/** Call it once in a file: a host for all its tests, in a folder that goes with it. `options`: of the host's data folder. */
export function useHost(options: (dataDir: string) => Partial<HostOptions> = () => ({})) {
  const folder = newFolder();
  const errors: string[] = [];
  let host: Host | undefined;
  beforeAll(async () => {
    await clearRunningEmulators();
    const dataDir = join(folder, '.local');
    host = await startHost({
      portBase: 0,
      dataDir,
      emulators: runningEmulators(),
      hasHelpdeskSample: false,
      onError: (text) => errors.push(text),
      ...options(dataDir),
    });
  });
  afterAll(async () => {
    await host?.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const running = (): Host => {
    if (host === undefined) throw new Error('only in a test');
    return host;
  };
  /** What the host reported so far. */
  return { folder, errors, host: running, session: (): Session => running().session };
}

/** Of a deployed stack. */
const sessionFile = process.env.MILLRACE_SESSION_FILE;
/** False where tests are run against a deployed stack. */
export const isEmbedded = sessionFile === undefined;
/** False where a key has to do: nobody has signed in to the deployed stack. */
export const hasPerson = process.env.MILLRACE_HAS_PERSON !== '0';

/** Call it once in a file: the stack whose session MILLRACE_SESSION_FILE names, or else a host as above. */
export function useStack(options: (dataDir: string) => Partial<HostOptions> = () => ({})) {
  if (sessionFile === undefined) return useHost(options);
  return { errors: [], session: () => JSON.parse(readFileSync(sessionFile, 'utf8')) as Session };
}

/** Call it once in a file: `start` begins a host, or begins it again with what it has kept; `kill` is a SIGKILL. */
export function useKillableHost() {
  const dataDir = newFolder();
  let child: ChildProcess | undefined;
  const isRunning = (): boolean =>
    child !== undefined && child.exitCode === null && child.signalCode === null;
  const kill = async (): Promise<void> => {
    if (child !== undefined) await ended(child, 'SIGKILL');
  };
  beforeAll(clearRunningEmulators);
  afterAll(async () => {
    await kill();
    rmSync(dataDir, { recursive: true, force: true });
  });
  /** On free ports; resolves when it is up. */
  const start = (): Promise<Session> => {
    const begun = spawnHost(dataDir);
    child = begun.child;
    return begun.session;
  };
  return { start, kill, isRunning };
}

/** A host on free ports, of this release or of the one whose files are in `cwd`. */
export function spawnHost(dataDir: string, cwd?: string, env?: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, ['test/e2e/host-process.ts', '0', dataDir, '2000'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    ...(cwd === undefined ? {} : { cwd }),
    env: { ...process.env, ...env },
  });
  /** When it is up. */
  const session = new Promise<Session>((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const line = text.split('\n')[0];
      if (line !== undefined && text.includes('\n')) resolve(JSON.parse(line) as Session);
    });
    child.once('exit', (code) => reject(new Error(`the host ended with ${code} before it was up`)));
  });
  return { child, session };
}

/** Resolves when it is gone. */
export async function ended(child: ChildProcess, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  await gone;
}

/** A request to ingestion with the merchant's key. */
export function send({ ingestion_url, api_key }: Session, path: string, body: unknown): Promise<Response> {
  return fetch(ingestion_url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${api_key}` },
    body: JSON.stringify(body),
  });
}

/** A purchase that every platform takes. */
export const purchase = (id: string, more: Readonly<Record<string, unknown>> = {}) => ({
  event_id: id,
  event_name: 'Purchase',
  event_time: Math.floor(Date.now() / 1_000),
  event_source_url: 'https://shop.example/thanks',
  order_id: id,
  value: 10,
  currency: 'USD',
  user_data: { email: 'jane@example.com', client_ip: '203.0.113.7', user_agent: AGENT },
  ...more,
});

export const AGENT =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

/** Every event there is, page by page. */
export async function allEvents<Row>(session: Session): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const page: { events: Row[]; next_cursor: string | null } = await api(
      session,
      `/v1/events?limit=100${query}`,
    );
    rows.push(...page.events);
    cursor = page.next_cursor;
  }
  return rows;
}

/** Of the API, as the merchant's owner: asked again when a 429 says after how long. Rejects where it is none of 2xx. */
export async function api<T>({ api_url, session_jwt }: Session, path: string, method = 'GET'): Promise<T> {
  const headers = { authorization: `Bearer ${session_jwt}` };
  for (;;) {
    const answer = await fetch(api_url + path, { method, headers });
    const retryAfterSec = Number(answer.headers.get('retry-after'));
    if (answer.status !== 429 || !(retryAfterSec > 0)) return await json(answer);
    await answer.arrayBuffer();
    await pause(retryAfterSec * 1_000);
  }
}

/** What a platform's sandbox has counted. */
export async function counted(
  { sandbox_url }: Session,
  platform: string,
): Promise<{
  readonly total: number;
  readonly value_by_currency: Readonly<Record<string, string>>;
  readonly by_event_name: Readonly<Record<string, number>>;
}> {
  return await json(await fetch(`${sandbox_url}/counted?platform=${platform}`));
}

/** From now on a platform fails so. */
export async function fault({ sandbox_url }: Session, how: object): Promise<void> {
  await json(await fetch(`${sandbox_url}/faults`, { method: 'POST', body: JSON.stringify(how) }));
}

export async function json<T>(answer: Response): Promise<T> {
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${answer.url} answered ${answer.status}: ${text}`);
  return JSON.parse(text) as T;
}

export async function connectedPlatforms(
  session: Session,
): Promise<readonly { readonly id: string; readonly platform: string }[]> {
  return (await api<{ platforms: { id: string; platform: string }[] }>(session, '/v1/platforms')).platforms;
}

/** Without the one that takes a thousand events an hour, and those with a click: for tests in which each platform gets all. */
export async function keepThatTakeAll(session: Session): Promise<void> {
  const slugs = (await connectedPlatforms(session)).map(({ platform }) => platform);
  await keepPlatforms(session, ...slugs.filter((slug) => slug !== 'postback'));
}

/** Disconnects the others: for a test whose question is not what each platform gets. */
export async function keepPlatforms(session: Session, ...kept: readonly string[]): Promise<void> {
  for (const { id, platform } of await connectedPlatforms(session))
    if (!kept.includes(platform)) await api(session, `/v1/platforms/${id}`, 'DELETE');
}

export async function until(
  holds: () => boolean | Promise<boolean>,
  withinMs: number,
  everyMs = 250,
): Promise<void> {
  const endMs = Date.now() + withinMs;
  while (!(await holds())) {
    if (Date.now() > endMs) throw new Error(`not so within ${withinMs} ms: ${holds}`);
    await pause(everyMs);
  }
}
