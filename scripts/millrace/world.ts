// What commands meet outside of tests.
import { createInterface } from 'node:readline/promises';
import { setTimeout } from 'node:timers/promises';
import { fileOf, settingsOf } from '../../cdk/environment-file.ts';
import { endpointEnvironment } from '../deploy-local/endpoint.ts';
import { awsDeployed } from './account/aws-deployed.ts';
import type { OwnSettings } from './account/findings.ts';
import type { World } from './command-line.ts';
import { findDeployment } from './deployment.ts';
import { concurrencyOf, disabledSources } from './lambda-account.ts';
import { localDeployment } from './local-deployment.ts';
import { queueFigures, redriveQueues } from './queues.ts';
import { awsRecovery } from './restore/aws-recovery.ts';
import { signedPost } from './signed-request.ts';

export const realWorld: Omit<World, 'out' | 'err'> = {
  find: async ({ endpoint, environment, isLocal }) => {
    if (isLocal) return await localDeployment();
    if (endpoint !== undefined) Object.assign(process.env, endpointEnvironment(endpoint));
    return await findDeployment(environment);
  },
  post: signedPost,
  queueFigures,
  redrive: redriveQueues,
  sources: disabledSources,
  recovery: () => awsRecovery(setTimeout),
  concurrency: concurrencyOf,
  deployed: awsDeployed,
  ownSettings: settingsOnMachine,
  question: questionAtTerminal,
  pause: setTimeout,
  nowMs: Date.now,
};

/** A file that cannot be read is none: `deploy` says what is wrong with it. */
function settingsOnMachine(environment: string | undefined): OwnSettings | null {
  const context = environment === undefined ? {} : { environment };
  try {
    const file = fileOf(context);
    return file === undefined ? null : { file, values: settingsOf(context) };
  } catch {
    return null;
  }
}

async function questionAtTerminal(text: string): Promise<string> {
  if (!process.stdin.isTTY) throw new Error('There is no terminal to ask at: say --yes.');
  const asking = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await asking.question(text);
  } finally {
    asking.close();
  }
}
