// What an answer is made of: the events of its stream, as a route declares them.

export interface AnswerSource {
  readonly id: string;
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  readonly input: unknown;
}
export type AnswerEnd = 'finished' | 'steps' | 'tokens' | 'time';

/** Names and data as routes declare them. */
export type AnswerEvent =
  | { readonly event: 'text'; readonly data: { readonly text: string } }
  | { readonly event: 'tool_call'; readonly data: AnswerSource }
  | {
      readonly event: 'tool_result';
      readonly data: {
        readonly id: string;
        readonly operation: string;
        readonly status: number;
        readonly truncated: boolean;
        readonly result: unknown;
      };
    }
  | {
      readonly event: 'confirmation';
      readonly data: Omit<AnswerSource, 'id'> & {
        readonly id: string;
        readonly summary: string;
        readonly expires_at: string;
      };
    }
  | {
      readonly event: 'usage';
      readonly data: {
        readonly input_tokens: number;
        readonly output_tokens: number;
        readonly steps: number;
      };
    }
  | { readonly event: 'error'; readonly data: { readonly error: string; readonly code: 'ai_unavailable' } }
  | {
      readonly event: 'done';
      readonly data: {
        readonly reason: AnswerEnd;
        readonly sources: AnswerSource[];
        readonly figures: { figure: string; sources: string[] }[];
      };
    };
