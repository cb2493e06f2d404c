// Goal: every problem of the machine is one clear sentence and exit code 1, also under a Node that knows no TypeScript.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scratchFolder } from '#test/support/scratch-folder.ts';
import { findProblem, PORTS, readSettings } from './settings.ts';

const PREFLIGHT = fileURLToPath(new URL('./preflight.mjs', import.meta.url));
const folder = scratchFolder('preflight');
let busy: Server;
let busyPort: number;
beforeAll(async () => {
  busy = createServer();
  await new Promise<void>((resolve) => busy.listen(0, '127.0.0.1', resolve));
  busyPort = (busy.address() as { port: number }).port;
});
afterAll(() => void busy.close());

/** As npm would run it. */
function run(env: Record<string, string>, ...nodeArguments: string[]) {
  const { status, stderr, stdout } = spawnSync(process.execPath, [...nodeArguments, PREFLIGHT], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH ?? '', MILLRACE_DATA_DIR: join(folder, 'data'), ...env },
  });
  return { status, stdout, lines: stderr.trim().split('\n') };
}

const asOld = `data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'20.11.0'}})`;

describe('as a program', () => {
  it('says nothing when all is well, and leaves nothing behind', () => {
    // A port of its own for each offset is hoped for, not known: the probe tries another base if one is taken.
    const results = [21_100, 23_300, 25_500].map((base) => run({ MILLRACE_PORT_BASE: String(base) }));
    expect(results).toContainEqual({ status: 0, stdout: '', lines: [''] });
    expect(readdirSync(join(folder, 'data'))).toEqual([]);
  });

  it.each([
    ['an old Node', {}, ['--import', asOld], 'runs on Node.js 24 or later, this is 20.11.0'],
    ['a port that is no number', { MILLRACE_PORT_BASE: '41x' }, [], 'MILLRACE_PORT_BASE is "41x"'],
    ['a port too high', { MILLRACE_PORT_BASE: '65535' }, [], 'must be a port number from 1 to 65526'],
  ])('on %s prints one sentence and exits with 1', (_name, env, args, sentence) => {
    const { status, lines } = run(env, ...args);
    expect(status).toBe(1);
    expect(lines).toEqual([expect.stringContaining(sentence)]);
  });

  it.each(Object.entries(PORTS))('names the busy port meant for %s', (use, offset) => {
    const { status, lines } = run({ MILLRACE_PORT_BASE: String(busyPort - offset) });
    expect(status).toBe(1);
    // The ports below it may be busy as well; then they come first.
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^Port \d+ of 127\.0\.0\.1, meant for [\w-]+, is already in use/);
    if (offset === 0) expect(lines[0]).toContain(`Port ${busyPort} of 127.0.0.1, meant for ${use}`);
  });

  it.each([
    ['below a file', 'data'],
    ['two below it', 'more/data'],
  ])('names a data folder that cannot be made, %s', (_where, below) => {
    writeFileSync(join(folder, 'file'), '');
    const { status, lines } = run({ MILLRACE_DATA_DIR: join(folder, 'file', below) });
    expect(status).toBe(1);
    expect(lines).toEqual([
      expect.stringMatching(/^Millrace cannot write to .*file.(?:more.)?data \(\w+\): /),
    ]);
  });

  it.skipIf(process.platform !== 'linux')(
    'names a data folder where the kernel keeps its own, and ends',
    () => {
      const { status, lines } = run({ MILLRACE_DATA_DIR: '/proc/x/data' });
      expect(status).toBe(1);
      expect(lines).toEqual([expect.stringMatching(/^Millrace cannot write to .proc.x.data \(\w+\): /)]);
    },
  );

  it.skipIf(process.getuid?.() === 0)('names a data folder that is read-only', () => {
    const locked = join(folder, 'locked');
    mkdirSync(locked);
    chmodSync(locked, 0o500);
    const { status, lines } = run({ MILLRACE_DATA_DIR: locked });
    expect(status).toBe(1);
    expect(lines).toEqual([expect.stringContaining('EACCES')]);
  });
});

it('asks for "npm ci" when a package is missing', async () => {
  const settings = readSettings({ MILLRACE_DATA_DIR: 'x' }, folder);
  expect(await findProblem(settings, '24.0.0', folder)).toContain('run "npm ci"');
});

it('takes its defaults from nowhere else', () => {
  expect(readSettings({}, '/there')).toEqual({ portBase: 4100, dataDir: '/there/.local', problem: null });
  expect(readSettings({ MILLRACE_PORT_BASE: '5000', MILLRACE_DATA_DIR: 'd' }, '/there')).toEqual({
    portBase: 5000,
    dataDir: '/there/d',
    problem: null,
  });
});
