// What the assistant needs from the outside, beside what the API has.
import type { BudgetPorts } from '#lib/core/assistant/budget.ts';
import type { OneTimeStore } from '#lib/core/assistant/confirmations.ts';
import type { ChatModel } from '#lib/core/ports/chat-model.ts';

export interface AssistantPorts extends Omit<BudgetPorts, 'clock'> {
  /** Loaded by the first question: neither the library nor the key is needed before. */
  readonly model: () => Promise<ChatModel>;
  readonly confirmations: OneTimeStore;
  /** Aborts after so many milliseconds. */
  readonly deadline: (ms: number) => AbortSignal;
}
