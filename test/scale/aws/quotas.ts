// What AWS limits, as far as this system meets it: one number, one source. Read 2026-11-22; us-east-1.
// An account may have less (new ones do) or more (most can be raised): docs/benchmarks.md says which bind, and in which order.

export const DYNAMODB = {
  /** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html */
  partitionWriteUnits: 1_000,
  partitionReadUnits: 3_000,
  /** What a new table on demand takes at once; .../developerguide/warm-throughput-scenarios.html */
  startWriteUnits: 4_000,
  startReadUnits: 12_000,
  /** A table on demand takes twice its peak of the last half hour; .../developerguide/warm-throughput.html */
  doublesEveryMs: 30 * 60_000,
  /** Per table, and per account in a region for all of them together on provisioned capacity; .../ServiceQuotas.html */
  tableWriteUnits: 40_000,
  tableReadUnits: 40_000,
  /** .../developerguide/Constraints.html */
  itemSizeMaxBytes: 400 * 1_024,
  partitionKeyMaxBytes: 2_048,
  sortKeyMaxBytes: 1_024,
  /** .../APIReference/API_BatchGetItem.html, .../API_Query.html */
  batchGetKeysMax: 100,
  batchGetSizeMaxBytes: 16 * 1_048_576,
  pageSizeMaxBytes: 1_048_576,
} as const;

export const SQS = {
  /** https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-messages.html */
  entriesMax: 10,
  requestSizeMaxBytes: 1_048_576,
  delayMaxSec: 900,
  /** .../quotas-queues.html: messages received and not deleted, standard queues. */
  inFlightMax: 120_000,
} as const;

export const LAMBDA = {
  /** https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html: all functions of an account together. */
  concurrencyMax: 1_000,
  /** .../lambda-concurrency.html: a function URL takes ten requests a second for each unit of concurrency. */
  requestsPerConcurrency: 10,
  /** .../scaling-behavior.html: instances a function may add in ten seconds. */
  instancesPerTenSec: 1_000,
  /** .../services-sqs-scaling.html: where a queue's function starts, and what it adds each minute while messages wait. */
  sourceConcurrencyStart: 5,
  sourceConcurrencyPerMinute: 300,
  sourceConcurrencyMax: 1_000,
  payloadMaxBytes: 6 * 1_048_576,
} as const;
