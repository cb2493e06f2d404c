// The document client as one function instance has it: each call costs CPU and takes its time, what is throttled is tried
// again as the SDK does (lib/adapters/dynamodb/core/client.ts asks for three attempts).
import { DURATIONS } from '../aws/durations.ts';
import type { Instance } from '../lambda/instance.ts';
import { type Database, ThroughputExceeded } from './database.ts';

/** Tokens of one client, what a retry takes of them, and what a success without one gives back; @smithy/core/retry. */
const TOKENS = { start: 500, throttled: 5, success: 1 } as const;

interface Command {
  readonly constructor: { readonly name: string };
  readonly input: object;
}

export interface ClientParts {
  readonly database: Database;
  readonly instance: Instance;
  /** [0, 1). */
  readonly random: () => number;
}

export function createDocumentClientOf({ database, instance, random }: ClientParts, attempts: number) {
  let tokens: number = TOKENS.start;
  const once = (name: string, input: Readonly<Record<string, unknown>>): Promise<unknown> =>
    instance.call(DURATIONS.awsCallMs, () => {
      const { output, rows } = database.execute(name, input);
      return { answer: output, rows };
    });
  return {
    async send(command: Command): Promise<unknown> {
      const name = command.constructor.name;
      const input = command.input as Readonly<Record<string, unknown>>;
      for (let attempt = 1; ; attempt++) {
        try {
          const answer = await once(name, input);
          tokens = Math.min(TOKENS.start, tokens + (attempt > 1 ? TOKENS.throttled : TOKENS.success));
          return answer;
        } catch (error) {
          const again =
            error instanceof ThroughputExceeded && attempt < attempts && tokens >= TOKENS.throttled;
          if (!again) throw error;
          tokens -= TOKENS.throttled;
          await instance.pause(random() * DURATIONS.sdkThrottledBaseMs * 2 ** (attempt - 1));
        }
      }
    },
  };
}
