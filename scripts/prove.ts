// Proves the promises of the reliability table and says with which figures: the long version of test/simulation.
// Writes reliability-report.json, prints a table, and ends with 1 when a promise was broken or a mutant survived.
//
//   npm run prove                                   everything
//   npm run prove -- --only storms,races            some proofs
//   npm run prove -- --seed 4711                    replays one run of `storms`, or of the one proof given with --only
//   npm run prove -- --seed 4711 --crash normalize.events.normalize:after --occurrence 2
//   npm run prove -- --share 0.1                    a tenth of the runs
//   npm run prove -- --from 1001                   on other seeds than `npm test` has, which begins with 1
//   npm run prove -- --no-mutants                   without the mutants, which `npm run test:slow` looks for as well
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { PROPERTIES, type Property } from '../test/simulation/checks.ts';
import { caughtAt } from '../test/simulation/mutants/caught-at.ts';
import { MUTANTS } from '../test/simulation/mutants/every-mutant.ts';
import type { CrashPlan, CrashPoint } from '../test/simulation/process.ts';
import { PROOFS } from '../test/simulation/proofs/every-proof.ts';
import type { Finding, ProofResult } from '../test/simulation/proofs/proof.ts';

const REPORT = fileURLToPath(new URL('../reliability-report.json', import.meta.url));
const FINDINGS_SHOWN = 10;

interface Row {
  readonly property: Property;
  readonly proof: string;
  readonly runs: number;
  readonly violations: number;
  /** The first run that broke the promise, or the first of all. */
  readonly seed: number;
  readonly figure: string;
}

const { values } = parseArgs({
  allowNegative: true,
  options: {
    only: { type: 'string' },
    seed: { type: 'string' },
    share: { type: 'string', default: '1' },
    from: { type: 'string', default: '1' },
    mutants: { type: 'boolean', default: true },
    crash: { type: 'string' },
    occurrence: { type: 'string', default: '1' },
  },
});

process.exitCode = values.seed === undefined ? await proveAll() : await replay(Number(values.seed));

async function proveAll(): Promise<number> {
  const rows: Row[] = [];
  const findings: (Finding & { readonly proof: string })[] = [];
  for (const { proof, long } of chosen()) {
    const runs = Math.max(1, Math.round(long * Number(values.share)));
    const startedMs = performance.now();
    process.stderr.write(`${proof.name}: ${runs} runs … `);
    const result = await proof.run({ seed: Number(values.from), runs });
    process.stderr.write(`${((performance.now() - startedMs) / 1_000).toFixed(1)} s\n`);
    rows.push(...proof.properties.map((property) => rowOf(property, proof.name, runs, result)));
    findings.push(...result.findings.map((finding) => ({ ...finding, proof: proof.name })));
  }
  const withMutants = values.mutants && values.only === undefined;
  const survivors = withMutants ? await mutantsLeft() : [];
  await writeFile(REPORT, `${JSON.stringify(rows, null, 2)}\n`);
  print(rows);
  if (withMutants)
    console.log(`\nMutants: ${MUTANTS.length - survivors.length} of ${MUTANTS.length} caught.`);
  for (const name of survivors) console.log(`Not caught: ${name}`);
  for (const finding of findings.slice(0, FINDINGS_SHOWN)) console.log(`\n${describe(finding)}`);
  return findings.length === 0 && survivors.length === 0 ? 0 : 1;
}

function chosen(): typeof PROOFS {
  if (values.only === undefined) return PROOFS;
  const names = values.only.split(',');
  const known = PROOFS.map(({ proof }) => proof.name);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new Error(`no proof is called ${unknown.join(', ')}; there are ${known.join(', ')}`);
  return PROOFS.filter(({ proof }) => names.includes(proof.name));
}

async function replay(seed: number): Promise<number> {
  const proof = values.only === undefined ? PROOFS.find((p) => p.proof.name === 'storms') : chosen()[0];
  if (proof === undefined) throw new Error('no proof to replay');
  const crashPlan: CrashPlan | undefined =
    values.crash === undefined
      ? undefined
      : { point: values.crash as CrashPoint, occurrence: Number(values.occurrence) };
  const { findings, figures } = await proof.proof.run({ seed, runs: 1, ...(crashPlan ? { crashPlan } : {}) });
  for (const [property, sentence] of Object.entries(figures)) console.log(`${property}  ${sentence}`);
  for (const { property, what } of findings) console.log(`BROKEN ${property}  ${what}`);
  return findings.length === 0 ? 0 : 1;
}

function rowOf(property: Property, proof: string, runs: number, { findings, figures }: ProofResult): Row {
  const broken = findings.filter((finding) => finding.property === property);
  return {
    property,
    proof,
    runs,
    violations: broken.length,
    seed: broken[0]?.seed ?? Number(values.from),
    figure: figures[property] ?? '',
  };
}

async function mutantsLeft(): Promise<string[]> {
  process.stderr.write(`mutants: ${MUTANTS.length} … `);
  const left: string[] = [];
  for (const mutant of MUTANTS) {
    if ((await caughtAt(mutant)) === null) left.push(`${mutant.property} ${mutant.name}`);
  }
  process.stderr.write(`${left.length} left\n`);
  return left;
}

function print(rows: readonly Row[]): void {
  console.log('| # | Proof | Runs | Broken | Figures |\n|---|---|---:|---:|---|');
  const ordered = [...rows].sort((a, b) => PROPERTIES.indexOf(a.property) - PROPERTIES.indexOf(b.property));
  for (const { property, proof, runs, violations, figure } of ordered)
    console.log(`| ${property} | ${proof} | ${runs.toLocaleString('en')} | ${violations} | ${figure} |`);
}

/** What went wrong, and how to see it again. */
function describe({ property, what, seed, proof, crashPlan }: Finding & { readonly proof: string }): string {
  const where = crashPlan
    ? `--seed ${seed} --crash ${crashPlan.point} --occurrence ${crashPlan.occurrence}`
    : `--only ${proof} --seed ${seed}`;
  return `BROKEN ${property}  ${what}\n       npm run prove -- ${where}`;
}
