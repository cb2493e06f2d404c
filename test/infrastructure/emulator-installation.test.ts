import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { installed } from '../../scripts/emulators/installation.ts';
import { findPrograms } from '../../scripts/emulators/programs.ts';
import { scratchFolder } from '../support/scratch-folder.ts';

let cache: string;
beforeEach(() => {
  cache = scratchFolder('cache');
  vi.stubEnv('MILLRACE_CACHE_DIR', cache);
});

describe('an installation', () => {
  const describedBy = [new URL('../../scripts/emulators/localstack/requirements.txt', import.meta.url)];
  const fill = async (folder: string) => writeFileSync(join(folder, 'program'), folder);

  it('is made once, whoever asks at the same time', async () => {
    const folders = await Promise.all([1, 2, 3].map(() => installed({ name: 'x', describedBy, fill })));
    expect(new Set(folders).size).toBe(1);
    expect(readdirSync(cache)).toHaveLength(1);
    const again = async () => expect.unreachable('it is there');
    expect(await installed({ name: 'x', describedBy, fill: again })).toBe(folders[0]);
  });

  it('that fails leaves nothing behind, and can be made later', async () => {
    const failing = async (folder: string) => {
      await fill(folder);
      throw new Error('no network');
    };
    await expect(installed({ name: 'x', describedBy, fill: failing })).rejects.toThrow('no network');
    expect(readdirSync(cache)).toEqual([]);
    expect(readdirSync(await installed({ name: 'x', describedBy, fill }))).toEqual(['program']);
  });
});

describe('npm run e2e:localstack', () => {
  it('names every program that is missing', async () => {
    vi.stubEnv('PATH', cache);
    expect(await findPrograms()).toEqual({
      missing: 'Java 17 or later (java), Maven (mvn), Python 3.11 with venv (python3.11)',
    });
  });

  it('pins the versions it asks for, and everything else', () => {
    const lines = (name: string) =>
      readFileSync(new URL(`../../scripts/emulators/localstack/${name}`, import.meta.url), 'utf8')
        .split('\n')
        .filter((line) => line !== '' && !line.startsWith('#'))
        .map((line) => line.toLowerCase().replaceAll('_', '-').replace('[runtime]', ''));
    expect(lines('constraints.txt')).toEqual(expect.arrayContaining(lines('requirements.txt')));
    for (const line of lines('constraints.txt')) expect(line).toMatch(/^[\w.-]+==[\w.]+$/);
  });
});
