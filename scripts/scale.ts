// `npm run scale`: how the pipeline holds up at volumes no test account has, on a model of AWS in virtual time
// (test/scale, docs/scale.md). Prints each scenario's figures against its limits; exits with 1 when one is broken, or is met
// that is noted as not met yet.
//
//   npm run scale                        everything at full size: an hour, and some GB of memory
//   npm run scale -- --quick             everything shrunken, under two minutes on two cores
//   npm run scale -- --only purge,paused
//   npm run scale -- --seed 7
import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { inParallel } from '../lib/adapters/concurrency/in-parallel.ts';
import { isFailure } from '../test/scale/judge.ts';
import { closingLine, type Played, reportOf } from '../test/scale/report.ts';
import { SCENARIOS } from '../test/scale/scenarios/every-scenario.ts';
import type { Scenario, Size } from '../test/scale/scenarios/scenario.ts';

const RUNNER = fileURLToPath(new URL('../test/scale/run-scenario.ts', import.meta.url));
/** A million rows and their indexes in one process. */
const HEAP_MB = { quick: 4_096, full: 12_288 } as const;
const AT_ONCE_MAX = 2;

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    seed: { type: 'string', default: '1' },
  },
});
const size: Size = values.quick ? 'quick' : 'full';

const played = await inParallel(chosen(), Math.min(AT_ONCE_MAX, availableParallelism()), async (scenario) => {
  const result = await play(scenario);
  console.log(reportOf(scenario, size, result));
  return result;
});
console.log(`\n${closingLine(played, isFailure)}`);
process.exitCode = played.some(({ verdicts }) => verdicts.some(isFailure)) ? 1 : 0;

function chosen(): readonly Scenario[] {
  if (values.only === undefined) return SCENARIOS;
  const names = values.only.split(',');
  const unknown = names.filter((name) => !SCENARIOS.some((scenario) => scenario.name === name));
  if (unknown.length > 0)
    throw new Error(
      `no scenario is called ${unknown.join(', ')}; there are ${SCENARIOS.map(({ name }) => name).join(', ')}`,
    );
  return SCENARIOS.filter(({ name }) => names.includes(name));
}

function play({ name }: Scenario): Promise<Played> {
  return new Promise((resolve, reject) => {
    const child = fork(RUNNER, [name, size, values.seed], {
      execArgv: [`--max-old-space-size=${HEAP_MB[size]}`],
      serialization: 'advanced',
    });
    child.once('message', (result) => resolve(result as Played));
    child.once('exit', (code) => reject(new Error(`${name} ended with ${code} and told nothing`)));
  });
}
