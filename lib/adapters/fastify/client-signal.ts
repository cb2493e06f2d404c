// Who carries a request knows when its client leaves, and the application asks here: an injected request has no socket that
// could say so.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { FastifyReply } from 'fastify';

const leaving = new AsyncLocalStorage<AbortSignal>();

/** What runs in `work` is told of this signal. */
export function withClient<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  // Awaited in there: an injection begins when somebody waits for it.
  return leaving.run(signal, async () => await work());
}

/** Aborts when the client leaves before its answer is whole. */
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
