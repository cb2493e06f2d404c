// One question to the assistant. What is refused is refused before the stream begins: a minute or a day that is spent, a model
// that cannot be had, a confirmation that is not the caller's.
import { codeOf } from '#lib/adapters/fastify/failures.ts';
import { ANSWER_LIMITS, answerEvents } from '#lib/core/assistant/answer.ts';
import { beginRequest } from '#lib/core/assistant/budget.ts';
import { type ConfirmationPorts, takeConfirmed } from '#lib/core/assistant/confirmations.ts';
import { type Operations, operationsFor, operationsOf } from '#lib/core/assistant/operations.ts';
import type { Call, Handler } from '#lib/core/http/handler.ts';
import type { Route } from '#lib/core/http/route.ts';
import type { ChatModel } from '#lib/core/ports/chat-model.ts';
import type { aiChat } from '#lib/events/routes/assistant/ai-chat.ts';
import { ASSISTANT_OPERATIONS } from '#lib/events/routes/assistant/operations.ts';
import { EVENTS_ERRORS } from '#lib/events/routes/errors.ts';
import type { ApiPorts, AssistantPorts } from '../ports.ts';

const PRODUCT = 'Millrace, which takes conversion events of shops and delivers them to advertising platforms';

/** The routes of the API, and their handlers as requests reach them. */
export interface ServedRoutes {
  readonly routes: readonly Route[];
  readonly handlers: Readonly<Record<string, unknown>>;
}

const known = new WeakMap<ServedRoutes, Operations>();

function operationsIn(served: ServedRoutes): Operations {
  const operations = known.get(served) ?? operationsOf(served.routes, served.handlers, ASSISTANT_OPERATIONS);
  known.set(served, operations);
  return operations;
}

export async function answerChat(
  { body, caller, requestId, signal }: Call<typeof aiChat>,
  served: ServedRoutes,
  ports: ApiPorts,
  assistant: AssistantPorts,
): ReturnType<Handler<typeof aiChat>> {
  const budget = await beginRequest(caller, { ...assistant, clock: ports.clock });
  if (!budget.ok)
    return { failure: budget.failure, headers: { 'retry-after': String(budget.retryAfterSec) } };
  const report = (problem: string, error: unknown) => ports.report(problem, error, { requestId });
  let model: ChatModel;
  try {
    model = await assistant.model();
  } catch (error) {
    report('the language model could not be set up', error);
    return { failure: 'ai_unavailable' };
  }
  const operations = operationsFor(operationsIn(served), caller);
  const confirming: ConfirmationPorts = { ...ports, confirmations: assistant.confirmations };
  const confirmed =
    body.confirm === undefined ? undefined : await takeConfirmed(body.confirm, caller, confirming);
  if (confirmed === null) return { failure: 'confirmation_not_found' };
  // What the caller could do when it was shown, and cannot any more.
  if (confirmed !== undefined && !operations.has(confirmed.operation)) return { failure: 'forbidden' };
  const codeOfOperation = (operation: string, error: unknown) => {
    report(`${operation}, called by the assistant, failed`, error);
    return codeOf(error);
  };
  const stream = answerEvents(
    { messages: body.messages, ...(confirmed === undefined ? {} : { confirmed }) },
    {
      ...confirming,
      model,
      product: PRODUCT,
      operations,
      context: { caller, requestId, signal, codeOf: codeOfOperation, errors: EVENTS_ERRORS },
      deadline: assistant.deadline(ANSWER_LIMITS.timeMs),
      report,
      spent: ({ inputTokens, outputTokens }) =>
        assistant.perDay.spend(caller.merchantId, budget.day, inputTokens + outputTokens),
    },
  );
  return { status: 200, stream };
}
