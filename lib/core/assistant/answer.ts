// One answer of the assistant as events: text, calls and their results, what waits for a confirmation, what was spent.
// Guarantees: the last event is `done` or `error`; an operation that changes something runs in here only where its
// confirmation was taken before; what a result shows the model and the reader is bounded; the model is told to stop when the
// reader leaves or the time is up, and is not waited for. Keeps nothing of what was said.
import { ERRORS } from '../http/errors.ts';
import type { ChatMessage, ChatModel, ChatPart, TokenUsage } from '../ports/chat-model.ts';
import type { AnswerEnd, AnswerEvent, AnswerSource } from './answer-events.ts';
import { type ConfirmationPorts, type Proposed, propose } from './confirmations.ts';
import { type Figure, figuresOf } from './figures.ts';
import { instructionsAt } from './instructions.ts';
import {
  failed,
  type OperationAnswer,
  type OperationContext,
  type Operations,
  readInput,
  runOperation,
  toolOf,
} from './operations.ts';
import { untilAborted } from './until-aborted.ts';

/** Of one answer. */
export const ANSWER_LIMITS = {
  /** Requests to the provider. */
  steps: 8,
  /** Runs of operations: a step may ask for many. */
  operations: 24,
  confirmations: 3,
  outputTokensOfStep: 2_000,
  tokens: 100_000,
  /** A function ends after 29 seconds. */
  timeMs: 25_000,
  resultChars: 12_000,
} as const;

const CHARS_OF_TOKEN = 4;

export interface AnswerParts extends ConfirmationPorts {
  readonly model: ChatModel;
  readonly product: string;
  /** Those the caller may use. */
  readonly operations: Operations;
  readonly context: OperationContext;
  /** Aborts when the time is up. */
  readonly deadline: AbortSignal;
  readonly report: (problem: string, error: unknown) => void;
  /** Told once, whatever the end. */
  readonly spent: (usage: TokenUsage) => Promise<void>;
}

export interface Conversation {
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly content: string }[];
  /** Taken for this very request. */
  readonly confirmed?: Proposed;
}

export async function* answerEvents(
  { messages, confirmed }: Conversation,
  parts: AnswerParts,
): AsyncGenerator<AnswerEvent, void> {
  const answer = new Answer(parts);
  // Also where nobody takes an event any more: the provider is paid by the token.
  const stop = new AbortController();
  const signal = AbortSignal.any([parts.context.signal, parts.deadline, stop.signal]);
  const said: ChatMessage[] = [...messages];
  try {
    if (confirmed !== undefined) {
      said.push(await answer.runConfirmed(confirmed));
      yield* answer.told();
    }
    const request = answer.request(said, signal);
    for await (const part of untilAborted(parts.model.converse(request), signal)) {
      yield* answer.told();
      yield* answer.take(part);
    }
    yield* answer.told();
    yield* answer.end(signal.aborted ? 'time' : undefined);
  } catch (error) {
    yield* answer.told();
    if (signal.aborted) yield* answer.end('time');
    else {
      parts.report('the assistant could not answer', error);
      yield { event: 'usage', data: answer.usage() };
      yield { event: 'error', data: { error: ERRORS.ai_unavailable.text, code: 'ai_unavailable' } };
    }
  } finally {
    stop.abort();
    await answer.settle();
  }
}

/** What has happened so far. */
class Answer {
  readonly #parts: AnswerParts;
  readonly #sources: AnswerSource[] = [];
  readonly #results = new Map<string, unknown>();
  #waiting: AnswerEvent[] = [];
  #text = '';
  #steps = 0;
  #confirmations = 0;
  #spent: TokenUsage = { inputTokens: 0, outputTokens: 0 };
  #reason: AnswerEnd = 'finished';
  /** Of what a provider was asked and has said, since it last told its own count. */
  #openChars = 0;
  #stepIsOpen = false;

  constructor(parts: AnswerParts) {
    this.#parts = parts;
  }

  request(messages: readonly ChatMessage[], signal: AbortSignal): Parameters<ChatModel['converse']>[0] {
    const { operations, product, clock } = this.#parts;
    this.#stepIsOpen = true;
    this.#openChars = JSON.stringify(messages).length;
    return {
      instructions: instructionsAt(clock.now(), product),
      messages,
      tools: [...operations.values()].map(toolOf),
      run: (tool, input) => this.#run(tool, input, signal),
      stepsMax: ANSWER_LIMITS.steps,
      outputTokensMax: ANSWER_LIMITS.outputTokensOfStep,
      tokensMax: ANSWER_LIMITS.tokens,
      signal,
    };
  }

  /** What is to be told since the last time. */
  told(): readonly AnswerEvent[] {
    const told = this.#waiting;
    this.#waiting = [];
    return told;
  }

