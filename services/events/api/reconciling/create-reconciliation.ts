// A reconciliation is made: what was uploaded is sealed beside it, and the task stage is told. Guarantees: what dies on the way
// leaves nothing that anybody sees, and is deleted within hours; repeated with its Idempotency-Key, a request finds what it made.
import { inParallel } from '#lib/adapters/concurrency/in-parallel.ts';
import { type Failure, refuse } from '#lib/core/http/handler.ts';
import { IDEMPOTENCY_KEPT_MS } from '#lib/core/http/idempotency.ts';
import type { Caller } from '#lib/core/tenancy/caller.ts';
import { DAY_MS, HOUR_MS } from '#lib/core/work/time-slot.ts';
import type { Connection } from '#lib/events/domain/connections/connection.ts';
import { connectionTarget } from '#lib/events/domain/connections/target.ts';
import { byTenant } from '#lib/events/domain/pointer.ts';
import { inParts } from '#lib/events/domain/reconciliation/reconciled-part.ts';
import {
  type ComparedPlace,
  INDEXED_MS,
  NO_RECONCILIATION_COUNTS,
  RECONCILIATION_LIMITS,
  type Reconciliation,
} from '#lib/events/domain/reconciliation/reconciliation.ts';
import { openCredentials } from '#lib/events/pipeline/connections/open-connection.ts';
import { writePart } from '#lib/events/pipeline/reconciling/sealed-parts.ts';
import type { ApiPorts } from '../ports.ts';
import { keyDigest } from '../replays/plans.ts';
import type { Upload } from './read-upload.ts';

const { keptMax, keptDays, runningMax, rangeMaxDays } = RECONCILIATION_LIMITS;
const DEFAULT_RANGE_MS = 30 * DAY_MS;
/** Events of an order come before the shop has stored it, and clocks differ. */
const BEFORE_FIRST_MS = DAY_MS;
const RETRY_AFTER_SEC = '300';
const PARTS_AT_ONCE = 4;

export interface ReconciliationWish {
  readonly upload: Exclude<Upload, { readonly problems: unknown }>;
  readonly start?: number | undefined;
  readonly end?: number | undefined;
  readonly platforms?: string | undefined;
  readonly key?: string | undefined;
}

export async function createJob(
  caller: Caller,
  wish: ReconciliationWish,
  ports: ApiPorts,
): Promise<Reconciliation | Failure<'invalid_request' | 'rate_limited'>> {
  const { merchantId } = caller;
  const { jobs } = ports.reconciling;
  const nowMs = ports.clock.now();
  const kept = await jobs.listReconciliations(merchantId, keptMax);
  const requestKey = wish.key === undefined ? undefined : keyDigest(caller, wish.key);
  const made =
    requestKey === undefined
      ? undefined
      : kept.find((job) => job.requestKey === requestKey && nowMs - job.createdAtMs < IDEMPOTENCY_KEPT_MS);
  if (made !== undefined && made.state !== 'receiving') return made;
  const range = rangeOf(wish, nowMs);
  if ('failure' in range) return range;
  const places = await placesOf(merchantId, wish.platforms, ports);
  if ('failure' in places) return places;
  const running = kept.filter(({ state }) => state === 'running').length;
  if (running >= runningMax || kept.length >= keptMax)
    return { failure: 'rate_limited', headers: { 'retry-after': RETRY_AFTER_SEC } };
  const job: Reconciliation = {
    merchantId,
    id: made?.id ?? ports.random.uuidv7(nowMs),
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    // Of one that was not received whole; nobody sees it.
    expiresAtMs: nowMs + HOUR_MS,
    state: 'receiving',
    version: 1,
    // So that everything it covers is in the index.
    notBeforeMs: range.toMs + INDEXED_MS + 1,
    ...(requestKey === undefined ? {} : { requestKey }),
    ...range,
    places,
    upload: wish.upload.figures,
    parts: [],
    counts: NO_RECONCILIATION_COUNTS,
  };
  if (made === undefined) await jobs.createReconciliation(job);
  return await receive(job, wish.upload, ports);
}

