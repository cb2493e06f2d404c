// How long an invocation of each stage may take, and how many messages it gets at once: what its unit of work is made of.
import { Duration } from 'aws-cdk-lib';
import type { SqsEventSourceProps } from 'aws-cdk-lib/aws-lambda-event-sources';
import { DELIVERY_MESSAGES_MAX } from '../../lib/events/domain/topology.ts';

export const STAGE_TIMEOUT = Duration.seconds(30);
/** Room for several requests at a slow platform's own timeout. */
export const DELIVER_TIMEOUT = Duration.seconds(120);
/** A slot is folded from its rows, page by page. */
export const AGGREGATE_TIMEOUT = Duration.seconds(120);
/** A sweep ends before the next one starts. */
export const SWEEP_TIMEOUT = Duration.seconds(55);
/** Three times what the busiest minute of a shard takes to be recounted from its rows. */
export const RECONCILE_TIMEOUT = Duration.seconds(120);

export type Batches = Pick<SqsEventSourceProps, 'batchSize' | 'maxBatchingWindow'>;

/** Pointers are tiny: the first stage takes many at once, which makes its writes the only cost worth naming. */
export const ACCEPTED_BATCHES: Batches = { batchSize: 100, maxBatchingWindow: Duration.seconds(1) };
export const NORMALIZED_BATCHES: Batches = { batchSize: 10 };
export const DELIVERY_BATCHES: Batches = { batchSize: DELIVERY_MESSAGES_MAX };
/** Hints about the same few slots: waiting lets most of them fold together. */
export const COUNTER_REFRESH_BATCHES: Batches = { batchSize: 100, maxBatchingWindow: Duration.seconds(5) };

/** Each is as much work as an invocation is to do. */
export const AUDIT_BATCHES: Batches = { batchSize: 1 };
