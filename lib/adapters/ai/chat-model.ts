// A conversation with a language model by the AI SDK (https://ai-sdk.dev, read 2026-11-22): its stream, its tool calls and the
// steps in between. Guarantees: nothing of prompts or answers is logged or thrown; a provider is asked once, never again by
// itself; a call with a name or arguments that cannot be read is answered to the model and runs nothing.
import {
  APICallError,
  isStepCount,
  jsonSchema,
  type LanguageModel,
  type LanguageModelUsage,
  type ModelMessage,
  streamText,
  type ToolSet,
  tool,
} from 'ai';
import {
  type ChatMessage,
  type ChatModel,
  type ChatPart,
  type ChatRequest,
  ModelFailure,
} from '../../core/ports/chat-model.ts';
import { loadLanguageModel, type ModelSettings } from './language-model.ts';

// The SDK would write warnings with parts of prompts to the console.
(globalThis as { AI_SDK_LOG_WARNINGS?: boolean }).AI_SDK_LOG_WARNINGS = false;

export async function createChatModel(settings: ModelSettings): Promise<ChatModel> {
  return chatModelOf(await loadLanguageModel(settings));
}

function chatModelOf(model: LanguageModel): ChatModel {
  return {
    async *converse(request) {
      try {
        yield* partsOf(model, request);
      } catch (error) {
        // A stream that breaks off throws what the SDK knows of it, with the whole request in it.
        throw error instanceof ModelFailure ? error : failureOf(error);
      }
    },
  };
}

async function* partsOf(model: LanguageModel, request: ChatRequest): AsyncGenerator<ChatPart, void> {
  let steps = 0;
  const { stream } = streamText({
    model,
    instructions: request.instructions,
    messages: request.messages.flatMap(messagesOf),
    tools: toolsOf(request),
    // One after the other: what one call shows decides about the next, and limits are counted once.
    toolCallConcurrency: 1,
    stopWhen: [isStepCount(request.stepsMax), ({ steps: done }) => tokensOf(done) >= request.tokensMax],
    maxOutputTokens: request.outputTokensMax,
    maxRetries: 0,
    abortSignal: request.signal,
    telemetry: { isEnabled: false },
    // The default writes the error, with the whole request in it, to the console.
    onError: () => undefined,
  });
  for await (const part of stream) {
    switch (part.type) {
      case 'text-delta':
        if (part.text !== '') yield { kind: 'text', text: part.text };
        break;
      case 'tool-call':
      case 'tool-result':
      case 'tool-error':
        yield { kind: 'tool' };
        break;
      case 'finish-step': {
        const { inputTokens = 0, outputTokens = 0 } = part.usage;
        steps++;
        yield { kind: 'usage', usage: { inputTokens, outputTokens } };
        break;
      }
      case 'finish':
        yield { kind: 'end', reason: endOf(part.finishReason, steps, request) };
        return;
      case 'error':
        throw part.error;
      case 'abort':
        throw new ModelFailure('the conversation was stopped');
      default:
    }
  }
  throw new ModelFailure('the stream of the model ended without an end');
}

/** By its own count: this is asked before the end of a step is read here. */
function tokensOf(steps: readonly { readonly usage: LanguageModelUsage }[]): number {
  return steps.reduce(
    (sum, { usage: { inputTokens = 0, outputTokens = 0 } }) => sum + inputTokens + outputTokens,
    0,
  );
}

function toolsOf({ tools, run }: ChatRequest): ToolSet {
  return Object.fromEntries(
    tools.map(({ name, description, inputSchema }) => [
      name,
      tool({
        description,
        // Not validated here: `run` says what is wrong, in the words of the API.
        inputSchema: jsonSchema<unknown>(inputSchema),
        execute: (input: unknown) => run(name, input),
      }),
    ]),
  );
}

function messagesOf(message: ChatMessage): ModelMessage[] {
  if (message.role !== 'ran') return [{ role: message.role, content: message.content }];
  const { id: toolCallId, tool: toolName, input, output } = message;
  return [
    { role: 'assistant', content: [{ type: 'tool-call', toolCallId, toolName, input }] },
    {
      role: 'tool',
      content: [
        { type: 'tool-result', toolCallId, toolName, output: { type: 'json', value: output as null } },
      ],
    },
  ];
}

function endOf(
  finishReason: string,
  steps: number,
  { stepsMax }: ChatRequest,
): 'finished' | 'steps' | 'tokens' {
  if (finishReason === 'length') return 'tokens';
  // It wanted to see what its calls brought and was not asked again.
  if (finishReason === 'tool-calls') return steps >= stepsMax ? 'steps' : 'tokens';
  if (finishReason === 'error') throw new ModelFailure('the model ended with an error');
  return 'finished';
}

/** Without the cause: the SDK's errors carry the request, prompts included. */
function failureOf(error: unknown): ModelFailure {
  if (APICallError.isInstance(error) && error.statusCode !== undefined)
    return new ModelFailure(`the provider of the model answered ${error.statusCode}`);
  const name = error instanceof Error ? error.name : typeof error;
  return new ModelFailure(`the provider of the model failed: ${name}`);
}
