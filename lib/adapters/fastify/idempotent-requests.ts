// Routes that honour Idempotency-Key. Refuses, when the application is built, what could not be kept: streams and bytes, and
// routes without a caller to keep it for.
import type { FastifyRequest } from 'fastify';
import type { AnyFailure, AnyStream, AnySuccess } from '../../core/http/handler.ts';
import { type IdempotencyParts, keyProblem, runOnce } from '../../core/http/idempotency.ts';
import type { Route } from '../../core/http/route.ts';
import type { Caller } from '../../core/tenancy/caller.ts';
import { bodyBytes } from './read-body.ts';

type Answer = AnySuccess | AnyStream | AnyFailure;
type Report = (problem: string, error: unknown, context: { readonly requestId: string }) => void;

/** Runs the handler, or finds that it has run already. */
export type Once = (
  request: FastifyRequest,
  caller: Caller | null,
  run: (idRoot?: string) => Promise<Answer>,
) => Promise<Answer>;

const always: Once = (_request, _caller, run) => run();

export function onceOf(
  route: Route,
  parts: Omit<IdempotencyParts, 'report'> | undefined,
  report: Report,
): Once {
  if (route.idempotent !== true) return always;
  if (parts === undefined) throw new Error(`${route.id} is idempotent, and nothing keeps its answers`);
  if (route.stream !== undefined || route.replyType !== undefined || route.auth === 'public')
    throw new Error(`${route.id} cannot be idempotent: its answers cannot be kept for its caller`);
  return async (request, caller, run) => {
    const key = request.headers['idempotency-key'];
    if (typeof key !== 'string' || caller === null) return await run();
    const details = keyProblem(key);
    if (details !== undefined) return { failure: 'invalid_request', details };
    const keyed = { key, caller, routeId: route.id, url: request.url, body: bodyBytes(request) };
    return await runOnce(keyed, run as (idRoot: string) => Promise<AnySuccess | AnyFailure>, {
      ...parts,
      report: (problem, error) => report(problem, error, { requestId: request.id }),
    });
  };
}
