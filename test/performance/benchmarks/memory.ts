// What each function needs: CPU for one event, the largest its process gets, and from both the rows that one invocation can
// work off within a third of its timeout at the memory it is given. The deployed bundles, each in a process of its own.
// A function's share of a core grows with its memory, and so does the price of its waiting: the cheapest size is the
// smallest one that holds it, and in which its largest unit of work ends in time.
import { setTimeout as pause } from 'node:timers/promises';
import { EVENT_LIMITS } from '#lib/events/domain/event/event.ts';
import { ACCEPTED_POINTERS_MAX, POINTERS_MAX } from '#lib/events/domain/pointer.ts';
import { ACCEPTED_MESSAGES_MAX } from '#lib/events/domain/topology.ts';
import { PLATFORMS } from '#lib/events/platforms/registry.ts';
import { ASSUMED, PRICES } from '../cost-model.ts';
import { type DeployedFunction, type Deployment, openDeployment } from '../deployed-functions.ts';
import { SCHEDULED, urlEvent } from '../lambda-events.ts';
import { THREE_PLATFORMS } from '../measured-platforms.ts';
import { atMost, figure, type Row, report, sized } from '../result.ts';
import { standardEvent } from '../standard-event.ts';

/** Events that go through all stages together, as those of three seconds at 33 a second do. */
const TOGETHER = 100;
const ROUNDS = sized(12, 5);
/** The first ones compile what the others run. */
const WARM_UP_ROUNDS = 4;
const MEASURED = (ROUNDS - WARM_UP_ROUNDS) * TOGETHER;
/** Whose messages came back to fan-out, so that the queues of the platforms get them. */
const ROUNDS_AGAIN = { warmUp: 2, measured: 2 };
/** Of a request to /v1/ingest. */
const BATCH = 500;
/** Messages of one invocation; see cdk/stacks/events.ts. */
const NORMALIZED_MESSAGES = 10;
/** Rows of one invocation for the platform that takes the most. */
const LARGEST_BATCH = Math.max(...PLATFORMS.map(({ limits }) => limits.batchSizeMax));
const MEMORY_SHARE_MAX = 0.6;
const MB_PER_GB = 1_024;

/** What one invocation works off. */
interface Work {
  readonly service: string;
  /** Where there is more than one kind. */
  readonly kind?: string;
  /** AWS calls per row that are not shared by many rows, and how many of them are under way at once. */
  readonly calls: number;
  readonly atOnce: number;
  /** Rows that one invocation may get; absent: only its messages bound them. */
  readonly rowsMax?: number;
}

const { normalize, deliver } = ASSUMED.callsAtOnce;
const WORK: readonly Work[] = [
  { service: 'ingestion', calls: 3, atOnce: 1, rowsMax: 1 },
  { service: 'ingestion', kind: ', in a batch', calls: 1, atOnce: 16, rowsMax: EVENT_LIMITS.batchEventsMax },
  {
    service: 'normalize',
    calls: 1,
    atOnce: normalize,
    rowsMax: ACCEPTED_MESSAGES_MAX * ACCEPTED_POINTERS_MAX,
  },
  { service: 'fan-out', calls: 3, atOnce: deliver, rowsMax: NORMALIZED_MESSAGES * POINTERS_MAX },
  { service: 'deliver', calls: 1, atOnce: deliver, rowsMax: LARGEST_BATCH },
  { service: 'aggregate', calls: 0, atOnce: 1 },
  { service: 'sweep', calls: 1, atOnce: 16 },
];

