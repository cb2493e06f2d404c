// How long the stages of the pipeline may take, and how many messages they take at once.
import { Duration } from 'aws-cdk-lib';
import { ACCEPTED_MESSAGES_MAX, DELIVERY_MESSAGES_MAX } from '#lib/events/domain/topology.ts';
import type { Batches } from '../../stacks/product-stack.ts';

export const TIMEOUT = {
  /** Of normalize and fan-out. */
  stage: Duration.seconds(30),
  /** Room for several requests at a slow platform's own timeout. */
  deliver: Duration.seconds(120),
  /** A slot is folded from its rows, page by page. */
  aggregate: Duration.seconds(120),
  /** A sweep ends before the next one starts. */
  sweep: Duration.seconds(55),
  /** Three times what a step of their work takes. */
  drain: Duration.seconds(60),
  replay: Duration.seconds(60),
  tasks: Duration.seconds(60),
  /** Three times what the busiest minute of a shard takes to be recounted from its rows. */
  reconcile: Duration.seconds(120),
} as const;

export const BATCHES = {
  normalized: { batchSize: 10 },
  delivery: { batchSize: DELIVERY_MESSAGES_MAX },
  /** Hints about the same few slots: waiting lets most of them fold together. */
  counterRefresh: { batchSize: 100, maxBatchingWindow: Duration.seconds(5) },
  /** A message is a step of one merchant's drain, plan, job or audit, and waits for no other. */
  step: { batchSize: 1 },
} as const satisfies Record<string, Batches>;

/** Accepted events. Rows of one shard form batches: the more come together, the fewer batches there are. */
export const gathered = ({ gatherSec }: { readonly gatherSec: number }): Batches => ({
  batchSize: ACCEPTED_MESSAGES_MAX,
  maxBatchingWindow: Duration.seconds(gatherSec),
});
