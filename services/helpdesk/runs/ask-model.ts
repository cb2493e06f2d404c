// One question to the model, and its answer as text. Guarantees: the model is offered no tools, and a call it makes all the same
// runs nothing; a request is counted before it is made, and its tokens after it, however it ends; it ends in a minute.
// Throws a `ModelFailure`, which says nothing of what was asked.
import { untilAborted } from '#lib/core/assistant/until-aborted.ts';
import { type ChatModel, ModelFailure, type TokenUsage } from '#lib/core/ports/chat-model.ts';
import { dayOf } from '#lib/core/work/utc-day.ts';
import { INSTRUCTIONS } from '#lib/helpdesk/domain/runs/prompt.ts';
import type { DraftModel, RunPorts } from './ports.ts';

const LIMITS = { outputTokens: 2_000, tokens: 100_000, timeMs: 60_000, answerChars: 50_000 } as const;
const CHARS_OF_TOKEN = 4;

export interface ModelAnswer {
  readonly text: string;
  readonly usage: TokenUsage;
}

/** Null where the day's budget is used up. */
export async function askModel(
  workspaceId: string,
  prompt: string,
  model: DraftModel,
  ports: RunPorts,
): Promise<ModelAnswer | null> {
  const { perDay, limits, clock, report } = ports;
  const chat = await model.load();
  const day = dayOf(clock.now());
  // What customers write must not use up what the team may ask the assistant.
  const account = `${workspaceId}|drafts`;
  if (!(await perDay.begin(account, day, limits))) return null;
  const spent = { inputTokens: 0, outputTokens: 0 };
  try {
    return { text: await answerOf(chat, prompt, spent, ports), usage: spent };
  } finally {
    const { inputTokens, outputTokens } = spent;
    const isTold = inputTokens + outputTokens > 0;
    const tokens = isTold ? inputTokens + outputTokens : Math.ceil(prompt.length / CHARS_OF_TOKEN);
    await perDay
      .spend(account, day, tokens)
      .catch((error: unknown) => report('the tokens of a draft were not counted', error));
  }
}

async function answerOf(
  chat: ChatModel,
  prompt: string,
  spent: { inputTokens: number; outputTokens: number },
  ports: RunPorts,
): Promise<string> {
  const stop = new AbortController();
  const deadline = ports.deadline(LIMITS.timeMs);
  const signal = AbortSignal.any([deadline, stop.signal]);
  const request = {
    instructions: INSTRUCTIONS,
    messages: [{ role: 'user', content: prompt }],
    tools: [],
    run: () => Promise.resolve({ error: 'There are no tools.' }),
    stepsMax: 1,
    outputTokensMax: LIMITS.outputTokens,
    tokensMax: LIMITS.tokens,
    signal,
  } as const;
  let text = '';
  try {
    for await (const part of untilAborted(chat.converse(request), signal)) {
      if (part.kind === 'text') text += part.text;
      if (part.kind === 'usage') {
        spent.inputTokens += part.usage.inputTokens;
        spent.outputTokens += part.usage.outputTokens;
      }
      if (text.length > LIMITS.answerChars) throw new ModelFailure('the answer of the model has no end');
    }
  } finally {
    stop.abort();
  }
  if (deadline.aborted) throw new ModelFailure('the model did not answer in time');
  return text;
}
