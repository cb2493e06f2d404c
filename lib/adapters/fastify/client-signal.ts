// The host of a request knows when its client leaves, and the application reads the signal here: an injected request
// has no socket.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { FastifyReply } from 'fastify';

const leaving = new AsyncLocalStorage<AbortSignal>();

/** Code that runs in `work` can read this signal. */
export function withClient<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  // Awaited inside: an injection begins when its promise is awaited.
  return leaving.run(signal, async () => await work());
}

/** Aborts when the client leaves before its answer is complete. */
export function clientSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  const leave = (): void => controller.abort(new Error('the client left'));
  const carrier = leaving.getStore();
  if (carrier?.aborted === true) leave();
  carrier?.addEventListener('abort', leave, { once: true });
  reply.raw.once('close', () => {
    if (!reply.raw.writableEnded) leave();
  });
  return controller.signal;
}
