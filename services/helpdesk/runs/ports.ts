// What the worker of runs needs from the outside.
import type { DailyBudget, DayLimit } from '#lib/core/assistant/budget.ts';
import type { ChatModel } from '#lib/core/ports/chat-model.ts';
import type { DrainPorts } from '#lib/helpdesk/work/drain.ts';

export interface DraftModel {
  readonly provider: string;
  readonly name: string;
  /** Loaded by the first draft. */
  readonly load: () => Promise<ChatModel>;
}

export interface RunPorts extends DrainPorts {
  /** Null where none is configured: every run fails and says so. */
  readonly model: DraftModel | null;
  readonly perDay: DailyBudget;
  /** Of a workspace and UTC day; apart from what its people ask the assistant. */
  readonly limits: DayLimit;
  /** Aborts after so many milliseconds. */
  readonly deadline: (ms: number) => AbortSignal;
}
