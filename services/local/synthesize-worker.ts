import { parentPort, workerData } from 'node:worker_threads';
import { synthesizeApp } from '../../cdk/synthesize.ts';
import type { SynthesizeRequest } from './synthesize.ts';

const request = workerData as SynthesizeRequest;
parentPort?.postMessage(synthesizeApp({ ...request, ephemeral: true, bundle: false }).template);
