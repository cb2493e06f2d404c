// Goal: a data folder this host cannot work with is reported in one sentence, the program exits with 1, and nothing in
// the folder is changed: what looks broken may be a user's only data. Method: the host on copies of a folder it left.
import { spawn } from 'node:child_process';
import { hash, randomBytes } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { scratchFolder } from '#test/support/scratch-folder.ts';
import { openDataDir } from './data-dir.ts';
import { startHost } from './host.ts';
import { LocalProblem } from './problem.ts';

const START_MAX_MS = 600_000;
const home = scratchFolder('data-folder');
const pristine = join(home, 'pristine');
let copies = 0;

beforeAll(async () => {
  const host = await startHost({ portBase: 0, dataDir: pristine });
  await host.close();
  writeFileSync(join(pristine, 'sandbox.jsonl'), '{"seq":1,"platform":"meta"}\n');
}, START_MAX_MS);

function copy(): string {
  copies += 1;
  const folder = join(home, `copy-${copies}`);
  cpSync(pristine, folder, { recursive: true });
  return folder;
}

/** Files with their content, except those that every start writes: the log, the template, LevelDB's own journal. */
function contents(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    files
      .filter((file) => file.isFile() && !/^(millrace\.log|LOG|LOG\.old|LOCK)$/.test(file.name))
      .map((file) => join(file.parentPath, file.name))
      .filter((path) => !path.includes(`${folder}/template/`) && !path.endsWith('session.json'))
      .map((path): [string, string] => [path.slice(folder.length), hash('sha256', readFileSync(path))]),
  );
}

async function problemOf(folder: string): Promise<string> {
  const started = await startHost({ portBase: 0, dataDir: folder }).then(
    (host) => host.close().then(() => 'it started'),
    (error: unknown) => error,
  );
  if (!(started instanceof LocalProblem)) throw new Error('not told as a problem', { cause: started });
  return started.message;
}

const at = (folder: string, ...names: string[]) => join(folder, ...names);
const logOf = (folder: string): string => {
  const name = readdirSync(at(folder, 'dynamodb')).find((file) => file.endsWith('.log'));
  if (name === undefined) throw new Error('no journal');
  return at(folder, 'dynamodb', name);
};
const manifestOf = (folder: string) =>
  at(folder, 'dynamodb', readFileSync(at(folder, 'dynamodb', 'CURRENT'), 'utf8').trim());

type Spoil = (folder: string) => void;
const write =
  (name: string, text: string): Spoil =>
  (f) =>
    writeFileSync(at(f, name), text);
const cutOff =
  (name: string, length = 0): Spoil =>
  (f) =>
    truncateSync(at(f, name), length);
const remove =
  (name: string): Spoil =>
  (f) =>
    rmSync(at(f, name), { recursive: true });
const both =
  (first: Spoil, second: Spoil): Spoil =>
  (f) => {
    first(f);
    second(f);
  };
const folderAt = (name: string): Spoil => both(remove(name), (f) => mkdirSync(at(f, name)));

const breakSigningKey: Spoil = (f) => {
  const seed = JSON.parse(readFileSync(at(f, 'seed.json'), 'utf8')) as { signing_key: { d: string } };
  seed.signing_key.d = 'AA';
  writeFileSync(at(f, 'seed.json'), JSON.stringify(seed));
};
const FILE_FOR_TABLES = both(remove('dynamodb'), write('dynamodb', 'hello'));
const FOREIGN_FILES = both(folderAt('dynamodb'), write('dynamodb/holiday.jpg', 'x'));
const OLDER = 'an older version of Millrace';

