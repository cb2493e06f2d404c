// How much is in a queue, asked with the operator's own credentials.
import { createSqsClient } from '../../lib/adapters/sqs/client.ts';
import { queueFigures as figuresOf, type QueueFigures } from '../../lib/adapters/sqs/queue-size.ts';
import { awsProblem } from './aws-problem.ts';

let client: ReturnType<typeof createSqsClient> | undefined;

/** Rejects with a sentence. */
export async function queueFigures(url: string): Promise<QueueFigures> {
  client ??= createSqsClient();
  try {
    return await figuresOf(client, url);
  } catch (error) {
    throw awsProblem(error, `the queue ${url.split('/').at(-1)} was not read`);
  }
}
