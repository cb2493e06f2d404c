// The thread of synthesize.ts. The CDK's own validation of templates is left to `cdk synth` and a test: it would take
// more than half of the time here and cannot find anything new.
import { parentPort } from 'node:worker_threads';
import { synthesizeApp } from '#cdk/synthesize.ts';
import type { SynthesizeReply, SynthesizeRequest } from './synthesize.ts';

// Of this thread only: a worker has a copy of the environment.
process.env.CDK_VALIDATION = 'false';

function synthesize(request: SynthesizeRequest): SynthesizeReply {
  try {
    const options = { ...request, ephemeral: true, bundle: false };
    return { template: synthesizeApp(options).template };
  } catch (error) {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }
}

parentPort?.on('message', ({ id, request }: { readonly id: number; readonly request: SynthesizeRequest }) =>
  parentPort?.postMessage({ id, reply: synthesize(request) }),
);
