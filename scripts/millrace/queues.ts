// Queues, asked with the operator's own credentials. All reject with a sentence.
import { createSqsClient } from '../../lib/adapters/sqs/client.ts';
import { queueFigures as figuresOf, type QueueFigures } from '../../lib/adapters/sqs/queue-size.ts';
import { type Redrive, type Redriven, redriveDeadLetters } from '../../lib/adapters/sqs/redrive.ts';
import { askedBy } from './aws-problem.ts';

/** A client of its own each time: where it asks is read off the environment once. */
const asking = <T>(what: string, work: (sqs: ReturnType<typeof createSqsClient>) => Promise<T>): Promise<T> =>
  askedBy(createSqsClient(), what, work);

export const queueFigures = (url: string): Promise<QueueFigures> =>
  asking(`the queue ${url.split('/').at(-1)} was not read`, (sqs) => figuresOf(sqs, url));

export const redriveQueues = (what: Redrive): Promise<Redriven> =>
  asking('the dead letters were not all moved; those that were not are there', (sqs) =>
    redriveDeadLetters(sqs, what),
  );
