// The operations of an API as tools of a model. Guarantees: a caller is offered what the contract lets them do and nothing
// else; an operation runs as the caller, with what its route takes and nothing more, by the handler that requests reach, so
// that it is audited like one. Refuses to offer what has no JSON in and out.
import * as z from 'zod';
import { ERRORS, type ErrorCode, type Errors, errorOf } from '../http/errors.ts';
import type { AnyHandler } from '../http/handler.ts';
import { detailsOf, issueText } from '../http/issue-text.ts';
import type { Route } from '../http/route.ts';
import { parseStrictJson, STRICT_JSON_TEXTS } from '../http/strict-json.ts';
import type { ChatTool } from '../ports/chat-model.ts';
import { type Caller, isAllowed } from '../tenancy/caller.ts';

export interface Operation {
  readonly route: Route;
  readonly handler: AnyHandler;
  /** Runs only after the person confirmed it. */
  readonly changes: boolean;
}
export type Operations = ReadonlyMap<string, Operation>;

/** What an operation answered, as a request would have been. */
export interface OperationAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** Of one request to the assistant. */
export interface OperationContext {
  readonly caller: Caller;
  readonly requestId: string;
  readonly signal: AbortSignal;
  /** What a thrown value is called; reports it as well. */
  readonly codeOf: (operation: string, error: unknown) => ErrorCode;
  /** Of the product. */
  readonly errors: Errors;
}

const PARTS = ['params', 'query', 'headers', 'body'] as const;

/** `ids`: those of the routes that may be tools at all. */
export function operationsOf(
  routes: readonly Route[],
  handlers: Readonly<Record<string, unknown>>,
  ids: ReadonlySet<string>,
): Operations {
  const chosen = routes.filter(({ id }) => ids.has(id));
  return new Map(
    chosen.map((route) => {
      if (route.auth === 'public' || route.auth.session === 'anyone')
        throw new Error(`${route.id} has no caller to act for`);
      if (route.rawBody === true || route.stream !== undefined || route.replyType !== undefined)
        throw new Error(`${route.id} takes or answers what is not JSON`);
      const changes = route.method !== 'GET' && route.readOnly !== true;
      return [route.id, { route, handler: handlers[route.id] as AnyHandler, changes }];
    }),
  );
}

/** The part of them that the caller may use. */
export function operationsFor(operations: Operations, caller: Caller): Operations {
  return new Map([...operations].filter(([, { route }]) => isAllowed(route.auth, caller)));
}

const tools = new WeakMap<Operation, ChatTool>();

export function toolOf(operation: Operation): ChatTool {
  const known = tools.get(operation);
  if (known !== undefined) return known;
  const { route, changes } = operation;
  const about = changes ? ' Changes something: it only runs once the person has confirmed it.' : '';
  const { $schema: _, ...inputSchema } = z.toJSONSchema(inputOf(route), {
    io: 'input',
    unrepresentable: 'any',
    // Not every provider takes every pattern, and long ones cost tokens in every step; what comes is validated anyhow.
    override: ({ jsonSchema }) => void delete jsonSchema.pattern,
  });
  const tool: ChatTool = {
    name: route.id,
    description: `${route.method} ${route.path}: ${route.summary}.${about}`,
    inputSchema,
  };
  tools.set(operation, tool);
  return tool;
}

function inputOf(route: Route): z.ZodType {
  const parts = PARTS.flatMap((part) => {
    const schema = route[part];
    if (schema === undefined) return [];
    return [[part, part === 'query' || part === 'headers' ? schema.optional() : schema] as const];
  });
  return z.strictObject(Object.fromEntries(parts));
}

type Read =
  | { readonly ok: true; readonly parts: Readonly<Record<(typeof PARTS)[number], unknown>> }
  | { readonly ok: false; readonly answer: OperationAnswer };

/** What a request with this input would have been understood as. */
export function readInput({ route }: Operation, input: unknown): Read {
  // As strict as with the body of a request.
  const json = parseStrictJson(Buffer.from(JSON.stringify(input ?? {})));
  if (!json.ok) return refused([{ path: '', message: STRICT_JSON_TEXTS[json.reason] }]);
  const given = json.value;
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return refused([{ path: '', message: 'must be an object' }]);
  const unknown = Object.keys(given).filter(
    (key) => !PARTS.some((part) => part === key && route[part] !== undefined),
  );
  if (unknown.length > 0)
    return refused(
      unknown.slice(0, 10).map((path) => ({ path: path.slice(0, 100), message: 'is not known here' })),
    );
  const parts: Record<string, unknown> = {};
  for (const part of PARTS) {
    const schema = route[part];
    if (schema === undefined) continue;
    const value = (given as Record<string, unknown>)[part] ?? (part === 'body' ? undefined : {});
    const read = schema.safeParse(part === 'body' ? value : asTexts(value), {
      error: issueText,
      jitless: true,
    });
    if (read.success) parts[part] = read.data;
    else if (part === 'params') return { ok: false, answer: failed('not_found') };
    else
      return refused(
        detailsOf(read.error.issues).map((issue) => ({ ...issue, path: pathIn(part, issue.path) })),
      );
  }
  return { ok: true, parts: parts as Record<(typeof PARTS)[number], unknown> };
}

/** In a URL and in headers everything is text. */
function asTexts(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, one]) => one !== null);
  const text = (one: unknown): unknown =>
    typeof one === 'number' || typeof one === 'boolean' ? String(one) : one;
  return Object.fromEntries(entries.map(([name, one]) => [name, text(one)]));
}

const pathIn = (part: string, path: string): string => (path === '' ? part : `${part}.${path}`);

const refused = (details: readonly { path: string; message: string }[]): Read => ({
  ok: false,
  answer: failed('invalid_request', { details }),
});

export function failed(code: string, more: object = {}, errors: Errors = ERRORS): OperationAnswer {
  const { status, text } = errorOf(errors, code);
  return { status, body: { ...more, error: text, code } };
}

/** Never rejects. */
export async function runOperation(
  operation: Operation,
  input: unknown,
  { caller, requestId, signal, codeOf, errors }: OperationContext,
): Promise<OperationAnswer> {
  const { route, handler } = operation;
  if (!isAllowed(route.auth, caller)) return failed('forbidden');
  const read = readInput(operation, input);
  if (!read.ok) return read.answer;
  try {
    const answer = await handler({ ...read.parts, bytes: undefined, caller, requestId, signal });
    if ('failure' in answer) {
      const { failure, details, extra } = answer;
      return failed(failure, { ...extra, ...(details === undefined ? {} : { details }) }, errors);
    }
    if ('stream' in answer) throw new Error(`${route.id} answered a stream`);
    return answer;
  } catch (error) {
    return failed(codeOf(route.id, error), {}, errors);
  }
}
