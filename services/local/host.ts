// The whole system in one process: emulators, the functions of the template, their event sources, function URLs and
// schedules, a sandbox instead of the platforms and an issuer instead of Cognito. Everything listens on 127.0.0.1 only.
// Guarantees: what runs is what the CDK app deploys; one host per data folder; after a kill at any moment the next
// start finds every row and finishes what was in flight; `close` leaves nothing running.
import { randomBytes } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import type { Template } from '../../cdk/synthesize.ts';
import { createDocumentClient } from '../../lib/adapters/dynamodb/core/client.ts';
import { setStandardDestination } from '../../lib/adapters/logger/logger.ts';
import { createSqsClient } from '../../lib/adapters/sqs/client.ts';
import { assistantContext } from './assistant.ts';
import { Closers } from './closers.ts';
import { developmentOrigin } from './dashboard/development.ts';
import { createDashboardSite, type DashboardSite } from './dashboard/site.ts';
import { checkDataDir, DATA_FORMAT, FORMAT_FILE, fileProblem } from './data-check.ts';
import { type DataDir, openDataDir } from './data-dir.ts';
import type { EmulatorUrls } from './emulators/start.ts';
import { environmentOf } from './functions/environment.ts';
import { type FunctionUrl, openFunctionUrl } from './functions/function-url.ts';
import { loadFunctions } from './functions/functions.ts';
import { startSchedule } from './functions/schedule.ts';
import { type Base, type Ground, startGround } from './ground.ts';
import { NO_SAMPLE, plantHelpdesk } from './helpdesk-sample.ts';
import { CLIENT_ID } from './issuer/server.ts';
import type { Person } from './issuer/sign-in.ts';
import { openSignInFile } from './issuer/sign-in-store.ts';
import { type LocalLog, openLocalLog } from './local-log.ts';
import { LOCAL_MAIL_DOMAIN } from './mail/local-mail.ts';
import { LocalProblem } from './problem.ts';
import { repairIndexes } from './repair-indexes.ts';
import { plantSeed, readSeed, type SeedKeys } from './seed.ts';
import type { Session } from './session.ts';
import { PORTS, type PortName, portOf } from './settings.ts';
import { createBuckets, createQueues, createTables } from './stack/resources.ts';
import { synthesizeTemplate } from './stack/synthesize.ts';
import { endpointServices, readTopology } from './stack/template.ts';
import type { Topology } from './stack/topology.ts';
import {
  BROWSER_INGESTION,
  connect,
  connectMail,
  type Endpoints,
  HELPDESK_API,
  ONE_ORIGIN,
} from './stack/wiring.ts';

export interface HostOptions {
  /** First of the ports; 0 takes any free ports. */
  readonly portBase: number;
  /** Absolute; made when missing. */
  readonly dataDir: string;
  /** Emulators that already run, instead of this host's own; they must not have another host's tables and queues. */
  readonly emulators?: EmulatorUrls | undefined;
  /** People who may sign in besides the merchant's owner; a merchant's member list defines their permissions. */
  readonly people?: readonly Person[];
  /** Folder of the dashboard builds; absolute. Absent: in the data folder. */
  readonly dashboardDir?: string;
  /** Variables that select the language model: `AI_PROVIDER`, `AI_MODEL`, `AI_BASE_URL`. */
  readonly assistant?: Readonly<Record<string, string | undefined>>;
  /** Of the deployment, as its file has them. */
  readonly settings?: Readonly<Record<string, string>>;
  /** False: the helpdesk begins empty. To make its sample is most of what a start computes. Default true. */
  readonly hasHelpdeskSample?: boolean;
  /** Replaces the intervals of the template. */
  readonly sweepIntervalMs?: number;
  readonly auditIntervalMs?: number;
  /** Called when an invocation has ended, with the function's service; what Lambda counts by itself. */
  readonly onInvocation?: (service: string, failed: boolean) => void;
  /** Called for every error of the host and its functions; they are in the log as well. */
  readonly onError?: (text: string) => void;
}

export interface Host {
  readonly session: Session;
  readonly topology: Topology;
  readonly dataDir: string;
  readonly dashboard: DashboardSite;
  /** Stops taking requests and messages, lets running work end, closes the tables. */
  close(): Promise<void>;
}

/** Throws a LocalProblem with one sentence if something on this machine prevents the start. */
export async function startHost(options: HostOptions): Promise<Host> {
  const closers = new Closers();
  try {
    return await start(options, closers);
  } catch (error) {
    await closers.closeAll().catch(() => undefined);
    throw fileProblem(options.dataDir, error) ?? error;
  }
}

const SESSION_FILE = 'session.json';
const RENEW_MS = 3_600_000;

