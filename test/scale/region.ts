// A region of AWS in virtual time, with what the CDK app puts into it: tables, queues, functions, event sources and schedules
// are read from the synthesized template, and each function is the product's own handler, made anew for every instance.

import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { synthesizeApp, type Template } from '../../cdk/synthesize.ts';
import { setStandardDestination } from '../../lib/adapters/logger/logger.ts';
import { DATA_KEY_BYTES, type KeyWrapper } from '../../lib/adapters/vault/key-wrapper.ts';
import { openBox, sealBox } from '../../lib/adapters/vault/sealed-box.ts';
import { loadSandboxes } from '../../services/local/sandbox/platform-sandboxes.ts';
import { readTopology } from '../../services/local/stack/template.ts';
import type {
  EventSourceSpec,
  FunctionSpec,
  QueueSpec,
  Topology,
} from '../../services/local/stack/topology.ts';
import { createSeededRandom, type SeededRandom } from '../support/memory/random.ts';
import { DURATIONS } from './aws/durations.ts';
import { DYNAMODB } from './aws/quotas.ts';
import type { CapacityOptions } from './dynamodb/capacity.ts';
import { createDatabase, type Database } from './dynamodb/database.ts';
import { createDocumentClientOf } from './dynamodb/document-client.ts';
import { createJournal } from './journal.ts';
import { type Account, createAccount } from './lambda/account.ts';
import { createEventSource, type EventSource } from './lambda/event-source.ts';
import { createFunction, type Handler, type LambdaFunction } from './lambda/function.ts';
import type { Instance } from './lambda/instance.ts';
import { plantMerchants } from './merchants.ts';
import { createPlatforms, type Mood, type Platforms } from './platforms.ts';
import { createScheduler, type Scheduler } from './scheduler.ts';
import { createSqsClientOf } from './sqs/client.ts';
import { createQueue, type Queue } from './sqs/queue.ts';
import { madeFor, openRegion } from './stand-ins/region.ts';
import { add, createUsage, type Usage } from './usage.ts';

export interface RegionOptions {
  readonly seed: string;
  readonly merchants: number;
  /** Slugs. */
  readonly connected: readonly string[];
  /** Settings of the CDK app. */
  readonly context?: Readonly<Record<string, unknown>>;
  /** By table or `table/index`, instead of what the template says of warm throughput: names as the environment calls them. */
  readonly capacity?: (name: string) => Omit<CapacityOptions, 'name'>;
  readonly concurrencyMax?: number;
  readonly mood?: (slug: string, nowMs: number) => Mood;
}

export type Region = Awaited<ReturnType<typeof openRegionOf>>;

/** Ten to a full minute, so that the first slot is not torn. */
export const START_MS = Date.UTC(2026, 10, 21, 12, 0, 1);

export async function openRegionOf(options: RegionOptions) {
  const random = createSeededRandom(options.seed);
  const outdir = mkdtempSync(join(tmpdir(), 'millrace-scale-'));
  const { template } = synthesizeApp({
    ephemeral: true,
    bundle: false,
    outdir,
    context: options.context ?? {},
  });
  const topology = readTopology(template, {
    sqsOrigin: 'https://sqs.invalid',
    endpointUrl: () => 'https://function.invalid',
  });
  const modules = await loadHandlers(topology);
  const sandboxes = await loadSandboxes();
  const scheduler = createScheduler(START_MS);
  const restoreTimers = replaceTimers(scheduler);
  const usage = createUsage();
  const account = createAccount(options.concurrencyMax);
  const journal = createJournal(options.connected);
  openRegion({ now: scheduler.now, pause: scheduler.pause, random: random.fork('region') });
  listenToLogs(usage);
  const variables = Object.assign({}, ...topology.functions.map(({ environment }) => environment)) as Record<
    string,
    string
  >;
  const nameOf = tableNames(variables);
  const database = createDatabase({
    tables: topology.tables,
    now: scheduler.now,
    later: (show) => scheduler.after(DURATIONS.indexLagMs, show),
    capacity: (name) => options.capacity?.(nameOf(name)) ?? warmIn(template, name),
  });
  const platforms = createPlatforms({
    sandboxes,
    journal,
    scheduler,
    mood: options.mood ?? (() => 'up'),
    random: random.fork('platforms').next,
  });
  const queues = new Map(topology.queues.map((spec) => [spec.name, createQueue(queueOf(spec), scheduler)]));
  const wrapper = createWrapper(scheduler);
  const functions = new Map(
    topology.functions.map((spec) => [
      spec.service,
      functionOf(spec, template, modules, {
        database,
        platforms,
        queues,
        wrapper,
        scheduler,
        account,
        usage,
        random,
      }),
    ]),
  );
  const fn = (service: string): LambdaFunction => {
    const found = functions.get(service);
    if (found === undefined) throw new Error(`there is no function ${service}`);
    return found;
  };
  const eventSources = topology.eventSources.map((spec) =>
    sourceOf(spec, topology, { fn, queues, scheduler, usage }),
  );
  const merchants = await plantMerchants(options.merchants, {
    db: seedClient(database),
    table: variables.CONFIG_TABLE ?? '',
    wrapper: createWrapper(),
    clock: scheduler,
    connected: options.connected,
  });
  for (const { functionId, intervalMs } of topology.schedules)
    every(intervalMs, scheduler, () => void fn(serviceOf(topology, functionId)).invoke({}, () => undefined));
  return {
    scheduler,
    template,
    journal,
    usage,
    platforms,
    account,
    merchants,
    /** By service, e.g. `normalize`. */
    functions,
    queues,
    eventSources,
    database,
    capacity: () => database.report().map((report) => ({ ...report, name: nameOf(report.name) })),
    /** Its name in the template. */
    tableOf: (variable: string) => variables[variable] ?? '',
    fn,
    /** Losing every message of every queue. */
    purge: () => {
      for (const queue of queues.values()) queue.purge();
    },
    close: () => {
      restoreTimers();
      setStandardDestination(undefined);
    },
  };
}

