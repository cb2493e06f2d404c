// What commands meet outside of tests.
import { endpointEnvironment } from '../deploy-local/endpoint.ts';
import type { World } from './command-line.ts';
import { findDeployment } from './deployment.ts';
import { concurrencyOf, disabledSources } from './lambda-account.ts';
import { localDeployment } from './local-deployment.ts';
import { queueFigures, redriveQueues } from './queues.ts';
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
  concurrency: concurrencyOf,
  nowMs: Date.now,
};