async function start(options: HostOptions, closers: Closers): Promise<Host> {
  const dataDir = openDataDir(options.dataDir);
  closers.add(() => dataDir.release());
  checkDataDir(dataDir);
  dataDir.writeJson(FORMAT_FILE, { format: DATA_FORMAT });
  dataDir.remove(SESSION_FILE);
  const log = openLog(options, dataDir, closers);
  const seed = await readSeed(dataDir);
  const signIns = openSignInFile(dataDir);
  const ground = await startGround(options, { dataDir, log, seed, signIns, closers });
  const { template, endpoints } = await openEndpoints(options, ground, { dataDir, log, closers });
  // The dashboard is served at the API's address, or at the common one.
  const origin = urlOf(endpoints, ONE_ORIGIN);
  ground.issuer.servePages([urlOf(endpoints, 'api'), origin, developmentOrigin(origin)]);
  const topology = readTopology(template, {
    sqsOrigin: ground.emulators.sqsUrl,
    endpointUrl: (service) => urlOf(endpoints, service),
  });
  const keys = await prepare(topology, dataDir);
  const functions = await loadFunctions(
    topology.functions,
    (spec) => environmentOf(spec, dataDir),
    options.onInvocation,
  );
  const dashboard = createDashboardSite({
    folder: options.dashboardDir ?? dataDir.file('dashboard'),
    issuer: ground.issuer.issuer,
    clientId: CLIENT_ID,
    onError: log.error,
  });
  const operatorToken = randomBytes(32).toString('base64url');
  connect({ options, topology, functions, endpoints, operatorToken, dashboard, log, closers });
  connectMail(ground.mail, topology);
  const addresses = {
    ingestion_url: urlOf(endpoints, 'ingestion'),
    api_url: urlOf(endpoints, 'api'),
    origin_url: origin,
    dashboard_url: `${origin}/`,
    helpdesk_url: urlOf(endpoints, HELPDESK_API),
    sandbox_url: ground.sandboxUrl,
    dynamodb_url: ground.emulators.dynamodbUrl,
    sqs_url: ground.emulators.sqsUrl,
  };
  const session: Session = {
    ...addresses,
    merchant_id: seed.merchantId,
    api_key: keys.events,
    helpdesk_api_key: keys.helpdesk,
    helpdesk_sample:
      options.hasHelpdeskSample === false
        ? NO_SAMPLE
        : await plantHelpdesk(dataDir, { ...addresses, helpdesk_api_key: keys.helpdesk }),
    session_jwt: await ground.issuer.sign(seed.owner),
    issuer_url: ground.issuer.issuer,
    client_id: CLIENT_ID,
    owner_email: seed.owner.email,
    owner_password: seed.owner.password,
    operator_url: urlOf(endpoints, 'operator-admin'),
    operator_reader_url: urlOf(endpoints, 'operator-reader'),
    operator_token: operatorToken,
    outputs: topology.outputs,
  };
  // Last: programs that wait for this file may send events at once.
  dataDir.writeJson(SESSION_FILE, session);
  closers.add(
    keepFresh(async () => ({ ...session, session_jwt: await ground.issuer.sign(seed.owner) }), dataDir, log),
  );
  return { session, topology, dataDir: dataDir.path, dashboard, close: () => closers.closeAll() };
}

/** Renews the token in the session file. */
function keepFresh(renewed: () => Promise<Session>, dataDir: DataDir, log: LocalLog): () => Promise<void> {
  const renewal = startSchedule({
    intervalMs: RENEW_MS,
    atOnce: false,
    run: async () => dataDir.writeJson(SESSION_FILE, await renewed()),
    onError: (error) => log.error('the session could not be renewed', error),
  });
  return () => renewal.stop();
}

function openLog(options: HostOptions, dataDir: DataDir, closers: Closers): LocalLog {
  let closing = false;
  const log = openLocalLog(dataDir.file('millrace.log'), (text) => {
    // Work interrupted by closing is not reported: its rows are due again.
    if (!closing) options.onError?.(text);
  });
  setStandardDestination(log.destination);
  closers.add(() => {
    setStandardDestination(undefined);
    log.close();
  });
  closers.beforeAll(() => {
    closing = true;
  });
  return log;
}

/** Reads the template and opens its function URLs: other parts need their ports. */
async function openEndpoints(
  options: HostOptions,
  { sandboxUrl, issuer }: Ground,
  { dataDir, log, closers }: Base,
): Promise<{ readonly template: Template; readonly endpoints: Endpoints }> {
  const template = await synthesizeTemplate({
    outdir: dataDir.file('template'),
    context: {
      ...assistantContext(options.assistant ?? {}, dataDir),
      sandboxUrl,
      mailDomain: LOCAL_MAIL_DOMAIN,
      // A developer waits for each event, and pays for none.
      gatherSec: 1,
      ...options.settings,
      authIssuer: issuer.issuer,
      authAudience: issuer.audience,
      authJwksUrl: issuer.jwksUrl,
    },
  });
  const endpoints = new Map<string, FunctionUrl>();
  // `wiring.ts` serves the browsers' part of ingestion under the address of the servers'.
  const services = endpointServices(template).filter((service) => service !== BROWSER_INGESTION);
  for (const service of [...services, ONE_ORIGIN]) {
    if (!Object.hasOwn(PORTS, service)) throw new LocalProblem(`There is no port for ${service}.`);
    const port = portOf(options.portBase, service as PortName);
    const endpoint = await openFunctionUrl(service, port, log.error);
    closers.add(() => endpoint.close());
    endpoints.set(service, endpoint);
  }
  return { template, endpoints };
}

function urlOf(endpoints: Endpoints, service: string): string {
  const endpoint = endpoints.get(service === BROWSER_INGESTION ? 'ingestion' : service);
  if (endpoint === undefined) throw new LocalProblem(`The CDK app gives ${service} no function URL.`);
  return endpoint.url;
}

/** Tables, queues and the seed. */
async function prepare(topology: Topology, dataDir: DataDir): Promise<SeedKeys> {
  const db = new DynamoDBClient();
  await createTables(db, topology.tables, dataDir.path);
  await createQueues(createSqsClient(), topology.queues);
  await createBuckets(new S3Client(), topology.buckets);
  if (dataDir.afterCrash) {
    await repairIndexes(db, topology.tables);
    dataDir.repaired();
  }
  db.destroy();
  const configTable = topology.functions.find(({ environment }) => environment.CONFIG_TABLE !== undefined);
  return plantSeed(dataDir, {
    db: createDocumentClient(),
    configTable: configTable?.environment.CONFIG_TABLE ?? '',
  });
}
