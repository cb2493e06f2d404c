// The list of people whose later events are not to name them: who is put on it and taken off, and how long it is. Guarantees: it holds
// keyed digests alone; a person is put only on a list that is looked into.
import { inParallel } from '#lib/adapters/concurrency/in-parallel.ts';
import { audit } from '#lib/core/audit-log/audit.ts';
import type { Handler } from '#lib/core/http/handler.ts';
import { mediaTypeOf } from '#lib/core/http/request-rules.ts';
import type { Route } from '#lib/core/http/route.ts';
import type { IdentityLookups } from '#lib/events/domain/identity/lookups.ts';
import { SUPPRESSED_COUNT_MAX } from '#lib/events/domain/people/suppression.ts';
import { type Subject, type SubjectWords, subjectOf } from '#lib/events/pipeline/erasure/subject.ts';
import { listed, namesOfSubject, type SubjectNames } from '#lib/events/pipeline/people/suppressed.ts';
import type {
  countSuppressed as countRoute,
  importSuppressed as importRoute,
  suppressPerson as suppressRoute,
  unsuppressPerson as unsuppressRoute,
} from '#lib/events/routes/privacy.ts';
import type { ApiPorts } from '../ports.ts';
import { iso } from '../wire-time.ts';
import { readPeople } from './read-people.ts';

/** Of an import: so many identifiers are written at once. */
const AT_ONCE = 16;

type By = SubjectNames['by'];
type Ports = Pick<ApiPorts, 'config' | 'people' | 'clock'>;

interface Entry {
  readonly by: By;
  readonly digests: readonly string[];
}

type CallOf<R extends Route> = Parameters<Handler<R>>[0];
type Answer<R extends Route> = ReturnType<Handler<R>>;

export async function suppressPerson(
  { caller, body }: CallOf<typeof suppressRoute>,
  ports: ApiPorts,
): Answer<typeof suppressRoute> {
  const read = subjectOf(body, await ports.lookups());
  if ('problems' in read) return { failure: 'invalid_request', details: read.problems };
  const { merchantId } = caller;
  const merchant = await ports.config.merchantNow(merchantId);
  if (merchant?.suppression === undefined) return { failure: 'suppression_off' };
  const entries = await suppress(merchantId, read.subject, ports);
  await audit(caller, 'privacy.suppress', subjectWord(entries), ports);
  const since = await sinceOf(merchantId, entries, ports);
  const suppressed = [...since].map(([by, atMs]) => ({ by, since: iso(atMs) }));
  return { status: 200, body: { success: true, suppressed } };
}

export async function importSuppressed(
  { caller, headers, bytes }: CallOf<typeof importRoute>,
  ports: ApiPorts,
): Answer<typeof importRoute> {
  const { merchantId } = caller;
  const people = readPeople(bytes, mediaTypeOf(headers['content-type']), await ports.lookups());
  if ('problems' in people) return { failure: 'invalid_request', details: people.problems };
  if ((await ports.config.merchantNow(merchantId))?.suppression === undefined)
    return { failure: 'suppression_off' };
  const key = await ports.config.beginSuppression(merchantId);
  const wanted = key === null ? [] : people.map((subject) => entriesOf(merchantId, key, subject));
  const known = await inParallel(
    wanted,
    AT_ONCE,
    async (entries) => (await sinceOf(merchantId, entries, ports)).size === entries.length,
  );
  await inParallel(wanted.flat(), AT_ONCE, ({ digests }) =>
    ports.people.suppress(merchantId, digests, ports.clock.now()),
  );
  await audit(caller, 'privacy.suppress', `import of ${people.length}`, ports);
  const added = known.filter((isKnown) => !isKnown).length;
  return { status: 200, body: { success: true, people: people.length, added } };
}

export async function countSuppressed(
  { caller: { merchantId } }: CallOf<typeof countRoute>,
  { people, config }: ApiPorts,
): Answer<typeof countRoute> {
  const count = await people.countSuppressed(merchantId, SUPPRESSED_COUNT_MAX + 1);
  const suppression = (await config.merchantNow(merchantId))?.suppression ?? 'off';
  return {
    status: 200,
    body: {
      ...{ success: true, suppression },
      count: Math.min(count, SUPPRESSED_COUNT_MAX),
      is_complete: count <= SUPPRESSED_COUNT_MAX,
    },
  };
}

export async function unsuppressPerson(
  { caller, query }: CallOf<typeof unsuppressRoute>,
  ports: ApiPorts,
): Answer<typeof unsuppressRoute> {
  const read = subjectOf(query, await ports.lookups());
  if ('problems' in read) return { failure: 'invalid_request', details: read.problems };
  const { merchantId } = caller;
  const key = (await ports.config.merchantNow(merchantId))?.suppressionKey;
  const entries = key === undefined ? [] : entriesOf(merchantId, key, read.subject);
  const since = await sinceOf(merchantId, entries, ports);
  const digests = entries.flatMap((entry) => entry.digests);
  await ports.people.unsuppress(merchantId, digests);
  if (since.size > 0) await audit(caller, 'privacy.unsuppress', subjectWord(entries), ports);
  return { status: 200, body: { success: true, removed: [...since.keys()] } };
}

/** Nothing where there is no such merchant. */
export async function suppress(
  merchantId: string,
  subject: Subject,
  { config, people, clock }: Ports,
): Promise<readonly Entry[]> {
  const key = await config.beginSuppression(merchantId);
  const entries = key === null ? [] : entriesOf(merchantId, key, subject);
  for (const { digests } of entries) await people.suppress(merchantId, digests, clock.now());
  return entries;
}

/** For each identifier of the words since when it is on the list; null where it is not. */
export async function suppressedSince(
  merchantId: string,
  words: SubjectWords,
  lookups: IdentityLookups,
  ports: Ports,
): Promise<(by: By) => string | null> {
  const key = (await ports.config.merchantNow(merchantId))?.suppressionKey;
  const read = subjectOf(words, lookups);
  const entries = key === undefined || 'problems' in read ? [] : entriesOf(merchantId, key, read.subject);
  const since = await sinceOf(merchantId, entries, ports);
  return (by) => {
    const atMs = since.get(by);
    return atMs === undefined ? null : iso(atMs);
  };
}

const entriesOf = (merchantId: string, key: string, subject: Subject): readonly Entry[] =>
  namesOfSubject(subject).map(({ by, names }) => ({ by, digests: listed(merchantId, key, names) }));

/** By any spelling, as an event is recognised. */
async function sinceOf(
  merchantId: string,
  entries: readonly Entry[],
  { people }: Pick<Ports, 'people'>,
): Promise<ReadonlyMap<By, number>> {
  const found = await people.suppressed(
    merchantId,
    entries.flatMap(({ digests }) => digests),
  );
  return new Map(
    entries.flatMap(({ by, digests }): [By, number][] => {
      const times = digests.flatMap((digest) => found.get(digest) ?? []);
      return times.length === 0 ? [] : [[by, Math.min(...times)]];
    }),
  );
}

/** What the trail names of a person: the keyed digests that stand for them. */
const subjectWord = (entries: readonly Entry[]): string => entries.map(({ digests }) => digests[0]).join(' ');
