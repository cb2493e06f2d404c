// The log of the pipeline: JSON lines in one file; errors are also passed to a callback. A large file is replaced by a
// new one at the next start; one old one is kept.
import { closeSync, openSync, renameSync, statSync, writeSync } from 'node:fs';
import * as z from 'zod';
import { parseJson } from './parse-json.ts';

export interface LocalLog {
  /** What loggers write to: whole lines. */
  readonly destination: { write(line: string): void };
  /** An error of the host itself. */
  error(problem: string, error: unknown): void;
  close(): void;
}

const lineSchema = z.object({
  level: z.string(),
  service: z.string().optional(),
  msg: z.string().optional(),
  err: z.object({ message: z.string() }).partial().optional(),
});
const ALARMING = new Set(['error', 'fatal']);

const SIZE_MAX_BYTES = 16 * 1_048_576;

export function openLocalLog(path: string, onError: (text: string) => void): LocalLog {
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > SIZE_MAX_BYTES) renameSync(path, `${path}.1`);
  const file = openSync(path, 'a', 0o600);
  let open = true;
  const write = (line: string): void => {
    if (open) writeSync(file, line);
    const text = alarm(line);
    if (text !== null) onError(text);
  };
  return {
    destination: { write },
    error: (problem, error) => {
      const err =
        error instanceof Error
          ? { message: error.message, stack: error.stack }
          : { message: describe(error) };
      write(`${JSON.stringify({ level: 'error', time: Date.now(), service: 'host', err, msg: problem })}\n`);
    },
    close: () => {
      open = false;
      closeSync(file);
    },
  };
}

/** A sentence for the line of an error; null for other lines. */
function alarm(line: string): string | null {
  if (!line.includes('"error"') && !line.includes('"fatal"')) return null;
  const parsed = lineSchema.safeParse(parseJson(line));
  if (!parsed.success || !ALARMING.has(parsed.data.level)) return null;
  const { service, msg, err } = parsed.data;
  return [service, msg, err?.message].filter((part) => part !== undefined && part !== '').join(': ');
}

const describe = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
