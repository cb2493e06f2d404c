// npm run deploy: looks whether the account can take the deployment, and then `cdk deploy --all`. What follows goes to the CDK:
//   npm run deploy -- -c environment=staging
//   npm run deploy -- --require-approval never
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { settingsOf } from '../../cdk/environment-file.ts';
import { awsAccount } from './aws-account.ts';
import { CHECKED } from './before-bundling.ts';
import { contextOf } from './context-of.ts';
import { checkAccount } from './preflight.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const args = process.argv.slice(2);

try {
  const { notes } = await checkAccount(settingsOf(contextOf(args)), awsAccount);
  for (const note of notes) console.error(note);
} catch (error) {
  console.error((error as Error).message);
  process.exit(1);
}
const { status } = spawnSync(join(ROOT, 'node_modules/.bin/cdk'), ['deploy', '--all', ...args], {
  cwd: ROOT,
  env: { ...process.env, [CHECKED]: 'true' },
  stdio: 'inherit',
});
process.exit(status ?? 130);
