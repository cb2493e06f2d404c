// npx millrace: what an operator does with a deployment, from a terminal. Answers go to stdout, problems to stderr.
import '../deploy-local/loopback-names.ts';
import { runMillrace } from './command-line.ts';
import { realWorld } from './world.ts';

const [first, ...others] = process.argv.slice(2);
process.exitCode = first === 'deploy' ? await deploy() : await askDeployment();

/** Loads the CDK, which nothing else needs. */
async function deploy(): Promise<number> {
  const { runDeploy } = await import('../deploy/command.ts');
  return await runDeploy(others);
}

/** Whatever is asked of what is deployed. */
async function askDeployment(): Promise<number> {
  process.once('SIGINT', () => {
    process.stderr.write(
      'Interrupted. What was asked for is done or is not; the same command again finishes it.\n',
    );
    process.exit(130);
  });
  return await runMillrace(process.argv.slice(2), {
    ...realWorld,
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
  });
}
