// The promises, checked against a run that has come to rest: G1, G2, G4, G5, G8, G9, G11 of the reliability report.
// Each check trusts the observer's ledger and the platforms' own lists, never the code under test.
import { TERMINAL_STATES } from '../../lib/events/domain/deliveries/delivery.ts';
import type { EventBody } from '../../lib/events/domain/event/event.ts';
import type { EventRow, NormalizedRow } from '../../lib/events/domain/event/row.ts';
import { decideVerdicts } from '../../lib/events/pipeline/verdicts.ts';
import { keyId } from './ledger.ts';
import { type Counted, recountAnalytics, storedAnalytics, unidentified } from './recount.ts';
import type { World } from './world.ts';

export const PROPERTIES = [
  'G1',
  'G2',
  'G3',
  'G4',
  'G5',
  'G6',
  'G7',
  'G8',
  'G9',
  'G10',
  'G11',
  'G12',
  'G14',
  'G21',
  'G24',
  'G25',
] as const;
export type Property = (typeof PROPERTIES)[number];

export interface Violation {
  readonly property: Property;
  readonly what: string;
}

const DAY_MS = 86_400_000;

export function checkAll(world: World, bodies: ReadonlyMap<string, EventBody>): readonly Violation[] {
  return [
    ...noLoss(world),
    ...noDoubleProcessing(world),
    ...truthfulRefusals(world, bodies),
    ...honestFailures(world),
    ...boundedCopies(world),
    ...noMisreport(world),
    ...exactCounters(world),
    ...nothingDisplaced(world, bodies),
    ...completedByCopies(world, bodies),
  ];
}

export function everyRow(world: World): readonly EventRow[] {
  return [...world.stores.events.rows(), ...world.stores.events.archived().values()];
}

/** Rows by ingest id; an id with two rows that differ is a violation of its own. */
function rowsByIngest(world: World): ReadonlyMap<string, EventRow[]> {
  const byIngest = new Map<string, EventRow[]>();
  for (const row of everyRow(world)) byIngest.set(row.ingestId, [...(byIngest.get(row.ingestId) ?? []), row]);
  return byIngest;
}

function noLoss(world: World): Violation[] {
  const found: Violation[] = [];
  const fail = (what: string) => found.push({ property: 'G1', what });
  const rows = rowsByIngest(world);
  const promised = world.ledger.answers.flatMap(({ kind, ingestId, key }) =>
    kind === 'accepted' && ingestId !== undefined ? [{ ingestId, id: keyId(key) }] : [],
  );
  for (const { ingestId, id } of promised) {
    if (!rows.has(ingestId)) fail(`202 for ${id}, but no row ${ingestId}`);
  }
  for (const [ingestId, copies] of rows) {
    const live = copies.filter((row) => row.key.archivedAs === undefined).length;
    if (live > 1 || copies.length - live > 1) fail(`${copies.length} rows for ${ingestId}`);
  }
  for (const row of everyRow(world)) {
    if (row.state === 'accepted') fail(`${keyId(row.key)} was never normalized`);
    else for (const slug of openPlatforms(row, world)) fail(`${keyId(row.key)} never ended at ${slug}`);
    if (row.state === 'normalized' && row.dueAtMs !== undefined) fail(`${keyId(row.key)} is still due`);
  }
  return found;
}

function openPlatforms(row: NormalizedRow, world: World): string[] {
  const snapshot = world.config.snapshot(row.key.merchantId, row.routingVersion);
  const verdicts = decideVerdicts(unidentified(row), snapshot, world.platforms);
  return Object.entries(verdicts).flatMap(([slug, { code }]) => {
    const state = row.deliveries[slug]?.state;
    if (row.verdicts[slug] === 'server_copy' && hasServerCopy(row, world)) return [];
    return code === 'pending' && (state === undefined || !TERMINAL_STATES.has(state)) ? [slug] : [];
  });
}

/** What the pipeline may call a copy: within a day of an event an API key sent, by the observer's own list. */
function hasServerCopy({ key, receivedAtMs }: NormalizedRow, { ledger }: World): boolean {
  return ledger.acceptances.some(
    (a) =>
      a.key.channel === 'server' &&
      a.key.merchantId === key.merchantId &&
      a.key.eventId === key.eventId &&
      Math.abs(a.receivedAtMs - receivedAtMs) < DAY_MS,
  );
}

