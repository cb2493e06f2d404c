// Programs written in Python, each in a virtual environment of its own.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run, succeeds } from '../deploy-local/child-process.ts';
import { installed } from './installation.ts';

export interface PythonProgram {
  readonly name: string;
  /** A Python that has `venv`. */
  readonly python: string;
  /** Packages for pip to install; files with the same versions give the same installation. */
  readonly requirements: URL;
  readonly constraints?: URL;
  readonly options?: readonly string[];
}

/**
 * The `bin` folder of the environment. Scripts in it are given to its `python`: each names the folder that it was made in, and the
 * environment is renamed when it is complete.
 */
export async function pythonProgram(program: PythonProgram): Promise<string> {
  const { name, python, requirements, constraints, options = [] } = program;
  const folder = await installed({
    name,
    describedBy: [requirements, ...(constraints === undefined ? [] : [constraints])],
    fill: async (draft) => {
      const step = (command: string, args: readonly string[]) =>
        run({ program: command, args, cwd: draft, env: process.env });
      await step(python, ['-m', 'venv', draft]);
      await step(join(draft, 'bin', 'python'), [
        ...['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-input', '--no-compile'],
        ...['--requirement', fileURLToPath(requirements), ...options],
        ...(constraints === undefined ? [] : ['--constraint', fileURLToPath(constraints)]),
      ]);
    },
  });
  return join(folder, 'bin');
}

/** 3.11 or later that can make virtual environments. */
export const hasPython = (cwd: string): Promise<boolean> =>
  succeeds({
    program: 'python3',
    args: ['-c', 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))'],
    cwd,
    env: process.env,
  });
