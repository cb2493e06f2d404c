// Erasures: asked for here, carried out by the task stage. Guarantees: nothing of the person is stored unsealed or logged; the same
// person asked for again while it runs is the same erasure.
import { audit } from '#lib/core/audit-log/audit.ts';
import type { Failure, Handler, Success } from '#lib/core/http/handler.ts';
import { FOREIGN_CURSOR } from '#lib/core/http/list-cursor.ts';
import type { Route } from '#lib/core/http/route.ts';
import { DAY_MS, floorTo } from '#lib/core/work/time-slot.ts';
import {
  ERASURE_LIMITS,
  type Erasure,
  isOwnDone,
  NO_COUNTS,
  receiptDigest,
  SETTLED_MS,
  waitsForRows,
} from '#lib/events/domain/erasure/erasure.ts';
import { type Merchant, retentionDaysOf } from '#lib/events/domain/merchant.ts';
import { SUPPRESSION_KNOWN_MS } from '#lib/events/domain/people/suppression.ts';
import { byTenant } from '#lib/events/domain/pointer.ts';
import { sealSubject } from '#lib/events/pipeline/erasure/sealed-subject.ts';
import {
  digestsOf,
  type Subject,
  type SubjectWords,
  subjectOf,
} from '#lib/events/pipeline/erasure/subject.ts';
import type {
  createErasure as createRoute,
  listErasures as listRoute,
  readErasure as readRoute,
} from '#lib/events/routes/privacy.ts';
import { idCursors, idPage } from '../id-page.ts';
import type { ApiPorts } from '../ports.ts';
import { iso } from '../wire-time.ts';
import { passedOnView, toPassOn } from './passed-on.ts';
import { suppress } from './suppressions.ts';

type ErasureView = Success<typeof readRoute>['body']['erasure'];
type CallOf<R extends Route> = Parameters<Handler<R>>[0];
type Answer<R extends Route> = ReturnType<Handler<R>>;

/** Those that run are looked for among the newest. */
const LATEST = 100;
const RETRY_AFTER_SEC = '300';

export async function createErasure(
  { caller, body }: CallOf<typeof createRoute>,
  ports: ApiPorts,
): Answer<typeof createRoute> {
  const read = subjectOf(body, await ports.lookups());
  if ('problems' in read) return { failure: 'invalid_request', details: read.problems };
  const merchant = await ports.config.merchantNow(caller.merchantId);
  const { suppression } = merchant ?? {};
  const suppresses = body.suppress ?? suppression !== undefined;
  if (suppresses && suppression === undefined) return { failure: 'suppression_off' };
  const wanted = { subject: read.subject, words: body, suppresses, merchant };
  const erasure = await begin(caller.merchantId, wanted, ports);
  if ('failure' in erasure) return erasure;
  await audit(caller, 'privacy.erase', erasure.id, ports);
  if (suppresses) await audit(caller, 'privacy.suppress', erasure.id, ports);
  return { status: 202, body: { success: true, erasure: viewOf(erasure, ports) } };
}

export async function listErasures(
  { caller, query }: CallOf<typeof listRoute>,
  ports: ApiPorts,
): Answer<typeof listRoute> {
  const place = idCursors.read(query);
  if (place === null) return FOREIGN_CURSOR;
  const { limit } = query;
  const found = await ports.privacy.erasures.listErasures(caller.merchantId, limit + 1, place?.i);
  const kept = found.filter((erasure) => isKept(erasure, ports));
  const { page, next_cursor } = idPage(query, kept);
  const erasures = page.map((one) => viewOf(one, ports));
  return { status: 200, body: { success: true, erasures, limit, next_cursor } };
}

export async function readErasure(
  { caller, params }: CallOf<typeof readRoute>,
  ports: ApiPorts,
): Answer<typeof readRoute> {
  const erasure = await ports.privacy.erasures.erasure(caller.merchantId, params.id);
  if (erasure === null || !isKept(erasure, ports)) return { failure: 'not_found' };
  return { status: 200, body: { success: true, erasure: viewOf(erasure, ports) } };
}

