// Starts and stops the thread of the emulators.
import { dirname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { LocalProblem, unusable } from '../problem.ts';
import { busyPort } from '../settings.ts';

export interface EmulatorOptions {
  /** LevelDB folder of the tables. */
  readonly tablesPath: string;
  /** 0 takes any free port. */
  readonly dynamodbPort: number;
  readonly sqsPort: number;
}

export interface EmulatorAddresses {
  readonly dynamodbPort: number;
  readonly sqsPort: number;
}

export type EmulatorReport =
  | { readonly kind: 'ready'; readonly addresses: EmulatorAddresses }
  | { readonly kind: 'failed'; readonly use: string; readonly port: number; readonly code: string }
  /** The tables' database does not open. */
  | { readonly kind: 'unreadable'; readonly reason: string };

/** Without a slash at the end. */
export interface EmulatorUrls {
  readonly dynamodbUrl: string;
  readonly sqsUrl: string;
}

export interface Emulators extends EmulatorUrls {
  /** Flushes open tables and ends the thread, at the latest after some seconds. */
  close(): Promise<void>;
}

const CLOSE_MAX_MS = 5_000;

/** `onLost` is called when the thread ends unexpectedly. */
export async function startEmulators(
  options: EmulatorOptions,
  onLost: (reason: Error) => void,
): Promise<Emulators> {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData: options });
  const addresses = await new Promise<EmulatorAddresses>((resolve, reject) => {
    worker.once('message', (report: EmulatorReport) => {
      if (report.kind === 'ready') return resolve(report.addresses);
      void worker.terminate();
      reject(
        report.kind === 'unreadable'
          ? unusable(dirname(options.tablesPath), `its tables cannot be opened (${report.reason})`)
          : new LocalProblem(busyPort(report.port, report.use, report.code)),
      );
    });
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`the emulators ended with ${code} before they listened`)));
  });
  let closing = false;
  worker.on('error', onLost);
  worker.once('exit', (code) => {
    if (!closing) onLost(new Error(`the emulators ended with ${code}`));
  });
  return {
    dynamodbUrl: `http://127.0.0.1:${addresses.dynamodbPort}`,
    sqsUrl: `http://127.0.0.1:${addresses.sqsPort}`,
    close: () => {
      closing = true;
      return stop(worker);
    },
  };
}

async function stop(worker: Worker): Promise<void> {
  const ended = new Promise<void>((resolve) => {
    worker.once('exit', () => resolve());
  });
  worker.postMessage('close');
  const timer = setTimeout(() => void worker.terminate(), CLOSE_MAX_MS);
  await ended;
  clearTimeout(timer);
}
