// From resources to a running system: queues feed functions, function URLs serve them, schedules run them.
import { createSqsClient } from '#lib/adapters/sqs/client.ts';
import { ROUTES } from '#lib/events/routes/every-route.ts';
import type { Closers } from '../closers.ts';
import type { DashboardSite } from '../dashboard/site.ts';
import { startEventSource } from '../functions/event-source.ts';
import { forToken } from '../functions/for-token.ts';
import type { FunctionUrl } from '../functions/function-url.ts';
import type { Handler, LoadedFunction } from '../functions/functions.ts';
import { startSchedule } from '../functions/schedule.ts';
import type { LocalLog } from '../local-log.ts';
import type { LocalMail } from '../mail/local-mail.ts';
import { isApiPath, partAt } from '../one-origin.ts';
import { queueArn, queueUrl } from './references.ts';
import type { Topology } from './topology.ts';

/** The part of ingestion without credentials: a separate function, served under the same address here. */
export const BROWSER_INGESTION = 'browser-ingestion';
export const HELPDESK_API = 'helpdesk-api';
/** The endpoint that belongs to no single function. */
export const ONE_ORIGIN = 'origin';

/** By service. */
export type Endpoints = ReadonlyMap<string, FunctionUrl>;

/** Running work gets this long to end before the tables close; its rows are due again later. */
const FINISH_MAX_MS = 5_000;

export interface Wiring {
  readonly options: { readonly sweepIntervalMs?: number; readonly auditIntervalMs?: number };
  readonly topology: Topology;
  readonly functions: ReadonlyMap<string, LoadedFunction>;
  readonly endpoints: Endpoints;
  /** Of functions that IAM guards in AWS. */
  readonly operatorToken: string;
  readonly dashboard: DashboardSite;
  readonly log: LocalLog;
  readonly closers: Closers;
}

/** From here on events flow. */
export function connect(wiring: Wiring): void {
  const { options, topology, functions, endpoints, dashboard, log, closers } = wiring;
  const named = (id: string): LoadedFunction => {
    const fn = functions.get(id);
    if (fn === undefined) throw new Error(`no function ${id}`);
    return fn;
  };
  const sqs = createSqsClient();
  const sources = topology.eventSources.map((spec) =>
    startEventSource(spec, {
      sqs,
      queueUrl: queueUrl(spec.queue, process.env.AWS_ENDPOINT_URL_SQS ?? ''),
      queueArn: queueArn(spec.queue),
      invoke: named(spec.functionId).invoke,
      onError: log.error,
    }),
  );
  const intervals: Readonly<Record<string, number | undefined>> = {
    sweep: options.sweepIntervalMs,
    'helpdesk-sweep': options.sweepIntervalMs,
    reconcile: options.auditIntervalMs,
  };
  const schedules = topology.schedules.map(({ functionId, intervalMs }) => {
    const { spec, invoke } = named(functionId);
    return startSchedule({
      intervalMs: intervals[spec.service] ?? intervalMs,
      // The first sweep runs at once: it finds the work that the last host left, without a minute's wait.
      atOnce: spec.service.endsWith('sweep'),
      run: () => invoke({ 'detail-type': 'Scheduled Event', source: 'aws.events' }),
      onError: (error) => log.error(`${spec.service} failed`, error),
    });
  });
  const served = new Map(topology.endpoints.map((id) => [named(id).spec.service, named(id)]));
  const browser = served.get(BROWSER_INGESTION)?.invoke;
  for (const [service, { spec, invoke, serve }] of served) {
    const signed = topology.signed.includes(spec.id) ? forToken(wiring.operatorToken, invoke) : serve;
    endpoints
      .get(service)
      ?.serve(service === 'ingestion' && browser !== undefined ? byPath(browser, invoke) : signed);
  }
  serveOneOrigin(served, dashboard, endpoints.get(ONE_ORIGIN));
  closers.add(() =>
    within(
      FINISH_MAX_MS,
      Promise.all([...sources.map((source) => source.stop()), ...schedules.map((turn) => turn.stop())]),
    ),
  );
}

/** Delivers inbound mails where the template's wiring sends them. */
export function connectMail(mail: LocalMail, { buckets, functions, eventSources }: Topology): void {
  const urlOf = (service: string): string => {
    const fn = functions.find((one) => one.service === service);
    const source = eventSources.find(({ functionId }) => functionId === fn?.id);
    if (source === undefined) throw new Error(`nothing brings mails to ${service}`);
    return queueUrl(source.queue, process.env.AWS_ENDPOINT_URL_SQS ?? '');
  };
  // The one that reads them names it; another is that of old events.
  const named = Object.values(
    functions.find(({ service }) => service === 'helpdesk-mail-in')?.environment ?? {},
  );
  const bucket = buckets.find((name) => named.includes(name));
  if (bucket === undefined) throw new Error('there is no bucket for mails');
  mail.connect({
    bucket,
    inboundQueueUrl: urlOf('helpdesk-mail-in'),
    eventsQueueUrl: urlOf('helpdesk-mail-events'),
    sqs: createSqsClient(),
  });
}

function serveOneOrigin(
  served: ReadonlyMap<string, LoadedFunction>,
  dashboard: DashboardSite,
  endpoint: FunctionUrl | undefined,
): void {
  const functionOf = (service: string): LoadedFunction['serve'] => {
    const fn = served.get(service);
    if (fn === undefined) throw new Error(`no function URL of ${service}`);
    return fn.serve;
  };
  const api = functionOf('api');
  const ingestion = functionOf('ingestion');
  const browser = functionOf(BROWSER_INGESTION);
  const helpdesk = functionOf(HELPDESK_API);
  endpoint?.serve({
    choose: (method, path) => {
      if (!isApiPath(path)) return dashboard.serve;
      if (path.startsWith('/api/')) return helpdesk;
      if (partAt(ROUTES, method, path) === 'api') return api;
      return isBrowserPath(path) ? browser : ingestion;
    },
  });
}

/** Like a CDN's path patterns in AWS: both parts of ingestion under one address. */
function byPath(browser: Handler, server: Handler): Handler {
  return (event, context) => {
    const { rawPath } = event as { readonly rawPath: string };
    return (isBrowserPath(rawPath) ? browser : server)(event, context);
  };
}

const isBrowserPath = (path: string): boolean => path.startsWith('/v1/browser/') || path === '/v1/pixel.js';

async function within(maxMs: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, maxMs);
  });
  await Promise.race([work, limit]);
  clearTimeout(timer);
}
