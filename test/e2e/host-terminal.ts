// The operator's command line before the host that MILLRACE_DATA_DIR names.
import { setTimeout as pauseFor } from 'node:timers/promises';
import { runMillrace } from '../../scripts/millrace/command-line.ts';
import { realWorld } from '../../scripts/millrace/world.ts';

/** `typed`: at the terminal, when it is asked. */
export const terminal = { typed: '' };

export async function millrace(...args: readonly string[]) {
  const said = { out: '', err: '' };
  const code = await runMillrace([...args, '--local'], {
    ...realWorld,
    question: async () => terminal.typed,
    // Until what was accepted is listed, which is at once here.
    pause: async () => await pauseFor(1_000),
    out: (text) => {
      said.out += text;
    },
    err: (text) => {
      said.err += text;
    },
  });
  return { code, ...said };
}

export async function json<T>(...args: readonly string[]): Promise<T> {
  const { code, out, err } = await millrace(...args, '--json');
  if (out === '') throw new Error(`millrace ${args.join(' ')} ended with ${code}: ${err}`);
  return JSON.parse(out) as T;
}
