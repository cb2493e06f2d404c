// Goal: `npm start` as a person meets it: it says where everything is, shows the sample at every platform, keeps the folder to
// itself, ends on Ctrl-C, and finds everything again. Method: the real program as a child process.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Session } from '../../services/local/session.ts';
import { findProblem } from '../../services/local/settings.ts';

const START_MAX_MS = 600_000;
const dataDir = mkdtempSync(join(tmpdir(), 'restart-'));
const children: ChildProcess[] = [];
let portBase = 0;
/** For a second host, which must find nothing in its way but the first one's folder. */
let otherBase = 0;

async function freeBase(from: number): Promise<number> {
  for (let base = from; ; base += 10)
    if ((await findProblem({ portBase: base, dataDir, problem: null })) === null) return base;
}

beforeAll(async () => {
  portBase = await freeBase(20_000 + (process.pid % 1_000) * 10);
  otherBase = await freeBase(portBase + 100);
});
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(dataDir, { recursive: true, force: true });
});

type Running = ReturnType<typeof start>;

/** As its parts do it, or as a person types it. */
function start(base: number, [program, ...args] = [process.execPath, 'services/local/main.ts']) {
  const child = spawn(program ?? '', args, {
    env: { ...process.env, MILLRACE_DATA_DIR: dataDir, MILLRACE_PORT_BASE: String(base), NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return {
    child,
    output: () => text,
    exited: new Promise((resolve) => child.once('exit', (code) => resolve(code))),
  };
}

/** The sample is on the screen: the id of its event. */
async function sampleShown({ output, child }: Running): Promise<string> {
  const deadlineMs = performance.now() + START_MAX_MS;
  while (performance.now() < deadlineMs && child.exitCode === null) {
    const [, id] = /\((sample-[\w-]+): 202/.exec(output()) ?? [];
    if (id !== undefined) return id;
    await pause(100);
  }
  throw new Error(`no sample was shown:\n${output()}`);
}

const session = () => JSON.parse(readFileSync(join(dataDir, 'session.json'), 'utf8')) as Session;

async function deliveries(eventId: string): Promise<string[]> {
  const { api_url, session_jwt } = session();
  const answer = await fetch(`${api_url}/v1/events/${eventId}`, {
    headers: { authorization: `Bearer ${session_jwt}` },
  });
  const { deliveries: rows = [] } = (await answer.json()) as {
    deliveries?: { platform: string; status: string }[];
  };
  return rows.map(({ platform, status }) => `${platform} ${status}`).sort();
}

async function connected(): Promise<string[]> {
  const { api_url, session_jwt } = session();
  const answer = await fetch(`${api_url}/v1/platforms`, {
    headers: { authorization: `Bearer ${session_jwt}` },
  });
  const { platforms } = (await answer.json()) as { platforms: { platform: string }[] };
  return platforms.map(({ platform }) => platform).sort();
}

it('starts, shows the sample, refuses a second one, stops, and finds everything again', async () => {
  const first = start(portBase);
  const sampleId = await sampleShown(first);
  const before = session();
  const platforms = await connected();
  expect(platforms.length).toBeGreaterThan(0);
  expect(statSync(join(dataDir, 'session.json')).mode & 0o777).toBe(0o600);
  for (const text of [
    before.ingestion_url,
    before.api_url,
    before.sandbox_url,
    before.merchant_id,
    before.api_key,
  ]) {
    expect(first.output()).toContain(text);
  }
  expect(first.output().match(/received .* and accepted it/g)).toHaveLength(platforms.length);
  expect(first.output()).toContain(`curl -s ${before.ingestion_url}/v1/events`);
  const allDelivered = platforms.map((slug) => `${slug} DELIVERED`);
  await expect.poll(() => deliveries(sampleId)).toEqual(allDelivered);

  const second = start(otherBase);
  expect(await second.exited).toBe(1);
  expect(second.output().trim().split('\n')).toEqual([
    expect.stringMatching(/^Another Millrace host \(process \d+\) uses /),
  ]);

  // As npm and the terminal do it: two signals for one Ctrl-C.
  first.child.kill('SIGINT');
  first.child.kill('SIGINT');
  expect(await first.exited).toBe(0);
  expect(existsSync(join(dataDir, 'host.lock'))).toBe(false);

  const third = start(portBase);
  const otherId = await sampleShown(third);
  expect(session()).toMatchObject({ merchant_id: before.merchant_id, api_key: before.api_key });
  expect(otherId).not.toBe(sampleId);
  expect(await deliveries(sampleId)).toEqual(allDelivered);
  expect(await connected()).toEqual(platforms);
  third.child.kill('SIGTERM');
  expect(await third.exited).toBe(0);
});

it('ends with npm where npm is asked to end, as a container or a CI step does it', async () => {
  const running = start(portBase, ['npm', 'start']);
  await sampleShown(running);
  const { pid } = JSON.parse(readFileSync(join(dataDir, 'host.lock'), 'utf8')) as { pid: number };
  running.child.kill('SIGTERM');
  await running.exited;
  await expect.poll(() => isAlive(pid)).toBe(false);
  expect(existsSync(join(dataDir, 'host.lock'))).toBe(false);
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
