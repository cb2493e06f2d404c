// One cold start in a fresh process: loads the bundle named first, calls its handler with the event given second, and prints
// how long each took. Plain JavaScript, so that nothing but the bundle is loaded; and, before the clock starts, what Lambda's
// own runtime has loaded by then (https://github.com/aws/aws-lambda-nodejs-runtime-interface-client, src/client/rapid-client.ts,
// read 2026-11-21): node:http, with `require`.
import { createRequire } from 'node:module';

createRequire(import.meta.url)('node:http');
const [file, event] = process.argv.slice(2);
const cpu = process.cpuUsage();
const startedMs = performance.now();
const { handler } = await import(file);
const loadedMs = performance.now();
const answer = await handler(JSON.parse(event), {});
const answeredMs = performance.now();
const { user, system } = process.cpuUsage(cpu);
const times = {
  importMs: loadedMs - startedMs,
  totalMs: answeredMs - startedMs,
  cpuMs: (user + system) / 1_000,
};
process.stdout.write(JSON.stringify({ times, answer: answer ?? null }));
process.exit(0);