const deployment = await openDeployment(THREE_PLATFORMS);
try {
  const { functions } = deployment;
  const cpuMs = new Map<string, number>();
  let sent = 0;
  const spent = async (services: readonly string[], work: () => Promise<void>): Promise<void> => {
    const before = services.map((service) => totalMs(functions.get(service)));
    await work();
    for (const [i, service] of services.entries())
      cpuMs.set(service, totalMs(functions.get(service)) - (before[i] ?? 0));
  };
  const round = async (again = false): Promise<void> => {
    for (let i = 0; i < TOGETHER; i++) await ingest([sent++], deployment);
    await deployment.drain('normalize');
    await deployment.drain('fan-out', { again });
    await deployment.drain('deliver');
  };
  for (let i = 0; i < WARM_UP_ROUNDS; i++) await round();
  await spent(['ingestion', 'normalize', 'fan-out'], async () => {
    for (let i = WARM_UP_ROUNDS; i < ROUNDS; i++) await round();
  });
  for (let i = 0; i < ROUNDS_AGAIN.warmUp; i++) await round(true);
  await spent(['deliver'], async () => {
    for (let i = 0; i < ROUNDS_AGAIN.measured; i++) await round(true);
  });
  // A batch in one request, counted apart; with it the minute has enough rows to fold.
  const before = totalMs(functions.get('ingestion'));
  await ingest(
    Array.from({ length: BATCH }, () => sent++),
    deployment,
  );
  cpuMs.set('ingestion, in a batch', totalMs(functions.get('ingestion')) - before);
  await refuseAll('tiktok', deployment);
  for (const service of ['normalize', 'fan-out', 'deliver']) await deployment.drain(service);
  // Hints wait some seconds for the deliveries, and the retries of what was refused for their time.
  await pause(15_000);
  await spent(['aggregate', 'sweep'], async () => {
    await deployment.drain('aggregate');
    await functions.get('sweep')?.invoke(SCHEDULED);
  });
  const events: Readonly<Record<string, number>> = {
    'ingestion, in a batch': BATCH,
    deliver: ROUNDS_AGAIN.measured * TOGETHER * THREE_PLATFORMS.length,
    aggregate: sent,
    sweep: BATCH,
  };
  report({
    benchmark: 'memory',
    rows: [
      ...WORK.flatMap((work) => {
        const name = work.service + (work.kind ?? '');
        return rowsOf(work, functions.get(work.service), (cpuMs.get(name) ?? 0) / (events[name] ?? MEASURED));
      }),
    ],
    notes: [
      `CPU of this machine's core; a function of n MB has n/${ASSUMED.coreMb} of one. Waiting: ${ASSUMED.awsCallMs} ms for an answer of AWS (assumed)`,
    ],
  });
} finally {
  await deployment.close();
}

function rowsOf(work: Work, fn: DeployedFunction | undefined, cpuMs: number): Row[] {
  if (fn === undefined) throw new Error(`there is no function ${work.service}`);
  const { service, kind = '', calls, atOnce, rowsMax } = work;
  const name = service + kind;
  const { memorySizeMb } = fn;
  const waitMs = (calls * ASSUMED.awsCallMs) / atOnce;
  const rowMs = (memoryMb: number): number => waitMs + (cpuMs * ASSUMED.coreMb) / memoryMb;
  const thirdMs = fn.spec.timeoutMs / 3;
  const dollars = (memoryMb: number): number => rowMs(memoryMb) * (memoryMb / MB_PER_GB) * PRICES.lambdaGbSec;
  const largestMb = Math.max(...fn.invocations.map(({ memoryMb }) => memoryMb));
  return [
    figure(`${name}: CPU of one event`, cpuMs, 'ms'),
    ...(kind === ''
      ? [atMost(`${service}: largest its process gets`, largestMb, 'MB', memorySizeMb * MEMORY_SHARE_MAX)]
      : []),
    rowsMax === undefined
      ? figure(`${name}: rows that take a third of its timeout`, thirdMs / rowMs(memorySizeMb), '')
      : atMost(
          `${name}: the most rows it can get`,
          (rowMs(memorySizeMb) * rowsMax) / 1e3,
          's',
          thirdMs / 1e3,
        ),
    ...[256, 512, 1_024].map((memoryMb) =>
      figure(`${name}: time of a million events at ${memoryMb} MB`, dollars(memoryMb) * 1e3, '$'),
    ),
  ];
}

function totalMs(fn: DeployedFunction | undefined): number {
  return (fn?.invocations ?? []).reduce((sum, { cpuMs }) => sum + cpuMs, 0);
}

async function ingest(indexes: readonly number[], { functions, apiKey }: Deployment): Promise<void> {
  const events = indexes.map((index) => standardEvent(index, Math.floor(Date.now() / 1_000) - 60));
  const alone = events.length === 1;
  await functions
    .get('ingestion')
    ?.invoke(urlEvent(alone ? '/v1/events' : '/v1/ingest', apiKey, alone ? events[0] : { events }));
}

/** From now on the platform is down. */
async function refuseAll(platform: string, { sandboxUrl }: Deployment): Promise<void> {
  const answer = await fetch(`${sandboxUrl}/faults`, {
    method: 'POST',
    body: JSON.stringify({ platform, kind: '500', count: 1_000_000 }),
  });
  if (!answer.ok) throw new Error(await answer.text());
}
