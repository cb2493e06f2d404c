// How long things take in the model: one table. Where the cost model assumes the same, it is taken from there, so that dollars
// and seconds rest on the same assumptions; nothing here was measured in AWS.
import { ASSUMED } from '../../performance/cost-model.ts';

export const DURATIONS = {
  /** An answer of DynamoDB or SQS; test/performance/cost-model.ts. */
  awsCallMs: ASSUMED.awsCallMs,
  /** Answers are this much faster or slower, evenly: calls that start together do not end together. */
  awsCallSpreadMs: 2,
  /** An answer of a platform; test/performance/cost-model.ts. */
  platformCallMs: ASSUMED.platformCallMs,
  platformCallSpreadMs: 60,
  /** CPU of one SDK call, and of one row in one stage, of a whole core; test/performance/cost-model.ts. */
  sdkCallCpuMs: ASSUMED.sdkCallCpuMs,
  rowCpuMs: ASSUMED.eventCpuMs,
  /** Memory that brings one whole core, MB; https://docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html */
  coreMb: ASSUMED.coreMb,
  /** Billed per invocation besides; test/performance/cost-model.ts. */
  overheadMs: ASSUMED.overheadMs,
  /** A new instance: sandbox, Node and the bundle (docs/benchmarks.md measures 77 ms of it). */
  coldStartMs: 250,
  /** Decrypting a data key with KMS. */
  kmsCallMs: 10,
  /** Until an index shows what its table holds. "A fraction of a second", says AWS; nobody promises a bound. */
  indexLagMs: 20,
  /** The SDK between attempts, as installed (@smithy/core/retry, StandardRetryStrategy): random x base x 2^retry. */
  sdkThrottledBaseMs: 1_000,
} as const;