/**
 * A platform that knows events by id alone counts the first one it took under an id. Where that was a browser's, and a
 * server's went out under the same id, both must say what is counted alike.
 */
function nothingDisplaced(world: World, bodies: ReadonlyMap<string, EventBody>): Violation[] {
  const channelOf = new Map(world.ledger.acceptances.map(({ nonce, key }) => [nonce, key]));
  const found: Violation[] = [];
  for (const [slug, vendor] of world.vendors) {
    for (const [nonce, id] of vendor.ids()) {
      const first = vendor.firsts().get(`${id}`) ?? nonce;
      const [key, firstKey] = [channelOf.get(nonce), channelOf.get(first)];
      if (key?.channel !== 'server' || firstKey?.channel !== 'browser') continue;
      if (key.merchantId !== firstKey.merchantId) continue;
      const [mine, other] = [bodies.get(nonce), bodies.get(first)];
      const same = (['event_name', 'value', 'currency'] as const).every((f) => mine?.[f] === other?.[f]);
      if (!same) found.push({ property: 'G24', what: `${slug} counts ${first} in the place of ${nonce}` });
    }
  }
  return found;
}

/** Only a page's event that says what the server's event does, with the same consent, may have completed it. */
function completedByCopies(world: World, bodies: ReadonlyMap<string, EventBody>): Violation[] {
  return everyRow(world).flatMap((row): Violation[] => {
    if (row.state === 'accepted' || row.event.fromPage === undefined || row.event.replay === true) return [];
    const server = bodies.get(row.event.orderId ?? '');
    const isCopied = world.ledger.acceptances.some(({ key, nonce, receivedAtMs }) => {
      const page = bodies.get(nonce);
      return (
        key.channel === 'browser' &&
        key.merchantId === row.key.merchantId &&
        key.eventId === row.key.eventId &&
        Math.abs(receivedAtMs - row.receivedAtMs) < DAY_MS &&
        page?.event_name === server?.event_name &&
        (page?.value === undefined || (page.value === server?.value && page.currency === server?.currency)) &&
        page?.internal === undefined &&
        page?.consent === undefined &&
        server?.consent === undefined
      );
    });
    const what = `${keyId(row.key)} was completed from what is no copy of it`;
    return row.key.channel === 'server' && isCopied ? [] : [{ property: 'G24', what }];
  });
}

function noDoubleProcessing({ ledger }: World): Violation[] {
  const twice = [...ledger.normalizations].filter(([, times]) => times > 1);
  return twice.map(([ingestId, times]) => ({
    property: 'G2',
    what: `${ingestId} was normalized ${times} times`,
  }));
}

function truthfulRefusals(world: World, bodies: ReadonlyMap<string, EventBody>): Violation[] {
  const { answers, acceptances } = world.ledger;
  const found: Violation[] = [];
  for (const answer of answers) {
    if (answer.kind !== 'duplicate') continue;
    const { key, acceptedAtMs = Number.NaN, hostClockMs } = answer;
    const because = acceptances.find(
      (a) =>
        a.receivedAtMs === acceptedAtMs &&
        a.key.merchantId === key.merchantId &&
        a.key.eventId === key.eventId &&
        (a.key.channel === key.channel || a.key.channel === 'server'),
    );
    if (!because) found.push({ property: 'G4', what: `409 for ${keyId(key)} without an acceptance` });
    else if (hostClockMs >= because.receivedAtMs + DAY_MS)
      found.push({ property: 'G4', what: `409 for ${keyId(key)} after its window` });
  }
  for (const nonce of bodies.keys()) {
    const mine = answers.filter((answer) => answer.nonce === nonce);
    const refusedOnly = mine.length > 0 && mine.every(({ kind }) => kind === 'duplicate');
    if (refusedOnly && wasProcessed(world, nonce))
      found.push({ property: 'G4', what: `${nonce} was refused with 409 and processed all the same` });
  }
  return found;
}