const CASES: readonly (readonly [what: string, spoil: Spoil, said: string])[] = [
  ['an empty seed', cutOff('seed.json'), 'seed.json is empty'],
  ['a seed cut off', cutOff('seed.json', 40), 'seed.json is cut off or was written by'],
  ['a seed of somebody else', write('seed.json', '{"a":1}'), 'seed.json does not hold what'],
  ['a seed that is no object', write('seed.json', '7'), 'seed.json is cut off or was'],
  ['sign-ins that are none', write('sign-ins.json', '{"records":[{}]}'), 'sign-ins.json does not hold what'],
  ['sign-ins cut off', write('sign-ins.json', '{"rec'), 'sign-ins.json is cut off or was'],
  ['a deleted seed', remove('seed.json'), 'seed.json is missing, though there are tables'],
  ['a signing key that is none', breakSigningKey, '(signing_key)'],
  ['a deleted vault key', remove('vault.key'), 'vault.key is missing, and nothing else opens'],
  ['a vault key cut off', cutOff('vault.key', 10), 'does not hold a key of 64 hex digits'],
  ['a vault key others may read', (f) => chmodSync(at(f, 'vault.key'), 0o644), 'may be read by others'],
  ['a folder without a format', remove('format.json'), `${OLDER} (format unknown`],
  ['an older format', write('format.json', '{"format":1}'), `${OLDER} (format 1`],
  ['the format before batches', write('format.json', '{"format":2}'), `${OLDER} (format 2`],
  ['a newer format', write('format.json', '{"format":99}'), 'a newer version of Millrace (format 99'],
  ['a format cut off', cutOff('format.json'), 'format.json is empty'],
  ['a file in the place of the tables', FILE_FOR_TABLES, 'dynamodb is a file, and should not be one'],
  ['tables without CURRENT', remove('dynamodb/CURRENT'), 'CURRENT does not name the tables'],
  ['tables without their manifest', (f) => rmSync(manifestOf(f)), 'CURRENT does not name the tables'],
  [
    'a foreign manifest',
    (f) => writeFileSync(manifestOf(f), 'garbage'),
    'its tables cannot be opened (Corruption',
  ],
  ['foreign files in the place of the tables', FOREIGN_FILES, 'CURRENT does not name the tables'],
  ['foreign text as the received', write('sandbox.jsonl', 'notes of mine'), 'the last line of sandbox.jsonl'],
  ['a foreign line in the received', write('sandbox.jsonl', '[]\n'), 'line 1 of sandbox.jsonl'],
  [
    'a folder in the place of the log',
    folderAt('millrace.log'),
    'millrace.log cannot be opened or written (EISDIR)',
  ],
];

describe('a folder that cannot be used', () => {
  it.each(CASES)('%s: one sentence, and everything is left as it is', async (_name, spoil, said) => {
    const folder = copy();
    spoil(folder);
    const before = contents(folder);
    const message = await problemOf(folder);
    expect(message).toContain(said);
    expect(message).toMatch(/^Millrace cannot use .*MILLRACE_DATA_DIR to another one\.$/);
    expect(message).not.toContain('\n');
    expect(contents(folder)).toEqual(before);
    expect(existsSync(at(folder, 'host.lock'))).toBe(false);
  });

  it(
    'is told as one line on the screen, with exit code 1',
    async () => {
      const folder = copy();
      truncateSync(at(folder, 'seed.json'));
      const child = spawn(process.execPath, ['services/local/main.ts'], {
        env: { ...process.env, MILLRACE_DATA_DIR: folder, MILLRACE_PORT_BASE: '29400', NO_COLOR: '1' },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let text = '';
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
      const code = await new Promise((resolve) => child.once('exit', resolve));
      expect([code, text.trim().split('\n')]).toEqual([1, [expect.stringContaining('seed.json is empty')]]);
    },
    START_MAX_MS,
  );
});

it(
  'does not take another vault key, and goes on with the right one',
  async () => {
    const folder = copy();
    const key = readFileSync(at(folder, 'vault.key'));
    writeFileSync(at(folder, 'vault.key'), `${randomBytes(32).toString('hex')}\n`);
    expect(await problemOf(folder)).toContain('vault.key is not the key that what is stored was sealed with');
    writeFileSync(at(folder, 'vault.key'), key);
    const host = await startHost({ portBase: 0, dataDir: folder });
    await host.close();
  },
  START_MAX_MS,
);

it('tells tables that were emptied from new ones', async () => {
  const folder = copy();
  truncateSync(logOf(folder));
  expect(await problemOf(folder)).toContain('the tables have lost the merchant that seed.json names');
});

it(
  'starts again with a received list whose last line a crash cut off, and with files that are not ours',
  async () => {
    const folder = copy();
    writeFileSync(at(folder, 'sandbox.jsonl'), '{"seq":1,"platform":"meta"}\n{"seq":2,"pl');
    writeFileSync(at(folder, 'README'), 'mine');
    writeFileSync(at(folder, 'dynamodb', 'holiday.jpg'), 'mine');
    const host = await startHost({ portBase: 0, dataDir: folder });
    await host.close();
    expect(readFileSync(at(folder, 'README'), 'utf8')).toBe('mine');
    expect(statSync(at(folder, 'dynamodb', 'holiday.jpg')).size).toBe(4);
  },
  START_MAX_MS,
);

it('remembers that the host before was killed over a start that failed', async () => {
  const folder = copy();
  writeFileSync(at(folder, 'host.lock'), '{"pid":');
  renameSync(at(folder, 'seed.json'), at(folder, 'kept.json'));
  await problemOf(folder);
  renameSync(at(folder, 'kept.json'), at(folder, 'seed.json'));
  const dataDir = openDataDir(folder);
  expect(dataDir.afterCrash).toBe(true);
  dataDir.repaired();
  dataDir.release();
  const again = openDataDir(folder);
  expect(again.afterCrash).toBe(false);
  again.release();
});
