// What a host has to host, as data.

export interface KeyPart {
  readonly AttributeName: string;
  readonly KeyType: 'HASH' | 'RANGE';
}

export interface TableIndex {
  readonly IndexName: string;
  readonly KeySchema: readonly KeyPart[];
  readonly Projection: {
    readonly ProjectionType: 'ALL' | 'KEYS_ONLY' | 'INCLUDE';
    readonly NonKeyAttributes?: readonly string[];
  };
}

/** As CreateTable takes it, billed per request. */
export interface TableSpec {
  readonly name: string;
  readonly attributes: readonly { readonly AttributeName: string; readonly AttributeType: 'S' | 'N' | 'B' }[];
  readonly keySchema: readonly KeyPart[];
  readonly indexes: readonly TableIndex[];
}

export interface QueueSpec {
  readonly name: string;
  /** As CreateQueue takes them. */
  readonly attributes: Readonly<Record<string, string>>;
  /** Name of the dead-letter queue; it must exist first. */
  readonly deadLetterQueue?: string;
}

export interface FunctionSpec {
  /** Logical id. */
  readonly id: string;
  /** Folder under services/. */
  readonly service: string;
  /** Module with `createHandler`, relative to the root of the repository. */
  readonly entry: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

export interface EventSourceSpec {
  readonly functionId: string;
  readonly queue: string;
  /** Messages per invocation. */
  readonly batchSize: number;
  /** How long to gather messages after the first one; 0 = invoke with what one receive brings. */
  readonly windowMs: number;
  readonly concurrencyMax: number;
  /** True: the function names the messages that failed. False: all or nothing. */
  readonly reportsFailures: boolean;
}

export interface ScheduleSpec {
  readonly functionId: string;
  readonly intervalMs: number;
}

export interface Topology {
  readonly tables: readonly TableSpec[];
  /** Names. */
  readonly buckets: readonly string[];
  readonly queues: readonly QueueSpec[];
  readonly functions: readonly FunctionSpec[];
  readonly eventSources: readonly EventSourceSpec[];
  /** Ids of the functions that have a function URL. */
  readonly endpoints: readonly string[];
  /** Of these, those that IAM guards. */
  readonly signed: readonly string[];
  readonly schedules: readonly ScheduleSpec[];
  /** Outputs of the stacks that name queues and tables. */
  readonly outputs: Readonly<Record<string, string>>;
}
