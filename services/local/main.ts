// `npm start`: the host on this machine, until Ctrl-C. Prints where everything is, sends one purchase through the
// pipeline and shows what each platform received. A problem of this machine is one sentence on stderr and exit code 1.
import { screenOn } from './screen.ts';
import { findProblem, readSettings } from './settings.ts';

const startedMs = performance.now();
const settings = readSettings(process.env, process.cwd());
const problem = await findProblem(settings);
if (problem !== null) fail(problem);
const screen = screenOn(process.stdout);
// Imported only now, because these need the packages that the check above looks for.
const { startHost } = await import('./host.ts');
const { LocalProblem } = await import('./problem.ts');
const { stopOnSignals } = await import('./stop-on-signals.ts');
const { sendSample } = await import('./sample.ts');

const host = await startHost({
  portBase: settings.portBase,
  dataDir: settings.dataDir,
  assistant: process.env,
  settings: process.env.SIGN_UP === 'true' ? { signUp: 'true' } : {},
  onError: (text) => screen.error(text),
}).catch((error: unknown) => fail(error instanceof LocalProblem ? error.message : error));

stopOnSignals({
  close: () => host.close(),
  onStop: () => screen.say('\nStopping: what is in flight is finished at the next start.'),
  onCrash: (error) => screen.error(error instanceof Error ? (error.stack ?? error.message) : String(error)),
});
// Runs concurrently: a page that is opened meanwhile waits for it.
void host.dashboard.prepare();
screen.welcome(host, performance.now() - startedMs);
screen.sample(await sendSample(host.session));

function fail(reason: unknown): never {
  console.error(reason);
  process.exit(1);
}