function wasProcessed(world: World, nonce: string): boolean {
  return (
    world.ledger.acceptances.some((acceptance) => acceptance.nonce === nonce) ||
    everyRow(world).some((row) => nonceOf(row) === nonce) ||
    [...world.vendors.values()].some((vendor) => vendor.copies().has(nonce))
  );
}

/** After any answer, or none, an id is taken at most once per window. */
function honestFailures({ ledger }: World): Violation[] {
  const found: Violation[] = [];
  const byKey = Map.groupBy(ledger.acceptances, ({ key }) => keyId(key));
  for (const [id, acceptances] of byKey) {
    const times = acceptances.map(({ receivedAtMs }) => receivedAtMs).sort((a, b) => a - b);
    times.forEach((time, i) => {
      const previous = times[i - 1];
      if (previous !== undefined && time - previous < DAY_MS)
        found.push({ property: 'G5', what: `${id} was accepted twice within ${time - previous} ms` });
    });
  }
  return found;
}

function boundedCopies(world: World): Violation[] {
  const found: Violation[] = [];
  const rows = normalizedByNonce(world);
  for (const [slug, vendor] of world.vendors) {
    for (const [nonce, { length: copies }] of vendor.copies()) {
      const row = rows.get(nonce);
      const unknowns = row?.deliveries[slug]?.unknowns ?? 0;
      if (!row) found.push({ property: 'G8', what: `${slug} has ${nonce}, which no row knows` });
      else if (copies - 1 > unknowns)
        found.push({ property: 'G8', what: `${slug} has ${copies} copies of ${nonce}, ${unknowns} unknown` });
      const counted = vendor.counted(nonce);
      if (vendor.traits.deduplicates && counted > 1)
        found.push({ property: 'G8', what: `${slug} counts ${nonce} ${counted} times` });
    }
  }
  return found;
}

function noMisreport(world: World): Violation[] {
  const found: Violation[] = [];
  const fail = (what: string) => found.push({ property: 'G9', what });
  const seen = Map.groupBy(world.ledger.successes, ({ platform, nonce }) => `${platform} ${nonce}`);
  for (const [nonce, row] of normalizedByNonce(world)) {
    for (const [slug, vendor] of world.vendors) {
      const delivery = row.deliveries[slug];
      const successes = seen.get(`${slug} ${nonce}`) ?? [];
      const has = vendor.copies().has(nonce);
      if (delivery?.state === 'DELIVERED') {
        if (successes.length === 0) fail(`${slug} ${nonce} is DELIVERED, but no success was seen`);
        continue;
      }
      // What the fan-out sent and could not record goes to the queue, noted as what may have arrived.
      const isNoted = (invocation: number): boolean =>
        world.ledger.sentAtOnce.has(invocation) && (delivery?.unknowns ?? 0) > 0;
      if (successes.some(({ invocation: i }) => world.ledger.endedWell.has(i) && !isNoted(i)))
        fail(`${slug} ${nonce} was seen to succeed, but is ${delivery?.state ?? 'unattempted'}`);
      if (has && delivery?.unknowns === 0)
        fail(`${slug} has ${nonce}; it is ${delivery.state}, not maybe_delivered`);
      if (has && !delivery) fail(`${slug} has ${nonce}, which has no delivery`);
    }
  }
  for (const what of world.ledger.overwritten) fail(`a DELIVERED one was overwritten: ${what}`);
  return found;
}

function normalizedByNonce(world: World): ReadonlyMap<string, NormalizedRow> {
  const rows = everyRow(world).flatMap((row) => (row.state === 'normalized' ? [row] : []));
  return new Map(rows.map((row) => [row.event.orderId ?? '', row]));
}

function nonceOf(row: EventRow): string | undefined {
  return row.state === 'accepted' ? row.body.order_id : row.event.orderId;
}

export function exactCounters(world: Counted): Violation[] {
  const counted = storedAnalytics(world);
  const recounted = recountAnalytics(world);
  const figures = new Set([...counted.keys(), ...recounted.keys()]);
  return [...figures].flatMap((figure) => {
    const [left, right] = [counted.get(figure) ?? 0n, recounted.get(figure) ?? 0n];
    return left === right ? [] : [{ property: 'G11', what: `${figure}: counted ${left}, rows say ${right}` }];
  });
}
