// The thread of synthesize.ts. The CDK's own validation of templates is left to `cdk synth` and the tests: it would take
// more than half of the time here and cannot find anything new.
import { parentPort, workerData } from 'node:worker_threads';
import { synthesizeApp } from '../../cdk/synthesize.ts';
import type { SynthesizeRequest } from './synthesize.ts';

// Of this thread only: a worker has a copy of the environment.
process.env.CDK_VALIDATION = 'false';
const request = workerData as SynthesizeRequest;
parentPort?.postMessage(synthesizeApp({ ...request, ephemeral: true, bundle: false }).template);
