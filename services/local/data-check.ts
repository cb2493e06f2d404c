// Checks whether this host can use its data folder, before it changes any of it.
// Guarantees: read-only. A file that this host did not leave there is reported in one sentence with what to do; nothing
// is repaired, replaced or recreated, since what looks broken may be a user's only data.
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DataDir } from './data-dir.ts';
import { parseJson } from './parse-json.ts';
import { type LocalProblem, unusable } from './problem.ts';

/** Changes whenever a host cannot read what an earlier one left: tables, rows, files. */
export const DATA_FORMAT = 3;
export const FORMAT_FILE = 'format.json';
const TABLES = 'dynamodb';
const SEED = 'seed.json';
const VAULT_KEY = 'vault.key';
const RECEIVED = 'sandbox.jsonl';
const KEPT = [SEED, VAULT_KEY, TABLES, RECEIVED] as const;

/** Throws a LocalProblem. A folder without our data is fine. */
export function checkDataDir(dataDir: DataDir): void {
  const { path } = dataDir;
  const entries = KEPT.filter((name) => existsSync(dataDir.file(name)));
  checkFormat(dataDir, entries.length > 0);
  for (const name of entries) {
    const isFolder = lstatSync(dataDir.file(name)).isDirectory();
    if (isFolder !== (name === TABLES))
      throw unusable(path, `${name} is a ${isFolder ? 'folder' : 'file'}, and should not be one`);
  }
  const hasTables = entries.includes(TABLES) && readdirSync(dataDir.file(TABLES)).length > 0;
  if (hasTables) checkTables(path, dataDir.file(TABLES));
  if (hasTables && !entries.includes(SEED))
    throw unusable(path, `${SEED} is missing, though there are tables`);
  if (entries.includes(RECEIVED)) checkReceived(path, dataDir.file(RECEIVED));
}

/** The system's error for a file it could not open or write, as a problem of the folder; null for any other error. */
export function fileProblem(folder: string, error: unknown): LocalProblem | null {
  const { code, path } = error as { readonly code?: unknown; readonly path?: unknown };
  if (typeof code !== 'string' || typeof path !== 'string' || !path.startsWith(folder)) return null;
  return unusable(folder, `${path.slice(folder.length + 1) || 'it'} cannot be opened or written (${code})`);
}

function checkFormat(dataDir: DataDir, hasData: boolean): void {
  const found = dataDir.readJson<{ readonly format?: unknown }>(FORMAT_FILE);
  if (found === undefined && !hasData) return;
  const format = found?.format;
  if (format === DATA_FORMAT) return;
  const age = typeof format === 'number' && format > DATA_FORMAT ? 'a newer' : 'an older';
  throw unusable(
    dataDir.path,
    `it was made by ${age} version of Millrace (format ${typeof format === 'number' ? format : 'unknown'}, this version reads ${DATA_FORMAT})`,
  );
}

/** If CURRENT is missing, LevelDB creates a new database and deletes the old one: this check prevents that. */
function checkTables(folder: string, tables: string): void {
  const current = join(tables, 'CURRENT');
  const manifest = existsSync(current) ? readFileSync(current, 'utf8').trim() : '';
  const named = /^MANIFEST-\d+$/.test(manifest) && existsSync(join(tables, manifest));
  if (!named) throw unusable(folder, `${TABLES}/CURRENT does not name the tables that are there`);
}

/** The last line may be incomplete after a crash. */
function checkReceived(folder: string, file: string): void {
  const lines = readFileSync(file, 'utf8').split('\n');
  const last = lines.pop() ?? '';
  const isCutOff = last === '' || START.startsWith(last.slice(0, START.length));
  const wrong = lines.findIndex((line) => !isArrival(line));
  if (wrong >= 0) throw unusable(folder, `line ${wrong + 1} of ${RECEIVED} is not what a platform received`);
  if (!isCutOff) throw unusable(folder, `the last line of ${RECEIVED} is not what a platform received`);
}

const START = '{"seq":';

function isArrival(line: string): boolean {
  const value = parseJson(line);
  return typeof value === 'object' && value !== null && 'seq' in value && 'platform' in value;
}
