// The functions as they are deployed, each bundle in a process of its own, on the emulators and the platforms' sandboxes. For
// measuring what each one needs: CPU and memory of a process that does nothing else.
import { type ChildProcess, fork } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { MERCHANT_PRODUCTS } from '#cdk/products.ts';
import { synthesizeApp } from '../../cdk/synthesize.ts';
import { systemClock } from '../../lib/adapters/clock/system-clock.ts';
import { createDocumentClient } from '../../lib/adapters/dynamodb/core/client.ts';
import type { SqsRecord } from '../../lib/adapters/lambda/sqs-batch.ts';
import { createSqsClient } from '../../lib/adapters/sqs/client.ts';
import { createKeyFileWrapper } from '../../lib/adapters/vault/key-file-wrapper.ts';
import { useEmulators } from '../../services/local/aws-environment.ts';
import { startEmulators } from '../../services/local/emulators/start.ts';
import { startSandbox } from '../../services/local/sandbox/server.ts';
import { queueUrl } from '../../services/local/stack/references.ts';
import { createQueues, createTables } from '../../services/local/stack/resources.ts';
import { readTopology } from '../../services/local/stack/template.ts';
import type { FunctionSpec } from '../../services/local/stack/topology.ts';
import { bundleOf } from './bundle-of.ts';
import { nextMessage } from './child-message.ts';
import { drainQueue } from './drain-queue.ts';
import { MERCHANT } from './metered-stages.ts';
import { connectPlatforms, plantMerchant } from './planted-merchant.ts';

/** One invocation. */
export interface Invocation {
  readonly cpuMs: number;
  /** The largest the process has been. */
  readonly memoryMb: number;
}

export type DeployedFunction = ReturnType<typeof deployed>;

export type Deployment = Awaited<ReturnType<typeof openDeployment>>;

const CHILD = fileURLToPath(new URL('./function-child.mjs', import.meta.url));
/** What Lambda's runtime lets the heap have. */
const HEAP_SHARE = 0.9;

export async function openDeployment(connected: readonly string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-deployed-'));
  const emulators = await startEmulators({
    tablesPath: join(folder, 'tables'),
    dynamodbPort: 0,
    sqsPort: 0,
  });
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
  const config = { db: createDocumentClient(), table: env.CONFIG_TABLE ?? '', clock: systemClock };
  const [apiKey = ''] = await plantMerchant(config, {
    merchantId: MERCHANT,
    keysOf: 'evk_live',
    scopes: ['events:write'],
    secrets: [Buffer.alloc(32, 7)],
  });
  await connectPlatforms(config, await createKeyFileWrapper(keyFile), MERCHANT, connected);
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

  return {
    apiKey,
    sandboxUrl: sandbox.url,
    functions,
    /** Feeds a function from its queues, in batches of the template's size, until they are empty. `again`: as if they came back. */
    async drain(service: string, { again = false } = {}) {
      const fn = functions.get(service);
      if (fn === undefined) throw new Error(`there is no function ${service}`);
      for (const source of topology.eventSources.filter(({ functionId }) => functionId === fn.spec.id)) {
        const from = { queueUrl: queueUrl(source.queue, emulators.sqsUrl), batchSize: source.batchSize };
        await drainQueue(sqs, from, async (records) => {
          const Records = again ? records.map(receivedTwice) : records;
          await fn.invoke({ Records });
          return 0;
        });
      }
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

const receivedTwice = (record: SqsRecord): SqsRecord => ({
  ...record,
  attributes: { ...record.attributes, ApproximateReceiveCount: '2' },
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
  await nextMessage(child);
  return child;
}

function deployed(spec: FunctionSpec, memorySizeMb: number, child: ChildProcess) {
  const invocations: Invocation[] = [];
  return {
    spec,
    memorySizeMb,
    invocations,
    async invoke(event: object) {
      const { answer, ...spent } = await nextMessage<
        Invocation & {
          readonly answer: { batchItemFailures?: readonly unknown[]; statusCode?: number } | null;
        }
      >(child, event);
      if ((answer?.batchItemFailures ?? []).length > 0 || (answer?.statusCode ?? 200) >= 300)
        throw new Error(`${spec.service} answered ${JSON.stringify(answer)}`);
      invocations.push(spent);
    },
  };
}
