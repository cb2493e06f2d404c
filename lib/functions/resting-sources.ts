// For the sweeps: event sources of rarely used queues, which they switch on and off.
import { systemClock } from '../adapters/clock/system-clock.ts';
import { createEventSources } from '../adapters/event-sources/event-sources.ts';
import type { createSqsClient } from '../adapters/sqs/client.ts';
import { queueSize } from '../adapters/sqs/queue-size.ts';
import { tendSources } from '../core/sources/resting-sources.ts';
import type { FunctionBase } from './function-base.ts';

/** `sources`: name → UUID; `queues`: name → URL, of others as well; `unhurried`: names of those whose messages may wait for a minute more. */
export function restingSources(
  { logger }: FunctionBase,
  sqs: ReturnType<typeof createSqsClient>,
  sources: Readonly<Record<string, string>>,
  queues: Readonly<Record<string, string>>,
  unhurried: readonly string[] = [],
): () => Promise<void> {
  const messages = async (name: string): Promise<number> => {
    const url = queues[name];
    if (url === undefined) throw new Error(`there is no queue for the event source ${name}`);
    return await queueSize(sqs, url);
  };
  // Most deployments for tests have none, and no Lambda to ask.
  if (Object.keys(sources).length === 0) return async () => undefined;
  return tendSources(createEventSources(sources, messages), {
    clock: systemClock,
    unhurried: new Set(unhurried),
    switched: (source, isOn) => logger.info({ source, isOn }, 'an event source was switched'),
    failed: (source, error, isLasting) =>
      logger.error(
        { source, err: error, ...(isLasting ? { metric: 'waiting', value: 1 } : {}) },
        'an event source could not be looked after',
      ),
  });
}
