// npx millrace: what an operator does with a deployment, from a terminal. Answers go to stdout, problems to stderr.
// Ends with 0 when it is done, 1 when it was refused, 2 when it was asked wrongly.
import { parseArgs } from 'node:util';
import { addressOf, endpointEnvironment } from '../deploy-local/endpoint.ts';
import '../deploy-local/loopback-names.ts';
import { findDeployment } from './deployment.ts';
import { createMerchant, type Wanted } from './merchants.ts';
import { printedMerchant } from './printed-merchant.ts';

const HELP = `npx millrace merchants create <name> --owner <e-mail>

Makes a merchant, its owner and its first API keys in the deployment that your AWS credentials and region name. Asked again
with the same name and owner it makes nothing twice; a key is shown once.

  --owner <e-mail>      who may do everything for the merchant; gets a mail with a first password
  --subject <sub>       of the owner at your own issuer, where the deployment has no user pool of its own
  --id <uuid>           of the merchant; default: made from name and owner
  --admin-key           one more key, which may do everything (connect platforms, without a sign-in)
  --test                keys that begin with evk_test_ instead of evk_live_
  --new-keys            makes keys although there are some, for example when the first ones were lost
  --emulator <url>      a LocalStack or MiniStack instead of AWS: http://127.0.0.1:4566
  --json                the answer as JSON

AWS asks for the permission to invoke the function: attach the policy of the output OperatorAdminPolicyArn.
`;

/** Asked wrongly: what to say instead. */
class UsageProblem extends Error {}

async function main(args: readonly string[]): Promise<void> {
  const { values, positionals } = parsed(args);
  if (values.help || args.length === 0) {
    process.stdout.write(HELP);
    return;
  }
  const [noun, verb, name, ...others] = positionals;
  if (noun !== 'merchants' || verb !== 'create')
    throw new UsageProblem(`There is no command ${[noun, verb].join(' ').trim()}. See npx millrace --help.`);
  if (name === undefined || others.length > 0)
    throw new UsageProblem(
      'Name the merchant in one word, or in quotes: npx millrace merchants create "My Shop"',
    );
  if (values.owner === undefined) throw new UsageProblem('Say who owns it: --owner you@shop.example');
  if (values.emulator !== undefined)
    Object.assign(process.env, endpointEnvironment(addressOf(values.emulator)));
  const wanted: Wanted = {
    name,
    owner: values.owner,
    adminKey: values['admin-key'],
    environment: values.test ? 'test' : 'live',
    newKeys: values['new-keys'],
    ...(values.subject === undefined ? {} : { subject: values.subject }),
    ...(values.id === undefined ? {} : { id: values.id }),
  };
  const deployment = await findDeployment();
  const made = await createMerchant(deployment, wanted);
  const { ingestionUrl, apiUrl, helpdeskUrl } = deployment;
  const answer = { ...made, urls: { ingestion: ingestionUrl, api: apiUrl, helpdesk: helpdeskUrl } };
  process.stdout.write(
    values.json ? `${JSON.stringify(answer, null, 2)}\n` : printedMerchant(made, deployment, Date.now()),
  );
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        owner: { type: 'string' },
        subject: { type: 'string' },
        id: { type: 'string' },
        'admin-key': { type: 'boolean', default: false },
        test: { type: 'boolean', default: false },
        'new-keys': { type: 'boolean', default: false },
        emulator: { type: 'string' },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
  } catch (error) {
    throw new UsageProblem(`${(error as Error).message.split('. ')[0]}. See npx millrace --help.`);
  }
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = error instanceof UsageProblem ? 2 : 1;
});
