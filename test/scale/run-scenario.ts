// Plays the scenarios its parent names, one after another, in a process of its own, and sends back what came of each. The
// exchange of modules comes first: whatever is loaded afterwards meets the modelled region.
import './stand-ins/exchange.ts';
import type { Size } from './scenarios/scenario.ts';

const { SCENARIOS } = await import('./scenarios/every-scenario.ts');
const { judge } = await import('./judge.ts');

/** What the parent asks for; it disconnects when there is nothing more. */
export interface Order {
  readonly name: string;
  readonly size: Size;
  readonly seed: string;
}

async function play({ name, size, seed }: Order) {
  const scenario = SCENARIOS.find((one) => one.name === name);
  if (scenario === undefined) throw new Error(`no scenario is called ${name}`);
  const startedMs = performance.now();
  const figures = await scenario.run(size, seed);
  const verdicts = judge(figures, scenario.limits, size);
  return { name, figures, verdicts, tookMs: performance.now() - startedMs };
}

process.on('message', (order: Order) => {
  play(order).then(
    (played) => process.send?.(played),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
