// The thread of synthesize.ts. The CDK's own validation of templates is left to `cdk synth` and the tests: it would take
// more than half of the time here and cannot find anything new.
import { parentPort, workerData } from 'node:worker_threads';
import { MERCHANT_PRODUCTS } from '#cdk/products.ts';
import { synthesizeApp } from '#cdk/synthesize.ts';
import type { SynthesizeRequest } from './synthesize.ts';

// Of this thread only: a worker has a copy of the environment.
process.env.CDK_VALIDATION = 'false';
const request = workerData as SynthesizeRequest;
parentPort?.postMessage(
  // A laptop has one merchant from the start, and no IAM to say who operates it.
  synthesizeApp({ ...request, products: MERCHANT_PRODUCTS, ephemeral: true, bundle: false }).template,
);
