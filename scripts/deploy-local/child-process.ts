// Other programs, run to their end or kept running. Guarantees: none outlives the caller's wish, and a failure shows what
// the program itself said.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** Of the repository. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Receives each line of output as it comes. */
  readonly onLine?: (line: string) => void;
}

const TAIL_LINES = 40;
const STOP_PATIENCE_MS = 5_000;

/** Resolves when the program ends with 0; otherwise rejects with its last lines. */
export async function run(command: Command): Promise<void> {
  const child = start(command);
  const [exitCode] = (await once(child.process, 'close')) as [number | null];
  if (exitCode === 0) return;
  throw new Error(`${describe(command)} ended with ${exitCode}:\n${child.tail()}`);
}

/** Tests that find their emulator by variables in `env`. Their output is printed; false where one failed. */
export function runTests(args: readonly string[], env: Readonly<Record<string, string>>): Promise<boolean> {
  return succeeds({
    program: join(ROOT, 'node_modules/.bin/vitest'),
    args: ['run', '--mode', 'emulators', ...args],
    cwd: ROOT,
    env: { ...process.env, ...env },
    onLine: (line) => console.log(line),
  });
}

/** Whether it ends with 0. */
export function succeeds(command: Command): Promise<boolean> {
  return run(command).then(
    () => true,
    () => false,
  );
}

export interface Running {
  readonly process: ChildProcess;
  /** The last lines of its output. */
  tail(): string;
  /** Ends it together with every process it started; resolves when it is gone. */
  stop(): Promise<void>;
}

/** Lets Ctrl-C and `kill` end this process the way `process.exit` does, so that what it started ends, too. */
export function exitOnSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
}

/** Starts a program in a process group of its own. Rejections of `spawn` (no such program) arrive as the event `error`. */
export function start(command: Command): Running {
  const child = spawn(command.program, command.args, {
    cwd: command.cwd,
    env: command.env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  // A group of its own does not hear the terminal's Ctrl-C, so it ends with this process whatever ends this process.
  const end = () => child.pid !== undefined && signalGroup(child.pid, 'SIGKILL');
  process.once('exit', end);
  child.once('exit', () => process.off('exit', end));
  const tail: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    collectLines(stream, (line) => {
      tail.push(line);
      if (tail.length > TAIL_LINES) tail.shift();
      command.onLine?.(line);
    });
  }
  return { process: child, tail: () => tail.join('\n'), stop: () => stopGroup(child) };
}

async function stopGroup(child: ChildProcess): Promise<void> {
  if (child.pid === undefined) return;
  const gone = hasEnded(child) ? Promise.resolve() : once(child, 'exit').then(() => undefined);
  signalGroup(child.pid, 'SIGTERM');
  await Promise.race([gone, delay(STOP_PATIENCE_MS)]);
  // The leader may be gone while functions it started still run.
  signalGroup(child.pid, 'SIGKILL');
  await gone;
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function collectLines(stream: Readable, onLine: (line: string) => void): void {
  let rest = '';
  stream.setEncoding('utf8');
  stream.on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) onLine(line);
  });
  stream.on('end', () => {
    if (rest !== '') onLine(rest);
  });
}

function describe(command: Command): string {
  return [command.program, ...command.args].join(' ');
}
