// Asking the assistant. The answer is a stream, whose last event is `done` or `error`.
import * as z from 'zod';
import { ANSWER_EVENTS } from '#lib/core/assistant/answer-events.ts';
import { CHANGES } from '#lib/core/routes/call-limits.ts';
import { defineRoute, SEES } from '#lib/events/routes/define-route.ts';

export const CHAT_LIMITS = { messages: 40, messageChars: 8_000, totalChars: 60_000 } as const;

const message = z.strictObject({
  role: z.enum(['user', 'assistant']),
  content: z.string().min(1).max(CHAT_LIMITS.messageChars),
});

const body = z.strictObject({
  messages: z
    .array(message)
    .min(1)
    .max(CHAT_LIMITS.messages)
    .refine((all) => all[0]?.role === 'user' && all.at(-1)?.role === 'user', {
      message: 'must begin and end with a message of the user',
    })
    .refine((all) => all.reduce((sum, { content }) => sum + content.length, 0) <= CHAT_LIMITS.totalChars, {
      message: `must have at most ${CHAT_LIMITS.totalChars} characters together`,
    })
    .meta({ description: 'The conversation so far, oldest first; nothing of it is kept.' }),
  confirm: z.string().min(1).max(100).optional().meta({
    description: '`id` of a `confirmation`: the operation in it runs, before the model is asked.',
  }),
});

const READING = {
  id: 'r1',
  operation: 'getOverview',
  method: 'GET',
  path: '/v1/analytics/overview',
  input: { query: { range: '24h' } },
};
const PAUSING = {
  id: 'cnf_019aa2f4-6a10-7000-8000-000000000001',
  operation: 'updateRule',
  method: 'PATCH',
  path: '/v1/rules/:id',
  input: { params: { id: 'rul_019aa2f4-6a10-7000-8000-000000000001' }, body: { enabled: false } },
  summary: 'Change what is given of a rule; match and action are replaced whole',
  expires_at: '2026-11-20T12:10:00.000Z',
};
const USAGE = { input_tokens: 1_840, output_tokens: 96, steps: 2 };

export const aiChat = defineRoute({
  ...SEES,
  id: 'aiChat',
  rateLimit: CHANGES,
  method: 'POST',
  // What the model does in the caller's name has entries of its own.
  readOnly: true,
  path: '/v1/ai/chat',
  summary:
    "Ask the assistant; it reads by this API's operations as the caller, and changes what is confirmed",
  body,
  bodySizeMaxBytes: 262_144,
  stream: {
    events: ANSWER_EVENTS,
  },
  replies: {},
  examples: {
    request: {
      ask: { messages: [{ role: 'user', content: 'How many events came today?' }] },
      confirm: {
        messages: [{ role: 'user', content: 'Yes, switch it off.' }],
        confirm: PAUSING.id,
      },
    },
    streams: {
      answer: [
        { event: 'tool_call', data: READING },
        {
          event: 'tool_result',
          data: {
            id: 'r1',
            operation: READING.operation,
            status: 200,
            truncated: false,
            result: { success: true, events_24h: 1_204 },
          },
        },
        { event: 'text', data: { text: 'There were 1,204 events [r1].' } },
        { event: 'usage', data: USAGE },
        {
          event: 'done',
          data: {
            reason: 'finished',
            sources: [READING],
            figures: [{ figure: '1,204', sources: ['r1'] }],
          },
        },
      ],
      confirmation: [
        { event: 'confirmation', data: PAUSING },
        { event: 'text', data: { text: 'I can switch the rule off. Shall I?' } },
        { event: 'usage', data: USAGE },
        { event: 'done', data: { reason: 'finished', sources: [], figures: [] } },
      ],
      failure: [
        { event: 'error', data: { error: 'The language model failed; ask again.', code: 'ai_unavailable' } },
      ],
    },
  },
  errors: [
    'ai_not_configured',
    'ai_unavailable',
    'ai_limit_reached',
    'rate_limited',
    'confirmation_not_found',
    'forbidden',
  ],
});

export const AI_ROUTES = [aiChat] as const;
