// `npm run bench`: every benchmark in a process of its own, one after another. Prints a table, keeps every figure in
// bench-results.json, and ends with 1 where a benchmark broke, after the others have run. `--peers` measures other products
// too (installed on demand); `--only <name>` runs the benchmarks whose file name contains it; `--short` runs each with as
// little as it can, keeps nothing, and ends with `N passed, N failed`: so that none breaks unseen.
import { execFileSync, spawn } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { markdown, type Result } from './result.ts';

const { values: options } = parseArgs({
  options: {
    peers: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: [] },
    short: { type: 'boolean', default: false },
  },
});
const HERE = fileURLToPath(new URL('.', import.meta.url));
const RESULTS = fileURLToPath(new URL('../../bench-results.json', import.meta.url));

if (options.peers) installPeers();
const files = readdirSync(`${HERE}benchmarks`)
  .filter((file) => file.endsWith('.ts') && matches(file))
  .sort();
if (files.length === 0) throw new Error(`no benchmark is called ${options.only.join(' or ')}`);
const results: Result[] = [];
const broken: string[] = [];
for (const file of files) {
  process.stderr.write(`${file} … `);
  const startedMs = performance.now();
  try {
    results.push(await run(file));
    process.stderr.write(`${((performance.now() - startedMs) / 1_000).toFixed(0)} s\n`);
  } catch (error) {
    broken.push(file);
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  }
}
const machine = {
  date: new Date().toISOString().slice(0, 10),
  cpu: `${cpus().length} x ${cpus()[0]?.model ?? 'unknown'}`,
  memoryGb: Math.round(totalmem() / 2 ** 30),
  node: process.version,
  command: ['npm run bench', ...process.argv.slice(2)].join(' '),
};
if (!options.short) writeFileSync(RESULTS, `${JSON.stringify({ machine, results, broken }, null, 2)}\n`);
console.log(`${machine.date} · ${machine.cpu} · Node ${machine.node} · \`${machine.command}\`\n`);
console.log(markdown(results));
if (broken.length > 0) {
  console.log(`\nbroken: ${broken.join(', ')}`);
  process.exitCode = 1;
}
if (options.short) console.log(`${results.length} passed, ${broken.length} failed`);

function matches(file: string): boolean {
  return options.only.length === 0 || options.only.some((name) => file.includes(name));
}

/** The line a benchmark prints; what it says besides goes to stderr. */
async function run(file: string): Promise<Result> {
  const child = spawn(process.execPath, [`${HERE}benchmarks/${file}`], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      MILLRACE_BENCH_PEERS: options.peers ? '1' : '0',
      MILLRACE_BENCH_SHORT: options.short ? '1' : '0',
    },
  });
  const [stdout, stderr, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((done) => {
      child.once('exit', done);
    }),
  ]);
  const line = stdout.split('\n').find((candidate) => candidate.startsWith('{"benchmark"'));
  if (code !== 0 || line === undefined) throw new Error(`${file} ended with ${code}:\n${stdout}\n${stderr}`);
  return JSON.parse(line) as Result;
}

async function text(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** Exactly the versions of peers/package.json; no script of theirs runs. */
function installPeers(): void {
  const args = ['install', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund', '--silent'];
  execFileSync('npm', args, { cwd: `${HERE}peers`, stdio: ['ignore', 'ignore', 'inherit'] });
}
