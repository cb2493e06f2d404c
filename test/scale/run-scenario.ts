// One scenario in a process of its own, which sends what came of it to its parent. The exchange of modules comes first: whatever
// is loaded afterwards meets the modelled region.
import './stand-ins/exchange.ts';

const [name = '', size = 'full', seed = '1'] = process.argv.slice(2);
const { SCENARIOS } = await import('./scenarios/every-scenario.ts');
const { judge } = await import('./judge.ts');

const scenario = SCENARIOS.find((one) => one.name === name);
if (scenario === undefined) throw new Error(`no scenario is called ${name}`);
const wanted = size === 'quick' ? 'quick' : 'full';
const startedMs = performance.now();
const figures = await scenario.run(wanted, seed);
const played = {
  name,
  figures,
  verdicts: judge(figures, scenario.limits, wanted),
  tookMs: performance.now() - startedMs,
};
if (process.send === undefined) console.log(JSON.stringify(played, null, 2));
else process.send(played, () => process.disconnect());