  take(part: ChatPart): readonly AnswerEvent[] {
    if (part.kind === 'text') {
      this.#text += part.text;
      this.#stepIsOpen = true;
      this.#openChars += part.text.length;
      return [{ event: 'text', data: { text: part.text } }];
    }
    if (part.kind === 'usage') {
      this.#steps++;
      this.#stepIsOpen = false;
      this.#openChars = 0;
      this.#spent = {
        inputTokens: this.#spent.inputTokens + part.usage.inputTokens,
        outputTokens: this.#spent.outputTokens + part.usage.outputTokens,
      };
    }
    if (part.kind === 'end') this.#reason = part.reason;
    return [];
  }

  usage(): Extract<AnswerEvent, { event: 'usage' }>['data'] {
    const { inputTokens, outputTokens } = this.#spent;
    return { input_tokens: inputTokens, output_tokens: outputTokens, steps: this.#steps };
  }

  end(reason: AnswerEnd | undefined): readonly AnswerEvent[] {
    const figures = figuresOf(this.#text, this.#results).map((one: Figure) => ({
      ...one,
      sources: [...one.sources],
    }));
    return [
      { event: 'usage', data: this.usage() },
      { event: 'done', data: { reason: reason ?? this.#reason, sources: this.#sources, figures } },
    ];
  }

  /** Counts what was spent; a step that did not end is counted by its characters. */
  async settle(): Promise<void> {
    const guessed = this.#stepIsOpen ? Math.ceil(this.#openChars / CHARS_OF_TOKEN) : 0;
    const { inputTokens, outputTokens } = this.#spent;
    try {
      await this.#parts.spent({ inputTokens, outputTokens: outputTokens + guessed });
    } catch (error) {
      this.#parts.report('the tokens of an answer were not counted', error);
    }
  }

  async runConfirmed({ operation: name, input }: Proposed): Promise<ChatMessage> {
    const output = await this.#operate(name, input);
    return { role: 'ran', id: 'confirmed', tool: name, input, output };
  }

  async #run(name: string, input: unknown, signal: AbortSignal): Promise<unknown> {
    // A model that goes on after it was stopped.
    if (signal.aborted) return { error: 'The conversation has ended.' };
    const operation = this.#parts.operations.get(name);
    if (operation === undefined) return { error: 'There is no such tool.' };
    if (!operation.changes) return await this.#operate(name, input);
    const read = readInput(operation, input);
    if (!read.ok) return this.#result(name, read.answer, this.#call(name, input));
    return await this.#ask(name, input);
  }

  /** Nothing runs: the person is asked. */
  async #ask(name: string, input: unknown): Promise<unknown> {
    if (this.#confirmations >= ANSWER_LIMITS.confirmations)
      return { error: 'Enough waits for the person already. Call nothing more that changes something.' };
    this.#confirmations++;
    const { context, operations } = this.#parts;
    const route = operations.get(name)?.route;
    try {
      const { id, expiresAtMs } = await propose({ operation: name, input }, context.caller, this.#parts);
      this.#waiting.push({
        event: 'confirmation',
        data: {
          id,
          operation: name,
          method: route?.method ?? '',
          path: route?.path ?? '',
          input,
          summary: route?.summary ?? '',
          expires_at: new Date(expiresAtMs).toISOString(),
        },
      });
      return {
        status: 'waiting',
        data: 'It did not run. The person is asked, and may confirm it in their next message.',
      };
    } catch (error) {
      return failed(context.codeOf(name, error), {}, context.errors).body;
    }
  }

  async #operate(name: string, input: unknown): Promise<unknown> {
    const operation = this.#parts.operations.get(name);
    if (operation === undefined) return failed('forbidden').body;
    if (this.#sources.length >= ANSWER_LIMITS.operations)
      return { error: 'Too many tools were called for one answer. Answer with what you have.' };
    const id = this.#call(name, input);
    return this.#result(name, await runOperation(operation, input, this.#parts.context), id);
  }

  #call(name: string, input: unknown): string {
    const route = this.#parts.operations.get(name)?.route;
    const id = `r${this.#sources.length + 1}`;
    const source = { id, operation: name, method: route?.method ?? '', path: route?.path ?? '', input };
    this.#sources.push(source);
    this.#waiting.push({ event: 'tool_call', data: source });
    return id;
  }

  #result(operation: string, { status, body }: OperationAnswer, id: string): unknown {
    this.#results.set(id, body);
    const text = JSON.stringify(body);
    const truncated = text.length > ANSWER_LIMITS.resultChars;
    const result = truncated ? wholeCharacters(text.slice(0, ANSWER_LIMITS.resultChars)) : body;
    this.#waiting.push({ event: 'tool_result', data: { id, operation, status, truncated, result } });
    return { source: id, status, ...(truncated ? { truncated } : {}), data: result };
  }
}

/** Half a surrogate pair is no text. */
const wholeCharacters = (text: string): string => text.replace(/[\uD800-\uDBFF]$/, '');
