// npx millrace: what an operator does with a deployment, from a terminal. Answers go to stdout, problems to stderr.
import '../deploy-local/loopback-names.ts';
import { runMillrace } from './command-line.ts';
import { realWorld } from './world.ts';

const [first, ...others] = process.argv.slice(2);
process.exitCode = await (first === 'deploy' ? deploy() : first === 'init' ? init() : askDeployment());

async function init(): Promise<number> {
  const [{ runInit }, { awsAccount }, { FOLDER }] = await Promise.all([
    import('../deploy/init.ts'),
    import('../deploy/aws-account.ts'),
    import('../../cdk/environment-file.ts'),
  ]);
  const out = (text: string) => process.stdout.write(text);
  const err = (text: string) => process.stderr.write(text);
  return await runInit(others, { account: awsAccount, folder: FOLDER, out, err });
}

/** Loads the CDK, which nothing else needs. */
async function deploy(): Promise<number> {
  const { runDeploy } = await import('../deploy/command.ts');
  return await runDeploy(others);
}

/** Whatever is asked of what is deployed. */
async function askDeployment(): Promise<number> {
  process.once('SIGINT', () => {
    // Which ends in no other way.
    if (first !== 'tail')
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
