// Requests of operators, and their answers. Guarantees: a refusal says in a sentence what to change and leaves nothing behind.
import { ERRORS, type ErrorCode, type ErrorDetail } from '#lib/core/http/errors.ts';
import { detailsOf, issueText } from '#lib/core/http/issue-text.ts';
import { requestIdOf } from '#lib/core/http/request-rules.ts';
import { parseStrictJson, STRICT_JSON_TEXTS } from '#lib/core/http/strict-json.ts';
import { tracingOf } from '#lib/core/record/trace.ts';
import { createMerchant, type MadeMerchant, type Refused } from './create-merchant.ts';
import { operatorOf, type SignedEvent } from './operator.ts';
import type { OperatorPorts } from './ports.ts';
import { newMerchant } from './request.ts';

const MERCHANTS = '/operator/v1/merchants';
const BODY_MAX_BYTES = 16_384;

interface Answer {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** With what is not sent: the code of a refusal. */
type Said = Answer & { readonly code?: ErrorCode };

export async function answerOperator(
  event: SignedEvent,
  mustBeNamed: boolean,
  ports: OperatorPorts,
): Promise<Answer> {
  const startedMs = ports.clock.now();
  const headers = Object.fromEntries(
    Object.entries(event.headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const requestId = requestIdOf(headers['x-request-id'], event.requestContext.requestId ?? 'unnamed');
  const said = await answerOrFailure(event, mustBeNamed, ports, requestId);
  ports.answered?.({
    requestId,
    ...tracingOf(headers.traceparent),
    route: event.rawPath === MERCHANTS ? MERCHANTS : undefined,
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
  mustBeNamed: boolean,
  ports: OperatorPorts,
  request: string,
): Promise<Said> {
  try {
    return await answer(event, mustBeNamed, ports);
  } catch (error) {
    ports.report('an operator’s request failed', error, { request });
    // Who asks runs the deployment: what went wrong is theirs to know.
    const { name, message } = error as Error;
    return failure('internal_error', [{ path: '', message: `${name}: ${message}`.slice(0, 500) }]);
  }
}

async function answer(event: SignedEvent, mustBeNamed: boolean, ports: OperatorPorts): Promise<Said> {
  const actor = operatorOf(event, mustBeNamed);
  if (actor === null) return failure('forbidden', [{ path: '', message: 'AWS does not say who asks' }]);
  if (event.rawPath !== MERCHANTS) return failure('route_not_found');
  if (event.requestContext.http.method !== 'POST') return failure('method_not_allowed');
  const body = Buffer.from(event.body ?? '', event.isBase64Encoded === true ? 'base64' : 'utf8');
  if (body.byteLength > BODY_MAX_BYTES) return failure('payload_too_large');
  const read = parseStrictJson(body);
  if (!read.ok) return failure('invalid_json', [{ path: '', message: STRICT_JSON_TEXTS[read.reason] }]);
  const asked = newMerchant.safeParse(read.value, { error: issueText, jitless: true });
  if (!asked.success) return failure('invalid_request', detailsOf(asked.error.issues));
  const made = await createMerchant(asked.data, actor, ports);
  return 'refused' in made ? refusal(made) : reply(made.isNew ? 201 : 200, viewOf(made));
}

const refusal = ({ refused, field, sentence }: Refused): Said =>
  failure(refused === 'invalid' ? 'invalid_request' : 'conflict', [{ path: field, message: sentence }]);

const viewOf = ({ id, name, isNew, owner, keys }: MadeMerchant) => ({
  success: true,
  merchant: { id, name, is_new: isNew },
  owner,
  keys,
});

function failure(code: ErrorCode, details?: readonly ErrorDetail[]): Said {
  const { status, text } = ERRORS[code];
  return { ...reply(status, { error: text, code, ...(details === undefined ? {} : { details }) }), code };
}

const reply = (statusCode: number, body: object): Answer => ({
  statusCode,
  headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  body: JSON.stringify(body),
});
