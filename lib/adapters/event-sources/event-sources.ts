// Event source mappings of Lambda as sources that may rest. Guarantees: a call that hangs ends before the run that made it.
import {
  type EventSourceMappingConfiguration,
  GetEventSourceMappingCommand,
  LambdaClient,
  UpdateEventSourceMappingCommand,
} from '@aws-sdk/client-lambda';
import type { EventSource } from '../../core/ports/event-source.ts';

const CALL_MS = 5_000;
/** Lambda itself is changing them: they are on, or soon will be. */
const ON = new Set(['Creating', 'Enabling', 'Enabled', 'Updating']);

/** `sources`: name → UUID of the mapping. `messages`: how many the queue of that name holds. */
export function createEventSources(
  sources: Readonly<Record<string, string>>,
  messages: (name: string) => Promise<number>,
  client: Pick<LambdaClient, 'send'> = new LambdaClient({ maxAttempts: 2 }),
): readonly EventSource[] {
  return Object.entries(sources).map(([name, UUID]) => ({
    name,
    messages: () => messages(name),
    async state() {
      const found = await client.send(new GetEventSourceMappingCommand({ UUID }), timeLimit());
      const problem = problemOf(found);
      return {
        isOn: ON.has(found.State ?? ''),
        // Never off where it is not known since when it is on.
        changedAtMs: found.LastModified?.getTime() ?? Number.POSITIVE_INFINITY,
        ...(problem === undefined ? {} : { problem }),
      };
    },
    async turn(Enabled) {
      await client.send(new UpdateEventSourceMappingCommand({ UUID, Enabled }), timeLimit());
    },
  }));
}

const timeLimit = () => ({ abortSignal: AbortSignal.timeout(CALL_MS) });

/** `PROBLEM: …` is how Lambda says that it cannot read the queue or call the function. */
function problemOf({ State, LastProcessingResult: result = '' }: EventSourceMappingConfiguration) {
  return State === 'Enabled' && result.startsWith('PROBLEM') ? result : undefined;
}
