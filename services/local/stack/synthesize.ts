// The template, synthesized in a thread of its own: the CDK takes a second and a lot of memory, once.
import { Worker } from 'node:worker_threads';
import type { SynthesizeOptions, Template } from '#cdk/synthesize.ts';

/** What can be sent to a thread. */
export type SynthesizeRequest = Omit<SynthesizeOptions, 'ephemeral' | 'bundle' | 'products'>;

export function synthesizeTemplate(request: SynthesizeRequest): Promise<Template> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./synthesize-worker.ts', import.meta.url), { workerData: request });
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('the CDK app gave no template')));
  });
}
