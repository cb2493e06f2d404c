// The rows of one merchant, UTC day and shard that have left the table: pages of rows in the order of their ingest ids, lists of
// digests that lead from an event's key to its page, and an index that names both. Pages and lists are named by their content and
// written where nothing is: who writes them twice changes nothing. The index is written as it was seen; once it is complete, the day
// of this shard is archived. It is opened before the first row of it is read (see archive-day.ts).
import { hash } from 'node:crypto';
import { CONFLICT, retryConflicts } from '#lib/core/work/retry-conflicts.ts';
import { dayOf } from '#lib/core/work/utc-day.ts';
import { withoutPerson } from '../../domain/erasure/erased-row.ts';
import type { EventKey, EventRow } from '../../domain/event/row.ts';
import type { PageCodec, PageObjects, UnitIndex } from '../../ports/page-store.ts';

export interface Unit {
  readonly merchantId: string;
  readonly dayMs: number;
  readonly shard: number;
}

export interface PagePorts {
  readonly objects: PageObjects;
  readonly codec: PageCodec;
}

type Page = UnitIndex['pages'][number];

export interface SeenIndex {
  readonly index: UnitIndex;
  readonly tag: string;
}

/** `events/<merchant>/<day>/`: everything of a merchant's day. */
export const dayPrefix = ({ merchantId, dayMs }: Omit<Unit, 'shard'>): string =>
  `events/${encodeURIComponent(merchantId).replaceAll('.', '%2E')}/${dayOf(dayMs)}/`;
export const unitPrefix = (unit: Unit): string => `${dayPrefix(unit)}${unit.shard.toString(36)}/`;
const indexName = (unit: Unit): string => `${unitPrefix(unit)}index`;

export async function readIndex(unit: Unit, { objects, codec }: PagePorts): Promise<SeenIndex | null> {
  const found = await objects.read(indexName(unit));
  return found === null ? null : { index: codec.unpackIndex(found.bytes), tag: found.tag };
}

/** Null where it is not as it was seen. */
export async function writeIndex(
  unit: Unit,
  index: UnitIndex,
  seen: string | null,
  { objects, codec }: PagePorts,
): Promise<SeenIndex | null> {
  const tag = await objects.write(indexName(unit), codec.packIndex(index), seen);
  return tag === null ? null : { index, tag };
}

export const newIndex = (openedAtMs: number): UnitIndex => ({
  ...{ openedAtMs, isComplete: false },
  ...{ pages: [], lists: [], erased: [] },
});

/** By its content, where nothing is; its name behind that of the unit. */
async function writeNamed(unit: Unit, bytes: Uint8Array, objects: PagePorts['objects']): Promise<string> {
  const name = hash('sha256', bytes, 'base64url').slice(0, 22);
  await objects.write(unitPrefix(unit) + name, bytes, null);
  return name;
}

/** Rows of one unit, in the order of their ingest ids. */
export async function writePage(
  unit: Unit,
  rows: readonly EventRow[],
  { objects, codec }: PagePorts,
): Promise<Page> {
  const name = await writeNamed(unit, codec.pack(rows), objects);
  return { name, first: rows[0]?.ingestId ?? '', last: rows.at(-1)?.ingestId ?? '' };
}

export async function readPage(
  unit: Unit,
  { name }: Pick<Page, 'name'>,
  { objects, codec }: PagePorts,
): Promise<{ readonly rows: readonly EventRow[]; readonly tag: string }> {
  const found = await objects.read(unitPrefix(unit) + name);
  if (found === null) throw new Error(`page ${name} of ${unitPrefix(unit)} is gone`);
  return { rows: codec.unpack(found.bytes), tag: found.tag };
}

export const pageWith = ({ pages }: Pick<UnitIndex, 'pages'>, ingestId: string): Page | undefined =>
  pages.find(({ first, last }) => first <= ingestId && ingestId <= last);

/** The row of a page without its person. False where the page has no such row, or an erased one. */
export async function eraseInPage(
  unit: Unit,
  { pages }: Pick<UnitIndex, 'pages'>,
  [ingestId, erasedBy]: readonly [string, string],
  ports: PagePorts,
): Promise<boolean> {
  const page = pageWith({ pages }, ingestId);
  if (page === undefined) return false;
  return await retryConflicts({ what: 'a page', triesMax: CONFLICTS_MAX }, async () => {
    const { rows, tag } = await readPage(unit, page, ports);
    const at = rows.findIndex((row) => row.ingestId === ingestId);
    const row = rows[at];
    if (row === undefined || row.erasedBy !== undefined) return false;
    const bytes = ports.codec.pack(rows.with(at, withoutPerson(row, erasedBy)));
    const written = await ports.objects.write(unitPrefix(unit) + page.name, bytes, tag);
    return written === null ? CONFLICT : true;
  });
}

/** Others erase rows of the same page. */
const CONFLICTS_MAX = 100;

const DIGEST_BYTES = 8;
const ENTRY_BYTES = DIGEST_BYTES + 4;

function digestOf({ channel, eventId }: Pick<EventKey, 'channel' | 'eventId'>): Buffer {
  return hash('sha256', `${channel}/${eventId}`, 'buffer').subarray(0, DIGEST_BYTES);
}

/** `pages`: the number of the row's page in the index, by ingest id. */
export async function writeList(
  unit: Unit,
  rows: readonly { readonly key: EventKey; readonly page: number }[],
  { objects }: PagePorts,
): Promise<UnitIndex['lists'][number]> {
  const entries = rows.map(({ key, page }) => {
    const entry = Buffer.alloc(ENTRY_BYTES);
    digestOf(key).copy(entry);
    entry.writeUInt32BE(page, DIGEST_BYTES);
    return entry;
  });
  const name = await writeNamed(unit, Buffer.concat(entries.sort(Buffer.compare)), objects);
  return { name, entries: entries.length };
}

/** Up to so many bytes a list is read whole. */
const SMALL_BYTES = 65_536;
/** Digests are spread evenly: a million lists in a row have theirs within so many deviations of where it should be. */
const DEVIATIONS = 6;

/** Pages of the unit that may have a row of this key. */
export async function pagesOf(
  unit: Unit,
  { lists, pages }: UnitIndex,
  key: EventKey,
  { objects }: PagePorts,
): Promise<readonly Page[]> {
  const digest = digestOf(key);
  const found = await Promise.all(
    lists.map(async ({ name, entries }) => {
      const at = (digest.readUInt32BE() / 2 ** 32) * entries;
      const around = (DEVIATIONS * Math.sqrt(entries)) / 2 + 2;
      const from = Math.max(0, Math.floor(at - around)) * ENTRY_BYTES;
      const to = Math.min(entries, Math.ceil(at + around)) * ENTRY_BYTES;
      const isSmall = entries * ENTRY_BYTES <= SMALL_BYTES;
      const list = await objects.read(unitPrefix(unit) + name, isSmall ? undefined : [from, to]);
      if (list === null) throw new Error(`list ${name} of ${unitPrefix(unit)} is gone`);
      return pagesIn(list.bytes, digest);
    }),
  );
  return [...new Set(found.flat())].flatMap((number) => pages[number] ?? []);
}

function pagesIn(bytes: Uint8Array, digest: Buffer): readonly number[] {
  const list = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const numbers: number[] = [];
  for (let at = 0; at + ENTRY_BYTES <= list.byteLength; at += ENTRY_BYTES)
    if (digest.compare(list, at, at + DIGEST_BYTES) === 0) numbers.push(list.readUInt32BE(at + DIGEST_BYTES));
  return numbers;
}
