// Goal: one host per folder, a dead host's lock does not keep the next one out, and secrets are for their owner's eyes.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { scratchFolder } from '#test/support/scratch-folder.ts';
import { openDataDir } from './data-dir.ts';

let folder: string;
beforeEach(() => {
  folder = scratchFolder('data-dir');
});

it('refuses a second host, naming the first, until the first released it', () => {
  const first = openDataDir(folder);
  expect(first.afterCrash).toBe(false);
  expect(() => openDataDir(folder)).toThrow(`process ${process.pid}`);
  first.release();
  const second = openDataDir(folder);
  expect(second.afterCrash).toBe(false);
  second.release();
  expect(readdirSync(folder)).toEqual([]);
});

it('takes over the lock of a process that is gone, and says so', () => {
  const { pid } = spawnSync(process.execPath, ['--version']);
  writeFileSync(join(folder, 'host.lock'), JSON.stringify({ pid, born: '1' }));
  expect(openDataDir(folder).afterCrash).toBe(true);
  expect(() => openDataDir(folder)).toThrow(`process ${process.pid}`);
});

it.runIf(existsSync('/proc/self/stat'))(
  'takes over the lock of a process whose number another one has now',
  () => {
    writeFileSync(join(folder, 'host.lock'), JSON.stringify({ pid: process.pid, born: '1' }));
    expect(openDataDir(folder).afterCrash).toBe(true);
  },
);

it('takes over a lock that was cut off', () => {
  writeFileSync(join(folder, 'host.lock'), '{"pid":');
  expect(openDataDir(folder).afterCrash).toBe(true);
});

it('writes files whole, for their owner only', () => {
  const dir = openDataDir(folder);
  expect(dir.readJson('x.json')).toBeUndefined();
  writeFileSync(dir.file('x.json'), 'old', { mode: 0o644 });
  dir.writeJson('x.json', { secret: 1 });
  expect(dir.readJson('x.json')).toEqual({ secret: 1 });
  expect(statSync(dir.file('x.json')).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder).sort()).toEqual(['host.lock', 'x.json']);
});
