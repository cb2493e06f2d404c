// For `cdk deploy` itself: its command line asks for the app first, which builds every function, and looks at the account after.
import { awsAccount } from './aws-account.ts';
import { checkAccount } from './preflight.ts';

type Values = Readonly<Record<string, unknown>>;

/** Set by `millrace deploy`, which has looked. */
export const CHECKED = 'MILLRACE_ACCOUNT_CHECKED';
/** What the command line of the CDK is about to have built: nothing for `cdk list`, `destroy` and `bootstrap`. */
const BUNDLING = 'aws:cdk:bundling-stacks';

/**
 * Rejects with a sentence that says what to do, where functions are about to be built for an account that cannot take them.
 * Without credentials nothing is asked: templates can be made without. An ephemeral deployment is an emulator's.
 */
export async function checkBeforeBundling(
  settings: Values,
  context: Values,
  file: string | undefined,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<void> {
  const { CDK_DEFAULT_ACCOUNT: account, CDK_DEFAULT_REGION: region } = env;
  const bundles = context[BUNDLING];
  if (account === undefined || region === undefined || env[CHECKED] !== undefined) return;
  if (String(settings.ephemeral) === 'true' || (Array.isArray(bundles) && bundles.length === 0)) return;
  const arn = 'the credentials of the CDK';
  const { notes } = await checkAccount(
    settings,
    { ...awsAccount, identity: async () => ({ account, region, arn }) },
    file === undefined ? {} : { file },
  );
  for (const note of notes) console.error(note);
}
