// A language model that answers and calls tools, whoever runs it.

export type ChatMessage =
  | { readonly role: 'user' | 'assistant'; readonly content: string }
  /** A call that was made before the model is asked, and what came of it. */
  | {
      readonly role: 'ran';
      readonly id: string;
      readonly tool: string;
      readonly input: unknown;
      readonly output: unknown;
    };

export interface ChatTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object. What a model sends need not keep it. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

export interface ChatRequest {
  readonly instructions: string;
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly ChatTool[];
  /** Answers a call of one of the tools with what the model is told. Never rejects. */
  readonly run: (tool: string, input: unknown) => Promise<unknown>;
  /** Requests to the provider. */
  readonly stepsMax: number;
  /** Of one step. */
  readonly outputTokensMax: number;
  /** Of all steps, in and out: no step begins once so many are spent. */
  readonly tokensMax: number;
  readonly signal: AbortSignal;
}

export interface TokenUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

export type ChatPart =
  | { readonly kind: 'text'; readonly text: string }
  /** A call was made, refused or answered: what `run` noted may be told. */
  | { readonly kind: 'tool' }
  /** Of one step. */
  | { readonly kind: 'usage'; readonly usage: TokenUsage }
  | { readonly kind: 'end'; readonly reason: 'finished' | 'steps' | 'tokens' };

export interface ChatModel {
  /** Ends with `end`, or throws a `ModelFailure`; when the signal aborts it may do either, or hang. */
  converse(request: ChatRequest): AsyncIterable<ChatPart>;
}

/** The provider refused, failed or cannot be reached. Says nothing of what was asked, so that it may be logged. */
export class ModelFailure extends Error {
  override readonly name = 'ModelFailure';
}
