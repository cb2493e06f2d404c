// The files of a description: from an address, a folder, or a package of npm.
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const TIMEOUT_MS = 30_000;
const SIZE_MAX_BYTES = 50_000_000;

/** It is not known what the vendor says: no network, or nothing there. */
export class CouldNotLook extends Error {}

/**
 * Path → text. A file that is not there is left out. `source`: `https://…/`, `npm:<package>@<version>`, or a folder.
 * Throws `CouldNotLook` where none is there.
 */
export async function filesAt(
  source: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (source.startsWith('npm:')) return await inPackage(source.slice(4), (folder) => filesAt(folder, paths));
  const read = /^https?:/.test(source) ? fetched : readLocally;
  const texts = await Promise.all(paths.map(async (path) => [path, await read(source, path)] as const));
  const found = texts.flatMap(([path, text]) => (text === undefined ? [] : [[path, text] as const]));
  if (found.length === 0) throw new CouldNotLook(`nothing is at ${source}`);
  return new Map(found);
}

async function readLocally(folder: string, path: string): Promise<string | undefined> {
  try {
    return await readFile(join(folder, path), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function fetched(base: string, path: string): Promise<string | undefined> {
  const url = new URL(path, base);
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (answer.status === 404) return undefined;
    if (!answer.ok) throw new CouldNotLook(`${url} answered ${answer.status}`);
    return await answer.text();
  } catch (error) {
    if (error instanceof CouldNotLook) throw error;
    const { cause } = error as { readonly cause?: { readonly code?: string } };
    throw new CouldNotLook(`${url} was not reached (${cause?.code ?? (error as Error).message})`);
  }
}

async function inPackage<T>(name: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'drift-'));
  try {
    const options = { timeout: 4 * TIMEOUT_MS, maxBuffer: SIZE_MAX_BYTES };
    await run('npm', ['pack', name, '--silent', '--ignore-scripts', '--pack-destination', folder], options);
    const archive = (await readdir(folder)).find((file) => file.endsWith('.tgz')) ?? '';
    await run('tar', ['-xzf', join(folder, archive), '-C', folder], options);
    return await work(join(folder, 'package'));
  } catch (error) {
    if (error instanceof CouldNotLook) throw error;
    throw new CouldNotLook(`npm has no ${name}, or was not reached`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
