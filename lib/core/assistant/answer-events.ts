// What an answer is made of: the events of its stream, as a route declares them.
import * as z from 'zod';

const source = z.object({
  id: z.string().meta({ description: 'How the answer cites it, as `[r1]`.' }),
  operation: z.string().meta({ description: 'operationId.' }),
  method: z.string(),
  path: z.string(),
  input: z
    .unknown()
    .meta({ description: 'Members `params`, `query`, `headers` and `body`, as the operation has them.' }),
});
const tokens = z.int().nonnegative();

export const ANSWER_EVENTS = {
  text: z.object({ text: z.string() }),
  tool_call: source,
  tool_result: z.object({
    id: z.string(),
    operation: z.string(),
    status: z.int(),
    truncated: z.boolean(),
    result: z.unknown().meta({
      description: 'What the operation answered; where it is `truncated`, the beginning of its text.',
    }),
  }),
  confirmation: source.extend({
    id: z.string().meta({ description: 'To be sent as `confirm` by the same caller, once.' }),
    summary: z.string(),
    expires_at: z.iso.datetime(),
  }),
  usage: z.object({ input_tokens: tokens, output_tokens: tokens, steps: tokens }),
  error: z.object({ error: z.string(), code: z.string() }),
  done: z.object({
    reason: z.enum(['finished', 'steps', 'tokens', 'time']).meta({
      description: 'Anything but `finished`: a limit was reached and the answer may be short.',
    }),
    sources: z.array(source).meta({ description: 'Every operation that ran, in order.' }),
    figures: z.array(z.object({ figure: z.string(), sources: z.array(z.string()) })).meta({
      description: 'Each number of the answer, and the results it stands in; none: not from a query.',
    }),
  }),
};

type Events = typeof ANSWER_EVENTS;
export type AnswerEvent = {
  readonly [Name in keyof Events]: { readonly event: Name; readonly data: z.output<Events[Name]> };
}[keyof Events];
export type AnswerSource = z.output<typeof source>;
export type AnswerEnd = z.output<Events['done']>['reason'];