/** `EventsTable/by_time` → `events/by_time`: the names of the environment say what a table is. */
function tableNames(variables: Readonly<Record<string, string>>): (name: string) => string {
  const known = new Map(
    Object.entries(variables).flatMap(([variable, value]) =>
      variable.endsWith('_TABLE')
        ? [[value, variable.slice(0, -'_TABLE'.length).toLowerCase()] as const]
        : [],
    ),
  );
  return (name) => {
    const [table = '', ...rest] = name.split('/');
    return [known.get(table) ?? table, ...rest].join('/');
  };
}

interface WarmThroughput {
  readonly ReadUnitsPerSecond?: number;
  readonly WriteUnitsPerSecond?: number;
}

/** What the template keeps warm of a table or `table/index`; what it does not name starts as new ones do. */
function warmIn({ Resources }: Template, name: string): Omit<CapacityOptions, 'name'> {
  const [table = '', index] = name.split('/');
  const properties = Object.entries(Resources).find(
    ([id, { Type, Properties }]) =>
      Type === 'AWS::DynamoDB::Table' && (Properties?.TableName ?? id) === table,
  )?.[1].Properties;
  const indexes = (properties?.GlobalSecondaryIndexes ?? []) as readonly {
    readonly IndexName: string;
    readonly WarmThroughput?: WarmThroughput;
  }[];
  const warm =
    index === undefined
      ? (properties?.WarmThroughput as WarmThroughput | undefined)
      : indexes.find(({ IndexName }) => IndexName === index)?.WarmThroughput;
  if (warm === undefined) return {};
  const { ReadUnitsPerSecond, WriteUnitsPerSecond } = warm;
  return {
    warm: {
      readUnits: ReadUnitsPerSecond ?? DYNAMODB.startReadUnits,
      writeUnits: WriteUnitsPerSecond ?? DYNAMODB.startWriteUnits,
    },
  };
}

type Make = (env: Readonly<Record<string, string | undefined>>) => Promise<Handler>;

async function loadHandlers(topology: Topology): Promise<ReadonlyMap<string, Make>> {
  const root = new URL('../../', import.meta.url);
  const entries = topology.functions.map(async ({ service, entry }) => {
    const module = (await import(new URL(entry, root).href)) as { readonly createHandler: Make };
    return [service, module.createHandler] as const;
  });
  return new Map(await Promise.all(entries));
}

interface Parts {
  readonly database: Database;
  readonly platforms: Platforms;
  readonly queues: ReadonlyMap<string, Queue>;
  readonly wrapper: KeyWrapper;
  readonly scheduler: Scheduler;
  readonly account: Account;
  readonly usage: Usage;
  readonly random: SeededRandom;
}

