// The template, synthesized in a thread of its own: loading the CDK takes a second and a lot of memory. The thread goes on for a
// while, so that several hosts of one process, as tests start them, load the CDK once; then its memory is given back.
import { Worker } from 'node:worker_threads';
import type { SynthesizeOptions, Template } from '#cdk/synthesize.ts';

/** What can be sent to a thread. */
export type SynthesizeRequest = Omit<SynthesizeOptions, 'ephemeral' | 'bundle' | 'products'>;
export type SynthesizeReply = { readonly template: Template } | { readonly error: Error };

const IDLE_MS = 120_000;

interface Thread {
  readonly worker: Worker;
  readonly waiting: Map<number, (reply: SynthesizeReply) => void>;
}

let thread: Thread | undefined;
let idle: NodeJS.Timeout | undefined;
let lastId = 0;

/** Throws where a setting is refused. */
export async function synthesizeTemplate(request: SynthesizeRequest): Promise<Template> {
  const { worker, waiting } = running();
  const id = ++lastId;
  const reply = await new Promise<SynthesizeReply>((resolve) => {
    waiting.set(id, resolve);
    worker.ref();
    worker.postMessage({ id, request });
  });
  if ('error' in reply) throw reply.error;
  return reply.template;
}

function running(): Thread {
  clearTimeout(idle);
  if (thread !== undefined) return thread;
  const worker = new Worker(new URL('./synthesize-worker.ts', import.meta.url));
  const started: Thread = { worker, waiting: new Map() };
  thread = started;
  worker.on('message', ({ id, reply }: { readonly id: number; readonly reply: SynthesizeReply }) => {
    started.waiting.get(id)?.(reply);
    started.waiting.delete(id);
    if (started.waiting.size === 0) rest(started);
  });
  worker.on('error', (error) => end(started, error));
  worker.on('exit', () => end(started, new Error('the CDK app gave no template')));
  return started;
}

/** Nothing is asked: it keeps no process alive. */
function rest(resting: Thread): void {
  resting.worker.unref();
  clearTimeout(idle);
  idle = setTimeout(() => {
    thread = undefined;
    void resting.worker.terminate();
  }, IDLE_MS).unref();
}

function end(ended: Thread, error: Error): void {
  if (thread === ended) thread = undefined;
  for (const answer of ended.waiting.values()) answer({ error });
  ended.waiting.clear();
}
