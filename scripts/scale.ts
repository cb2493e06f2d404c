// `npm run scale`: how the pipeline holds up at volumes no test account has, on a model of AWS in virtual time
// (test/scale, docs/benchmarks.md). Prints each scenario's figures against its limits; exits with 1 when one is broken, or is met
// that is noted as not met yet.
//
//   npm run scale                        everything at full size: some hours, and up to 15 GB of memory a process
//   npm run scale -- --quick             everything shrunken, under two minutes on two cores
//   npm run scale -- --only purge,paused
//   npm run scale -- --seed 7
import { type ChildProcess, fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { isFailure } from '../test/scale/judge.ts';
import { closingLine, type Played, reportOf } from '../test/scale/report.ts';
import type { Order } from '../test/scale/run-scenario.ts';
import { SCENARIOS } from '../test/scale/scenarios/every-scenario.ts';
import type { Scenario, Size } from '../test/scale/scenarios/scenario.ts';

const RUNNER = fileURLToPath(new URL('../test/scale/run-scenario.ts', import.meta.url));
/** A million rows and their indexes in one process. */
const HEAP_MB = { quick: 4_096, full: 12_288 } as const;
const PROCESSES_MAX = 2;

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    seed: { type: 'string', default: '1' },
  },
});
const size: Size = values.quick ? 'quick' : 'full';

const played = await playAll(chosen());
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

/** Two processes take one scenario after another; each is printed when it is over. */
async function playAll(scenarios: readonly Scenario[]): Promise<readonly Played[]> {
  const waiting = [...scenarios];
  const played: Played[] = [];
  const work = async (): Promise<void> => {
    const child = fork(RUNNER, {
      // Most of what a run makes dies young: the nursery is the larger for it. And each call of zlib has memory outside the
      // heap, of which 64 MB would set off a collection of a heap of gigabytes: half of the time of a long run.
      execArgv: [
        `--max-old-space-size=${HEAP_MB[size]}`,
        '--max-semi-space-size=64',
        '--external-memory-accounted-in-global-limit',
      ],
      serialization: 'advanced',
    });
    for (let scenario = waiting.shift(); scenario !== undefined; scenario = waiting.shift()) {
      const result = await play(child, { name: scenario.name, size, seed: values.seed });
      console.log(reportOf(scenario, size, result));
      played.push(result);
    }
    child.disconnect();
  };
  const processes = Math.min(PROCESSES_MAX, availableParallelism(), scenarios.length);
  await Promise.all(Array.from({ length: processes }, work));
  return scenarios.flatMap(({ name }) => played.filter((one) => one.name === name));
}

function play(child: ChildProcess, order: Order): Promise<Played> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null): void =>
      reject(new Error(`${order.name} ended with ${code} and told nothing`));
    child.once('exit', onExit);
    child.once('message', (result) => {
      child.off('exit', onExit);
      resolve(result as Played);
    });
    child.send(order);
  });
}
