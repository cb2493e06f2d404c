// Processes a benchmark talks to: the servers of http-server.ts and the load of http-load.ts.
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { LoadOrder, LoadResult } from './http-load.ts';

export interface HttpChild {
  readonly port: number;
  /** CPU time of the child so far, microseconds. */
  cpuUs(): Promise<number>;
  close(): void;
}

export async function startHttpChild(name: string): Promise<HttpChild> {
  const child = start('http-server.ts', name);
  const { port } = await answer<{ port: number }>(child);
  return {
    port,
    async cpuUs() {
      const { cpu } = await answer<{ cpu: NodeJS.CpuUsage }>(child, 'cpu');
      return cpu.user + cpu.system;
    },
    close: () => child.disconnect(),
  };
}

export interface LoadChild {
  run(order: LoadOrder): Promise<LoadResult>;
  close(): void;
}

export function startLoadChild(): LoadChild {
  const child = start('http-load.ts');
  return { run: (order) => answer<LoadResult>(child, order), close: () => child.disconnect() };
}

const start = (file: string, ...args: string[]): ChildProcess =>
  fork(fileURLToPath(new URL(file, import.meta.url)), args, { stdio: 'inherit' });

/** The child's next message, after it was asked. */
function answer<T>(child: ChildProcess, question?: LoadOrder | 'cpu'): Promise<T> {
  return new Promise((done, reject) => {
    const ended = (code: number | null): void => reject(new Error(`a child process ended with ${code}`));
    child.once('exit', ended);
    child.once('message', (value) => {
      child.off('exit', ended);
      done(value as T);
    });
    if (question !== undefined) child.send(question);
  });
}
