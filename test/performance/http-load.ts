// The load generator, in a process of its own so that it competes with no server for one thread: 64 connections post the
// standard event to the given port for the given seconds, and one line of JSON says what came of it.
import autocannon from 'autocannon';
import { NOOP_API_KEY } from './noop-ingestion.ts';
import { standardEvent } from './standard-event.ts';

const [port, seconds] = process.argv.slice(2).map(Number);
const result = await autocannon({
  url: `http://127.0.0.1:${port}/v1/events`,
  method: 'POST',
  connections: 64,
  duration: seconds ?? 1,
  headers: { 'content-type': 'application/json', authorization: `Bearer ${NOOP_API_KEY}` },
  body: JSON.stringify(standardEvent(1, Math.floor(Date.now() / 1_000) - 60)),
});
process.stdout.write(
  JSON.stringify({
    requests: result.requests.total,
    seconds: result.duration,
    refused: result.non2xx + result.errors,
    p99Ms: result.latency.p99,
  }),
);
