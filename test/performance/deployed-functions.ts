// The functions as they are deployed, each bundle in a process of its own, on the emulators and the platforms' sandboxes. For
// measuring what each one needs: CPU and memory of a process that does nothing else.
import { type ChildProcess, fork } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { DeleteMessageBatchCommand, type Message, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { MERCHANT_PRODUCTS } from '#cdk/products.ts';
import { synthesizeApp } from '../../cdk/synthesize.ts';
import { systemClock } from '../../lib/adapters/clock/system-clock.ts';
import { createDocumentClient } from '../../lib/adapters/dynamodb/core/client.ts';
import { createSqsClient } from '../../lib/adapters/sqs/client.ts';
import { createKeyFileWrapper } from '../../lib/adapters/vault/key-file-wrapper.ts';
import { useEmulators } from '../../services/local/aws-environment.ts';
import { startEmulators } from '../../services/local/emulators/start.ts';
import { startSandbox } from '../../services/local/sandbox/server.ts';
import { queueUrl } from '../../services/local/stack/references.ts';
import { createQueues, createTables } from '../../services/local/stack/resources.ts';
import { readTopology } from '../../services/local/stack/template.ts';
import type { EventSourceSpec, FunctionSpec } from '../../services/local/stack/topology.ts';
import { bundleOf } from './bundle-of.ts';
import { plantMerchant } from './metered-stages.ts';

/** One invocation. */
export interface Invocation {
  readonly cpuMs: number;
  readonly wallMs: number;
  /** The largest the process has been. */
  readonly memoryMb: number;
  readonly messages: number;
}

export interface DeployedFunction {
  readonly spec: FunctionSpec;
  readonly memorySizeMb: number;
  readonly invocations: readonly Invocation[];
  invoke(event: unknown, messages?: number): Promise<unknown>;
}

export interface Deployment {
  readonly apiKey: string;
  readonly sandboxUrl: string;
  readonly functions: ReadonlyMap<string, DeployedFunction>;
  /** Feeds a function from its queues, in batches of the template's size, until they are empty. Returns messages handled. */
  drain(service: string): Promise<number>;
  close(): Promise<void>;
}

const CHILD = fileURLToPath(new URL('./function-child.mjs', import.meta.url));
const MESSAGES_PER_REQUEST = 10;
/** What Lambda's runtime lets the heap have. */
const HEAP_SHARE = 0.9;

export async function openDeployment(connected: readonly string[]): Promise<Deployment> {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-deployed-'));
  const emulators = await startEmulators(
    { tablesPath: join(folder, 'tables'), dynamodbPort: 0, sqsPort: 0 },
    (error) => console.error(error),
  );
  const restore = useEmulators({ ...emulators, s3Url: emulators.sqsUrl, mailUrl: emulators.sqsUrl });
  const sandbox = await startSandbox({});
  const app = synthesizeApp({
    ephemeral: true,
    bundle: true,
    outdir: join(folder, 'cdk'),
    context: { sandboxUrl: sandbox.url },
    products: MERCHANT_PRODUCTS,
  });
  const topology = readTopology(app.template, {
    sqsOrigin: emulators.sqsUrl,
    endpointUrl: () => 'http://127.0.0.1',
  });
  await createTables(createDocumentClient(), topology.tables, folder);
  const sqs = createSqsClient();
  await createQueues(sqs, topology.queues);
  const keyFile = join(folder, 'vault.key');
  const env = Object.assign({}, ...topology.functions.map((fn) => fn.environment)) as Record<string, string>;
  const apiKey = await plantMerchant(createDocumentClient(), env, {
    wrapper: await createKeyFileWrapper(keyFile),
    clock: systemClock,
    connected,
  });
  const children: ChildProcess[] = [];
  const functions = new Map<string, DeployedFunction>();
  for (const spec of topology.functions) {
    const memorySizeMb = Number(app.template.Resources[spec.id]?.Properties?.MemorySize);
    const { VAULT_KEY_ARN: arn, ...environment } = spec.environment;
    const child = await start(pathToFileURL(bundleOf(app, spec)).href, memorySizeMb, {
      ...environment,
      ...(arn === undefined ? {} : { VAULT_KEY_FILE: keyFile }),
    });
    children.push(child);
    functions.set(spec.service, deployed(spec, memorySizeMb, child));
  }

  const receive = async (source: EventSourceSpec): Promise<Message[]> => {
    const batch: Message[] = [];
    const QueueUrl = queueUrl(source.queue, emulators.sqsUrl);
    while (batch.length < source.batchSize) {
      const { Messages: messages = [] } = await sqs.send(
        new ReceiveMessageCommand({
          QueueUrl,
          MaxNumberOfMessages: Math.min(MESSAGES_PER_REQUEST, source.batchSize - batch.length),
          MessageSystemAttributeNames: ['All'],
        }),
      );
      if (messages.length === 0) break;
      const Entries = messages.map(({ ReceiptHandle }, i) => ({ Id: String(i), ReceiptHandle }));
      await sqs.send(new DeleteMessageBatchCommand({ QueueUrl, Entries }));
      batch.push(...messages);
    }
    return batch;
  };
  return {
    apiKey,
    sandboxUrl: sandbox.url,
    functions,
    async drain(service) {
      const fn = functions.get(service);
      if (fn === undefined) throw new Error(`there is no function ${service}`);
      let handled = 0;
      for (const source of topology.eventSources.filter(({ functionId }) => functionId === fn.spec.id))
        for (;;) {
          const batch = await receive(source);
          if (batch.length === 0) break;
          handled += batch.length;
          await fn.invoke({ Records: batch.map(toRecord) }, batch.length);
        }
      return handled;
    },
    async close() {
      for (const child of children) child.disconnect();
      await sandbox.close();
      restore();
      await emulators.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const toRecord = ({ MessageId = '', Body = '', Attributes }: Message) => ({
  messageId: MessageId,
  body: Body,
  attributes: {
    ApproximateReceiveCount: Attributes?.ApproximateReceiveCount ?? '1',
    SentTimestamp: Attributes?.SentTimestamp ?? '0',
  },
});

async function start(
  bundle: string,
  memorySizeMb: number,
  environment: Readonly<Record<string, string>>,
): Promise<ChildProcess> {
  const child = fork(CHILD, [bundle], {
    execArgv: [`--max-old-space-size=${Math.floor(memorySizeMb * HEAP_SHARE)}`],
    env: { ...process.env, ...environment, LOG_LEVEL: 'fatal', NODE_NO_WARNINGS: '1' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  await next(child);
  return child;
}

function deployed(spec: FunctionSpec, memorySizeMb: number, child: ChildProcess): DeployedFunction {
  const invocations: Invocation[] = [];
  return {
    spec,
    memorySizeMb,
    invocations,
    async invoke(event, messages = 1) {
      child.send(event as object);
      const { answer, ...spent } = (await next(child)) as Omit<Invocation, 'messages'> & {
        readonly answer: { batchItemFailures?: readonly unknown[]; statusCode?: number } | null;
      };
      if ((answer?.batchItemFailures ?? []).length > 0 || (answer?.statusCode ?? 200) >= 300)
        throw new Error(`${spec.service} answered ${JSON.stringify(answer)}`);
      invocations.push({ ...spent, messages });
      return answer;
    },
  };
}

/** The child's next message. */
function next(child: ChildProcess): Promise<unknown> {
  return new Promise((done, reject) => {
    const ended = (code: number | null): void => reject(new Error(`a function ended with ${code}`));
    child.once('exit', ended);
    child.once('message', (message) => {
      child.off('exit', ended);
      done(message);
    });
  });
}
