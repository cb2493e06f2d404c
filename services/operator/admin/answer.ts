// Requests of operators, and their answers. Guarantees: a refusal says in a sentence what to change and leaves nothing behind.
import { ERRORS, type ErrorCode, type ErrorDetail } from '#lib/core/http/errors.ts';
import { detailsOf, issueText } from '#lib/core/http/issue-text.ts';
import { requestIdOf } from '#lib/core/http/request-rules.ts';
import { parseStrictJson, STRICT_JSON_TEXTS } from '#lib/core/http/strict-json.ts';
import { tracingOf } from '#lib/core/record/trace.ts';
import { READS } from './across/reads.ts';
import { OPERATIONS, OPERATIONS_AT } from './operations.ts';
import { operatorOf, type SignedEvent } from './operator.ts';
import type { OperatorPorts } from './ports.ts';
import type { Refused } from './refused.ts';

const BODY_MAX_BYTES = 16_384;

interface Answer {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** With what is not sent: the code of a refusal. */
type Said = Answer & { readonly code?: ErrorCode };

export interface Rules {
  /** Refuses where AWS does not say who asks. */
  readonly mustBeNamed: boolean;
  readonly mayChange: boolean;
}

const MAY_ONLY_LOOK =
  'you may look, not change: that takes the policy which the output OperatorAdminPolicyArn names';

export async function answerOperator(
  event: SignedEvent,
  rules: Rules,
  ports: OperatorPorts,
): Promise<Answer> {
  const startedMs = ports.clock.now();
  const headers = Object.fromEntries(
    Object.entries(event.headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const requestId = requestIdOf(headers['x-request-id'], event.requestContext.requestId ?? 'unnamed');
  const said = await answerOrFailure(event, rules, ports, requestId);
  ports.answered?.({
    requestId,
    ...tracingOf(headers.traceparent),
    route: OPERATIONS.has(event.rawPath) ? event.rawPath : undefined,
    method: event.requestContext.http.method,
    status: said.statusCode,
    code: said.code,
    ms: ports.clock.now() - startedMs,
    bytesIn: Buffer.byteLength(event.body ?? ''),
    bytesOut: Buffer.byteLength(said.body),
  });
  const { code: _code, ...answer } = said;
  return { ...answer, headers: { ...answer.headers, 'x-request-id': requestId } };
}

async function answerOrFailure(
  event: SignedEvent,
  rules: Rules,
  ports: OperatorPorts,
  request: string,
): Promise<Said> {
  try {
    return await answer(event, rules, ports);
  } catch (error) {
    ports.report('an operator’s request failed', error, { request });
    // Who asks runs the deployment: what went wrong is theirs to know.
    const { name, message } = error as Error;
    return failure('internal_error', [{ path: '', message: `${name}: ${message}`.slice(0, 500) }]);
  }
}

async function answer(event: SignedEvent, rules: Rules, ports: OperatorPorts): Promise<Said> {
  const actor = operatorOf(event, rules.mustBeNamed);
  if (actor === null) return failure('forbidden', [{ path: '', message: 'AWS does not say who asks' }]);
  const operation = OPERATIONS.get(event.rawPath);
  if (operation === undefined) return failure('route_not_found');
  if (!rules.mayChange && !READS.has(event.rawPath.slice(OPERATIONS_AT.length)))
    return failure('forbidden', [{ path: '', message: MAY_ONLY_LOOK }]);
  if (event.requestContext.http.method !== 'POST') return failure('method_not_allowed');
  const body = Buffer.from(event.body ?? '', event.isBase64Encoded === true ? 'base64' : 'utf8');
  if (body.byteLength > BODY_MAX_BYTES) return failure('payload_too_large');
  const read = parseStrictJson(body);
  if (!read.ok) return failure('invalid_json', [{ path: '', message: STRICT_JSON_TEXTS[read.reason] }]);
  const asked = operation.body.safeParse(read.value, { error: issueText, jitless: true });
  if (!asked.success) return failure('invalid_request', detailsOf(asked.error.issues));
  const done = await operation.run(asked.data, actor, ports);
  if ('refused' in done) return refusal(done);
  return reply(done.isNew === true ? 201 : 200, { success: true, ...done.said });
}

const CODES = { invalid: 'invalid_request', conflict: 'conflict', missing: 'not_found' } as const;

const refusal = ({ refused, field, sentence }: Refused): Said =>
  failure(CODES[refused], [{ path: field, message: sentence }]);

function failure(code: ErrorCode, details?: readonly ErrorDetail[]): Said {
  const { status, text } = ERRORS[code];
  return { ...reply(status, { error: text, code, ...(details === undefined ? {} : { details }) }), code };
}

const reply = (statusCode: number, body: object): Answer => ({
  statusCode,
  headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  body: JSON.stringify(body),
});
