// Servers of http-server.ts as seen from the process that started them.
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface HttpChild {
  readonly port: number;
  /** CPU time of the child so far, microseconds. */
  cpuUs(): Promise<number>;
  close(): void;
}

export async function startHttpChild(name: string): Promise<HttpChild> {
  const child = fork(fileURLToPath(new URL('./http-server.ts', import.meta.url)), [name], {
    stdio: 'inherit',
  });
  const { port } = await message<{ port: number }>(child);
  return {
    port,
    async cpuUs() {
      child.send('cpu');
      const { cpu } = await message<{ cpu: NodeJS.CpuUsage }>(child);
      return cpu.user + cpu.system;
    },
    close: () => child.disconnect(),
  };
}

function message<T>(child: ChildProcess): Promise<T> {
  return new Promise((done, reject) => {
    const ended = (code: number | null): void => reject(new Error(`a server ended with ${code}`));
    child.once('exit', ended);
    child.once('message', (value) => {
      child.off('exit', ended);
      done(value as T);
    });
  });
}