async function receive(
  job: Reconciliation,
  { orders }: ReconciliationWish['upload'],
  ports: ApiPorts,
): Promise<Reconciliation> {
  const { jobs: store } = ports.reconciling;
  const { merchantId, id, version } = job;
  const parts = await inParallel(inParts(orders), PARTS_AT_ONCE, (some, part) =>
    writePart(
      { merchantId, id, part, version },
      some.map((order) => ({ order })),
      { vault: ports.vault, store },
    ),
  );
  const expiresAtMs = job.createdAtMs + keptDays * DAY_MS;
  const received: Reconciliation = { ...job, parts, expiresAtMs, state: 'running' };
  // Not written: it was, and the answer was lost.
  await store.writeReconciliation(received, version);
  await tell({ ...received, version: version + 1 }, ports);
  return received;
}

/** A lost message costs until somebody reads how far it is, or an hour: the audit tells every reconciliation that runs. */
export async function tell(
  { merchantId, id, version, notBeforeMs }: Reconciliation,
  ports: ApiPorts,
): Promise<void> {
  const work = byTenant([{ merchant: merchantId, reconciliation: id, version }]);
  const delaySec = Math.max(0, Math.ceil((notBeforeMs - ports.clock.now()) / 1_000));
  await ports.reconciling.work.send(work, { delaySec }).catch((error: unknown) => {
    ports.report('a reconciliation was not told to begin', error);
  });
}

/** [fromMs, toMs) of receipt: nothing that comes while it runs. */
function rangeOf(
  { upload, start, end }: ReconciliationWish,
  nowMs: number,
): Pick<Reconciliation, 'fromMs' | 'toMs'> | Failure<'invalid_request'> {
  const toMs = Math.min(end ?? nowMs, nowMs);
  const { firstMs } = upload.figures;
  const earliestMs = toMs - rangeMaxDays * DAY_MS;
  const wished = firstMs === undefined ? toMs - DEFAULT_RANGE_MS : firstMs - BEFORE_FIRST_MS;
  const fromMs = start ?? Math.max(earliestMs, wished);
  if (fromMs >= toMs) {
    if (start === undefined && firstMs !== undefined)
      return refuse(end === undefined ? 'time' : 'end', 'must be after the earliest time of an order');
    return refuse('start', 'must be before end, and before now');
  }
  if (fromMs < earliestMs) return refuse('start', `must be within ${rangeMaxDays} days before end`);
  return { fromMs, toMs };
}

async function placesOf(
  merchantId: string,
  wished: string | undefined,
  ports: ApiPorts,
): Promise<readonly ComparedPlace[] | Failure<'invalid_request'>> {
  const connections = await ports.config.listConnections(merchantId);
  const connected = new Set(connections.map(({ platform }) => platform));
  const slugs = wished === undefined ? connected : new Set(wished.split(',').map((slug) => slug.trim()));
  for (const slug of slugs) {
    if (connected.has(slug)) continue;
    const isKnown = ports.platforms.some((platform) => platform.slug === slug);
    return refuse(
      'platforms',
      isKnown ? `${slug} is not connected` : `there is no platform ${slug.slice(0, 40)}`,
    );
  }
  if (slugs.size === 0)
    return refuse('platforms', 'must have one that is connected: there is none to compare with');
  const compared = connections.filter(({ platform }) => slugs.has(platform));
  return await inParallel(compared, PARTS_AT_ONCE, (connection) => placeOf(connection, ports));
}

async function placeOf(connection: Connection, ports: ApiPorts): Promise<ComparedPlace> {
  const { platform: slug, sinceVersion } = connection;
  const { dedup } = ports.platforms.find((platform) => platform.slug === slug) ?? {};
  return {
    slot: connectionTarget(connection),
    platform: slug,
    sinceVersion,
    ...((await goesByOrder(connection, ports)) ? { byOrder: true as const } : {}),
    ...(dedup?.windowSec === undefined ? {} : { windowSec: dedup.windowSec }),
  };
}

/** A setting of the connection, at some platforms. Credentials that do not open have sent nothing by order lately. */
async function goesByOrder(connection: Connection, ports: ApiPorts): Promise<boolean> {
  const platform = ports.platforms.find(({ slug }) => slug === connection.platform);
  const byOrder = platform?.dedup?.purchasesByOrder;
  if (platform === undefined || byOrder === undefined) return false;
  try {
    const read = platform.credentials.safeParse(await openCredentials(ports.vault, connection, platform));
    return read.success && byOrder(read.data);
  } catch (error) {
    ports.report('what a connection deduplicates by could not be read', error);
    return false;
  }
}