const isKept = ({ expiresAtMs }: Erasure, { clock }: Pick<ApiPorts, 'clock'>): boolean =>
  clock.now() < expiresAtMs;

interface Wanted {
  readonly subject: Subject;
  readonly words: SubjectWords;
  readonly suppresses: boolean;
  readonly merchant: Merchant | null;
}

async function begin(
  merchantId: string,
  { subject, words, suppresses, merchant }: Wanted,
  ports: ApiPorts,
): Promise<Erasure | Failure<'rate_limited'>> {
  const { privacy, clock, random } = ports;
  const digests = digestsOf(subject);
  const latest = await privacy.erasures.listErasures(merchantId, LATEST);
  const running = latest.filter((one) => !isOwnDone(one));
  const same = running.find(
    (one) => receiptDigest(one.id, digests) === one.subjectDigest && (one.suppresses === true || !suppresses),
  );
  if (same !== undefined) {
    await tell(same, ports);
    return same;
  }
  const working = running.filter((erasure) => !waitsForRows(erasure));
  if (working.length >= ERASURE_LIMITS.runningMax)
    return { failure: 'rate_limited', headers: { 'retry-after': RETRY_AFTER_SEC } };
  const nowMs = clock.now();
  const id = random.uuidv7(nowMs);
  // First: what was taken before every process looks into the list is erased.
  if (suppresses) await suppress(merchantId, subject, ports);
  // The keys of earlier days are gone, or go within the hour.
  const fromMs = floorTo(nowMs - retentionDaysOf(merchant ?? {}) * DAY_MS, DAY_MS) - DAY_MS;
  const passing = await toPassOn({ merchantId, id }, words, ports);
  const erasure: Erasure = {
    merchantId,
    id,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    expiresAtMs: nowMs + ERASURE_LIMITS.keptDays * DAY_MS,
    state: 'running',
    version: 1,
    subjectDigest: receiptDigest(id, digests),
    ...(suppresses ? { suppresses } : {}),
    sealedSubject: await sealSubject({ merchantId, id }, subject, ports.vault),
    ...passing,
    pass: 1,
    // So that the first pass looks at everything that was received before it was asked for.
    notBeforeMs: nowMs + SETTLED_MS + 1 + (suppresses ? SUPPRESSION_KNOWN_MS : 0),
    fromMs,
    counts: NO_COUNTS,
  };
  await privacy.erasures.createErasure(erasure);
  await tell(erasure, ports);
  return erasure;
}

/** A lost message costs an hour: the audit sends one for every erasure that runs. */
async function tell({ merchantId, id, version, notBeforeMs }: Erasure, ports: ApiPorts): Promise<void> {
  const work = byTenant([{ merchant: merchantId, erasure: id, version }]);
  const delaySec = Math.max(0, Math.ceil((notBeforeMs - ports.clock.now()) / 1_000));
  await ports.privacy.work.send(work, { delaySec }).catch((error: unknown) => {
    ports.report('an erasure was not told to begin', error);
  });
}

function viewOf(erasure: Erasure, { platforms }: Pick<ApiPorts, 'platforms'>): ErasureView {
  const { counts, fromMs, toMs, updatedAtMs } = erasure;
  const isDone = isOwnDone(erasure);
  return {
    id: erasure.id,
    status: isDone ? 'done' : 'running',
    created_at: iso(erasure.createdAtMs),
    updated_at: iso(updatedAtMs),
    done_at: isDone ? iso(erasure.ownDoneAtMs ?? updatedAtMs) : null,
    expires_at: iso(erasure.expiresAtMs),
    subject_digest: erasure.subjectDigest,
    covers: { from: iso(fromMs), until: isDone && toMs !== undefined ? iso(toMs) : null },
    found: counts.erased + counts.missed,
    erased: counts.erased,
    remaining: isDone ? counts.again + counts.missed : null,
    looked_at: counts.seen,
    suppresses: erasure.suppresses === true,
    passed_on: (erasure.passing ?? []).map((one) => passedOnView(one, erasure, platforms)),
    unreadable: counts.unreadable,
  };
}
