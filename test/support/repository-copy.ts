// A copy of this repository in which a test may change what it likes, and commands of it, run there.
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** Made, not written. */
const LEFT_OUT = new Set(['.git', '.local', '.venv', '.cdk-home', 'cdk.out', 'coverage', 'node_modules']);
// A run of vitest inside a run of vitest must not take itself for a worker of it.
const ENV = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST')));

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RepositoryCopy {
  readonly path: string;
  /** Node with these arguments. Never rejects: how it ended is what tests are about. */
  run(...args: readonly string[]): Promise<Ended>;
  /** The same with more variables than this process has. */
  runWith(env: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<Ended>;
  remove(): void;
}

/** `node_modules` is the one that is here. */
export function copyRepository(name: string): RepositoryCopy {
  const path = mkdtempSync(join(tmpdir(), `millrace-${name}-`));
  for (const entry of readdirSync(ROOT))
    if (!LEFT_OUT.has(entry)) cpSync(join(ROOT, entry), join(path, entry), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(path, 'node_modules'));
  const runWith: RepositoryCopy['runWith'] = async (env, ...args) => {
    try {
      const options = { cwd: path, env: { ...ENV, ...env }, maxBuffer: 64 * 1_048_576 };
      return { code: 0, ...(await promisify(execFile)(process.execPath, args, options)) };
    } catch (error) {
      const { code, stdout, stderr } = error as { code: unknown; stdout: string; stderr: string };
      return { code: typeof code === 'number' ? code : -1, stdout, stderr };
    }
  };
  return {
    path,
    run: (...args) => runWith({}, ...args),
    runWith,
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}
