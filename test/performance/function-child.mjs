// One deployed function in a process of its own, as Lambda keeps it: the bundle named first is loaded, and its handler called
// with one event after another, as the parent sends them. Answers each with its CPU time and the largest memory so far.
import { createRequire } from 'node:module';

createRequire(import.meta.url)('node:http');
const { handler } = await import(process.argv[2]);

process.on('disconnect', () => process.exit(0));
process.on('message', async (event) => {
  const cpu = process.cpuUsage();
  const answer = await handler(event, {});
  const { user, system } = process.cpuUsage(cpu);
  process.send({
    answer: answer ?? null,
    cpuMs: (user + system) / 1_000,
    memoryMb: process.resourceUsage().maxRSS / 1_024,
  });
});
process.send('ready');
