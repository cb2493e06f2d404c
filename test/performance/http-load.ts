// The load generator, in a process of its own so that it competes with no server for one thread: when told a port and a time,
// 64 connections post the standard event there, and the parent hears what came of it.
import autocannon from 'autocannon';
import { NOOP_API_KEY } from './noop-ingestion.ts';
import { standardEvent } from './standard-event.ts';

export interface LoadOrder {
  readonly port: number;
  /** Whole seconds. */
  readonly seconds: number;
}

export interface LoadResult {
  readonly requests: number;
  readonly seconds: number;
  /** Not answered with 2xx, or not at all. */
  readonly refused: number;
}

process.on('message', ({ port, seconds }: LoadOrder) => {
  run(port, seconds).then(
    (result) => process.send?.(result),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
process.on('disconnect', () => process.exit(0));

async function run(port: number, seconds: number): Promise<LoadResult> {
  const result = await autocannon({
    url: `http://127.0.0.1:${port}/v1/events`,
    method: 'POST',
    connections: 64,
    duration: seconds,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${NOOP_API_KEY}` },
    body: JSON.stringify(standardEvent(1, Math.floor(Date.now() / 1_000) - 60)),
  });
  return {
    requests: result.requests.total,
    seconds: result.duration,
    refused: result.non2xx + result.errors,
  };
}
