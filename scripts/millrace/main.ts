// npx millrace: what an operator does with a deployment, from a terminal. Answers go to stdout, problems to stderr.
import '../deploy-local/loopback-names.ts';
import { runMillrace } from './command-line.ts';
import { realWorld } from './world.ts';

process.once('SIGINT', () => {
  process.stderr.write(
    'Interrupted. What was asked for is done or is not; the same command again finishes it.\n',
  );
  process.exit(130);
});

process.exitCode = await runMillrace(process.argv.slice(2), {
  ...realWorld,
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
});
