// The folder that survives restarts. Guarantees: one host at a time; secrets are readable by their owner only; a file
// is replaced whole or not at all. A killed host's lock is detected and taken over.
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { parseJson } from './parse-json.ts';
import { LocalProblem, unusable } from './problem.ts';

const OWNER_ONLY = 0o600;

export interface DataDir {
  readonly path: string;
  /** True until `repaired` if the previous host ended without cleaning up: killed, or the machine went down. */
  readonly afterCrash: boolean;
  repaired(): void;
  file(name: string): string;
  /** Undefined if there is no such file. Throws a LocalProblem if it is not JSON. */
  readJson<T>(name: string): T | undefined;
  /** Mode 0600. */
  writeJson(name: string, value: unknown): void;
  /** A missing file is fine. */
  remove(name: string): void;
  release(): void;
}

/** Throws a LocalProblem if another living host uses the folder. */
export function openDataDir(path: string): DataDir {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const file = (name: string): string => join(path, name);
  const crashed = file('repair.pending');
  takeLock(path, file('host.lock'), () => writeFileSync(crashed, ''));
  return {
    path,
    afterCrash: existsSync(crashed),
    repaired: () => rmSync(crashed, { force: true }),
    file,
    readJson: (name) => readJson(path, file(name), name),
    writeJson: (name, value) => replace(file(name), `${JSON.stringify(value, null, 2)}\n`),
    remove: (name) => rmSync(file(name), { force: true }),
    release: () => rmSync(file('host.lock'), { force: true }),
  };
}

interface Lock {
  readonly pid: number;
  /** Distinguishes this process from a later one with the same id; empty if the system does not report it. */
  readonly born: string;
}

/**
 * `onCrash` is called before a dead host's lock is removed: if this start fails, the next one must still see the crash.
 */
function takeLock(folder: string, path: string, onCrash: () => void): void {
  const mine: Lock = { pid: process.pid, born: birthOf(process.pid) };
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  writeFileSync(draft, JSON.stringify(mine));
  try {
    if (linked(draft, path)) return;
    const holder = parseJson(readIfThere(path) ?? '') as Lock | undefined;
    if (holder !== undefined && isAlive(holder)) {
      throw new LocalProblem(
        `Another Millrace host (process ${holder.pid}) uses ${folder}: stop it, or set MILLRACE_DATA_DIR to another folder.`,
      );
    }
    onCrash();
    rmSync(path, { force: true });
    if (!linked(draft, path))
      throw new LocalProblem(`Another Millrace host started in ${folder} at this moment.`);
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Only one process can create the link, and its content is complete from the start. */
function linked(draft: string, path: string): boolean {
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function isAlive({ pid, born }: Lock): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // Another user's process: it is alive, although we may not signal it.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return born === birthOf(pid);
}

/** Start time in ticks since boot, if /proc exists: field 22, counted after the name, which may have any characters. */
function birthOf(pid: number): string {
  const stat = readIfThere(`/proc/${pid}/stat`) ?? '';
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

function replace(path: string, text: string): void {
  const draft = `${path}.${process.pid}.new`;
  writeFileSync(draft, text, { mode: OWNER_ONLY, flush: true });
  chmodSync(draft, OWNER_ONLY);
  renameSync(draft, path);
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ESRCH') return undefined;
    throw error;
  }
}

function readJson<T>(folder: string, path: string, name: string): T | undefined {
  const text = readIfThere(path);
  if (text === undefined) return undefined;
  const value = parseJson(text);
  if (typeof value === 'object' && value !== null) return value as T;
  const what = text.trim() === '' ? 'is empty' : 'is cut off or was written by something else';
  throw unusable(folder, `${name} ${what}`);
}
