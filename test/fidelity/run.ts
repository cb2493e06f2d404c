// `npm run fidelity`: our platforms beside other people's implementations, on random orders. Fails on a difference without an
// explanation, on an explanation that explained nothing, where a field spoilt on purpose goes unnoticed, and where the figures of
// docs/reference/fidelity.md are not those of the run. The report with each known difference goes to .local/fidelity.
//   --seed <n>    the orders; printed, and the same orders come again
//   --cases <n>   how many
//   --only <text> comparisons whose name contains it
//   --show <n>    examples of each unexplained difference
//   --write       docs/reference/fidelity.md
import './digest-origins.ts';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Findings, findings, unused } from './comparison.ts';
import type { Difference } from './fields.ts';
import { orders } from './order.ts';
import { type Result, report, summary, table } from './report.ts';

/** What the page shows. */
const STANDARD = { seed: '20261121', cases: '2500' };
const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: STANDARD.seed },
    cases: { type: 'string', default: STANDARD.cases },
    only: { type: 'string', default: '' },
    show: { type: 'string', default: '5' },
    write: { type: 'boolean', default: false },
  },
});
const PAGE = new URL('../../docs/reference/fidelity.md', import.meta.url);
const REPORTS = new URL('../../.local/fidelity/', import.meta.url);
/** Orders whose every agreeing field is spoilt. */
const SPOILT_CASES = 100;

// After the import that watches the hashing: modules of platforms and peers are loaded from here on.
const { COMPARISONS } = await import('./comparisons/all.ts');
const { sensitivity } = await import('./sensitivity.ts');

const run = { seed: Number(options.seed), cases: Number(options.cases), startedMs: Date.now() };
if (!Number.isSafeInteger(run.seed) || !Number.isSafeInteger(run.cases) || run.cases < 1)
  throw new RangeError('--seed and --cases are whole numbers');
const list = orders(run.seed, run.cases, Math.floor(run.startedMs / 1_000));
const chosen = COMPARISONS.filter(({ platform, peer }) => `${platform} ${peer}`.includes(options.only));
if (chosen.length === 0) throw new Error(`no comparison is called ${options.only}`);

const results: Result[] = [];
for (const comparison of chosen) {
  results.push({
    found: await findings(comparison, list),
    sensitivity: await sensitivity(comparison, list.slice(0, SPOILT_CASES)),
  });
}

console.log(
  `${run.cases} orders of seed ${run.seed} (again: npm run fidelity -- --seed ${run.seed} --cases ${run.cases})\n`,
);
console.log(table(results));
let failed = 0;
for (const { found, sensitivity: felt } of results) {
  const name = `${found.comparison.platform}, ${found.comparison.peer}`;
  failed += complain(`${name}: unexplained`, examples(found));
  failed += complain(
    `${name}: explains nothing`,
    unused(found).map(({ fields, title }) => `${title} (${fields.join(', ')})`),
  );
  failed += complain(
    `${name}: spoilt, and not noticed`,
    [...felt.passed].map(([where, times]) => `${times} × ${where}`),
  );
}
const dated = { ...run, date: new Date(run.startedMs).toISOString().slice(0, 10) };
mkdirSync(REPORTS, { recursive: true });
writeFileSync(new URL('report.md', REPORTS), report(results, dated));
console.log(`\nEach known difference: ${fileURLToPath(new URL('report.md', REPORTS))}`);

const standard = options.only === '' && options.seed === STANDARD.seed && options.cases === STANDARD.cases;
if (standard && options.write) writeFileSync(PAGE, summary(results, dated));
const shown = readFileSync(PAGE, 'utf8').includes(table(results));
if (standard) {
  const stale = shown ? [] : ['docs/reference/fidelity.md shows other figures: npm run fidelity -- --write'];
  failed += complain('out of date', stale);
}
const checks = results.length * 3 + (standard ? 1 : 0);
console.log(`\n${checks - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

function complain(heading: string, lines: readonly string[]): number {
  if (lines.length === 0) return 0;
  console.log(`\n${heading}\n${lines.map((line) => `  ${line}`).join('\n')}`);
  return 1;
}

/** Unexplained differences by field, each with the orders to look at. */
function examples({ unexplained }: Findings): readonly string[] {
  const byField = Map.groupBy(unexplained, ({ field }) => field);
  return [...byField].flatMap(([field, differences]) => [
    `${field}: ${differences.length}`,
    ...differences.slice(0, Number(options.show)).map(example),
  ]);
}

function example({ order, oursPlain, theirsPlain }: Difference): string {
  return `  ${order.body.event_id}  ours ${JSON.stringify(oursPlain)}  theirs ${JSON.stringify(theirsPlain)}`;
}