function functionOf(
  spec: FunctionSpec,
  template: Template,
  modules: ReadonlyMap<string, Make>,
  { database, platforms, queues, wrapper, scheduler, account, usage, random }: Parts,
): LambdaFunction {
  const draw = random.fork(spec.service);
  const properties = template.Resources[spec.id]?.Properties ?? {};
  const reserved = properties.ReservedConcurrentExecutions as number | undefined;
  const start = (instance: Instance): Promise<Handler> =>
    madeFor(
      {
        dynamodb: (attempts) => createDocumentClientOf({ database, instance, random: draw.next }, attempts),
        sqs: createSqsClientOf(instance, queues, usage),
        transport: platforms.transportOf(instance),
        wrapper,
      },
      async () => {
        const make = modules.get(spec.service);
        if (make === undefined) throw new Error(`${spec.service} has no handler`);
        return await make(spec.environment);
      },
    );
  return createFunction({
    name: spec.service,
    memoryMb: Number(properties.MemorySize ?? 128),
    timeoutMs: spec.timeoutMs,
    ...(reserved === undefined ? {} : { reserved }),
    start,
    scheduler,
    account,
    usage,
    random: draw.next,
  });
}

function queueOf({ name, attributes }: QueueSpec) {
  const redrive = attributes.RedrivePolicy === undefined ? undefined : JSON.parse(attributes.RedrivePolicy);
  return {
    name,
    visibilityMs: Number(attributes.VisibilityTimeout ?? 30) * 1_000,
    ...(redrive === undefined ? {} : { receivesMax: Number(redrive.maxReceiveCount) }),
  };
}

function sourceOf(
  spec: EventSourceSpec,
  topology: Topology,
  {
    fn,
    queues,
    scheduler,
    usage,
  }: Pick<Parts, 'queues' | 'scheduler' | 'usage'> & { readonly fn: (service: string) => LambdaFunction },
): EventSource {
  const queue = queues.get(spec.queue);
  if (queue === undefined) throw new Error(`there is no queue ${spec.queue}`);
  return createEventSource({
    queue,
    fn: fn(serviceOf(topology, spec.functionId)),
    batchSize: spec.batchSize,
    windowMs: spec.windowMs,
    concurrencyMax: spec.concurrencyMax,
    scheduler,
    usage,
  });
}

const serviceOf = ({ functions }: Topology, id: string): string =>
  functions.find((spec) => spec.id === id)?.service ?? id;

function every(intervalMs: number, scheduler: Scheduler, run: () => void): void {
  scheduler.after(intervalMs, () => {
    run();
    every(intervalMs, scheduler, run);
  });
}

/** For what stands there before a run begins: at once, and at nobody's cost. */
function seedClient(database: Database): DynamoDBDocumentClient {
  const send = async (command: { readonly constructor: { readonly name: string }; readonly input: object }) =>
    database.execute(command.constructor.name, command.input as Readonly<Record<string, unknown>>, 'free')
      .output;
  return { send } as unknown as DynamoDBDocumentClient;
}

/** KMS, with a key that is no secret. */
function createWrapper(scheduler?: Scheduler): KeyWrapper {
  const key = Buffer.alloc(DATA_KEY_BYTES, 3);
  return {
    async generate(name) {
      await scheduler?.pause(DURATIONS.kmsCallMs);
      const plain = Buffer.alloc(DATA_KEY_BYTES, 5);
      return { plain, wrapped: sealBox(key, JSON.stringify(name), plain) };
    },
    async unwrap(name, wrapped) {
      await scheduler?.pause(DURATIONS.kmsCallMs);
      return openBox(key, JSON.stringify(name), wrapped);
    },
  };
}

/** Adapters that wait by a timer wait in virtual time. */
function replaceTimers(scheduler: Scheduler): () => void {
  const real = globalThis.setTimeout;
  const virtual = (action: () => void, ms = 0): number => {
    scheduler.after(ms, action);
    return 0;
  };
  globalThis.setTimeout = virtual as unknown as typeof setTimeout;
  return () => {
    globalThis.setTimeout = real;
  };
}

function listenToLogs(usage: Usage): void {
  setStandardDestination({
    write(text) {
      const line = JSON.parse(text) as {
        readonly service?: string;
        readonly level: string;
        readonly msg?: string;
        readonly metric?: string;
        readonly value?: number;
        readonly err?: { readonly message?: string };
      };
      const own = usage.of(line.service ?? 'unknown');
      if (line.metric !== undefined) add(own.counted, line.metric, line.value ?? 1);
      else if (line.level === 'error') add(own.problems, `${line.msg}: ${line.err?.message ?? ''}`, 1);
    },
  });
}
