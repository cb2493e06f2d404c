// A folder that an export goes to. Guarantees: a file is there whole or not at all; what the manifest names is whole; one process at a
// time writes; what is broken off is begun again where it stopped.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as z from 'zod';

const written = z.object({ lines: z.int(), bytes: z.int(), sha256: z.string() });
export type Written = z.output<typeof written>;
const manifest = z.object({ merchant: z.string(), files: z.record(z.string(), written) });

const MANIFEST = 'manifest.json';
const LOCK = 'export.lock';
const FULL: ReadonlySet<string | undefined> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

export interface ExportFolder {
  /** By name; those that are whole. */
  readonly files: Readonly<Record<string, Written>>;
  /** `isFinal`: it is not written again. */
  write(name: string, lines: AsyncIterable<unknown>, isFinal: boolean): Promise<Written>;
  close(): void;
}

/** Throws a sentence where another merchant's export, or another process, is there. */
export function openExportFolder(path: string, merchant: string): ExportFolder {
  try {
    makeFolder(path);
    lock(join(path, LOCK), path);
  } catch (error) {
    throw sentenceOf(error, path);
  }
  const close = (): void => rmSync(join(path, LOCK), { force: true });
  let files: Record<string, Written>;
  try {
    files = filesIn(path, merchant);
  } catch (error) {
    close();
    throw error;
  }
  return {
    files,
    close,
    async write(name, lines, isFinal) {
      try {
        const file = await writeWhole(join(path, name), lines);
        if (isFinal) {
          files[name] = file;
          writeManifest(path, { merchant, files });
        }
        return file;
      } catch (error) {
        throw sentenceOf(error, path);
      }
    },
  };
}

function filesIn(path: string, merchant: string): Record<string, Written> {
  let text: string;
  try {
    text = readFileSync(join(path, MANIFEST), 'utf8');
  } catch {
    return {};
  }
  const read = manifest.safeParse(JSON.parse(text));
  if (!read.success) throw new Error(`${join(path, MANIFEST)} is not of an export: name another folder.`);
  if (read.data.merchant !== merchant)
    throw new Error(`${path} has the export of merchant ${read.data.merchant}: name another folder.`);
  return read.data.files;
}

/** Not recursive: below /proc that never ends (services/local/preflight.mjs). */
function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** What a process that has died left is taken over. */
function lock(file: string, path: string): void {
  for (;;)
    try {
      writeFileSync(file, String(process.pid), { flag: 'wx', mode: 0o600 });
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      const holder = Number(readFileSync(file, 'utf8'));
      if (lives(holder)) throw new Error(`Process ${holder} exports to ${path} already.`);
      rmSync(file, { force: true });
    }
}

function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function writeManifest(path: string, content: z.output<typeof manifest>): void {
  const part = join(path, `${MANIFEST}.part`);
  writeFileSync(part, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600, flush: true });
  renameSync(part, join(path, MANIFEST));
}

async function writeWhole(file: string, lines: AsyncIterable<unknown>): Promise<Written> {
  makeFolder(dirname(file));
  const part = `${file}.part`;
  let handle: FileHandle | undefined;
  try {
    handle = await open(part, 'w', 0o600);
    const hash = createHash('sha256');
    const so = { lines: 0, bytes: 0 };
    for await (const line of lines) {
      const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
      await handle.writeFile(bytes);
      hash.update(bytes);
      so.lines += 1;
      so.bytes += bytes.byteLength;
    }
    await handle.sync();
    await handle.close();
    handle = undefined;
    renameSync(part, file);
    return { ...so, sha256: hash.digest('hex') };
  } catch (error) {
    await handle?.close().catch(() => undefined);
    rmSync(part, { force: true });
    throw error;
  }
}

function sentenceOf(error: unknown, path: string): Error {
  const { code, message } = error as NodeJS.ErrnoException;
  if (FULL.has(code))
    return new Error(
      `The disk of ${path} is full. What is written is whole: make room and repeat the command to go on.`,
      {
        cause: error,
      },
    );
  return code === undefined
    ? (error as Error)
    : new Error(`${path} cannot be written: ${message}`, { cause: error });
}
