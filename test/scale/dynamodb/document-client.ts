// The document client as one function instance has it: each call costs CPU and takes its time, what is throttled is tried
// again as the SDK does (lib/adapters/dynamodb/core/client.ts asks for three attempts), and what it used is booked under the
// function's name.
import { DURATIONS } from '../aws/durations.ts';
import type { Instance } from '../lambda/instance.ts';
import type { Usage } from '../usage.ts';
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
  readonly usage: Usage;
  /** [0, 1). */
  readonly random: () => number;
}

export function createDocumentClientOf({ database, instance, usage, random }: ClientParts, attempts: number) {
  let tokens: number = TOKENS.start;
  const once = (name: string, input: Readonly<Record<string, unknown>>): Promise<unknown> =>
    instance.call(DURATIONS.awsCallMs, () => {
      usage.dynamodb(instance.name, name);
      const { output, rows, writeUnits, readUnits } = database.execute(name, input);
      usage.units(instance.name, tableOf(input), writeUnits, readUnits);
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

function tableOf({ TableName: name, RequestItems: items }: Readonly<Record<string, unknown>>): string {
  return String(name ?? Object.keys((items ?? {}) as object)[0]);
}
