// Loaded with `--import` into the embedded host, and so into the thread of its emulated tables: counts the calls that write an
// item, and keeps the sum in the file that MILLRACE_BENCH_WRITES names. Node says of every request that a server starts to
// answer (https://nodejs.org/docs/latest-v24.x/api/diagnostics_channel.html, `http.server.request.start`).
import { subscribe } from 'node:diagnostics_channel';
import { writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const WRITES = /\.(?:PutItem|UpdateItem|DeleteItem|BatchWriteItem|TransactWriteItems)$/;
const KEPT_EVERY_MS = 100;

if (!isMainThread) {
  let count = 0;
  let kept = -1;
  subscribe('http.server.request.start', ({ request }) => {
    if (WRITES.test(request.headers['x-amz-target'] ?? '')) count += 1;
  });
  setInterval(() => {
    if (count === kept || process.env.MILLRACE_BENCH_WRITES === undefined) return;
    // Other threads of the host answer nothing of the tables.
    if (count > 0) writeFileSync(process.env.MILLRACE_BENCH_WRITES, String(count));
    kept = count;
  }, KEPT_EVERY_MS).unref();
}
