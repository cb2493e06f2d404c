// Processes a benchmark talks to: the servers of http-server.ts and the load of http-load.ts.
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { nextMessage } from './child-message.ts';
import type { LoadOrder, LoadResult } from './http-load.ts';

export type HttpChild = Awaited<ReturnType<typeof startHttpChild>>;

export async function startHttpChild(name: string) {
  const child = start('http-server.ts', name);
  const { port } = await nextMessage<{ port: number }>(child);
  return {
    port,
    /** CPU time of the child so far, microseconds. */
    async cpuUs() {
      const { cpu } = await nextMessage<{ cpu: NodeJS.CpuUsage }>(child, 'cpu');
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
  return { run: (order) => nextMessage<LoadResult>(child, { ...order }), close: () => child.disconnect() };
}

const start = (file: string, ...args: string[]): ChildProcess =>
  fork(fileURLToPath(new URL(file, import.meta.url)), args, { stdio: 'inherit' });
