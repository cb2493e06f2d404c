// One page of an erasure: checks for every row, live or archived, whether it is the person's, and if so writes it
// without the personal data. Guarantees: a row that cannot be read or decrypted is counted and does not hold up the
// others; if a dependency fails, the page fails and is repeated.
import { inParallel } from '#lib/adapters/concurrency/in-parallel.ts';
import { type Erasure, type ErasureCounts, NO_COUNTS } from '#lib/events/domain/erasure/erasure.ts';
import type { EventKey, EventRow } from '#lib/events/domain/event/row.ts';
import { everyKey } from '#lib/events/pipeline/attribution/clicks.ts';
import { identified } from '#lib/events/pipeline/erasure/identified.ts';
import { isOf, type Subject } from '#lib/events/pipeline/erasure/subject.ts';
import type { Entry } from '#lib/events/pipeline/received-entries.ts';
import { UnreadablePart } from '#lib/events/ports/event-vault.ts';
import type { TaskPorts } from './ports.ts';

const ROWS_AT_ONCE = 16;

interface Search {
  readonly erasure: Erasure;
  readonly subject: Subject;
}

type Word = 'nobody' | 'erased' | 'erased before' | 'missed' | 'unreadable';
type Look =
  | { readonly word: 'found'; readonly keys: readonly string[] }
  | { readonly word: 'nobody' | 'erased before' | 'unreadable' };
const UNSEEN: Look = { word: 'nobody' };

export async function erasePage(
  entries: readonly Entry[],
  search: Search,
  ports: TaskPorts,
): Promise<ErasureCounts> {
  const { rows, unreadable } = await readEntries(entries, ports);
  const looks = await inParallel(rows, ROWS_AT_ONCE, (row) => lookAt(row, search, ports));
  // First: once a row is erased, the keys of its person cannot be derived from it any more.
  const keys = new Set(looks.flatMap((look) => (look.word === 'found' ? look.keys : [])));
  if (keys.size > 0) await ports.people.forgetPeople(search.erasure.merchantId, [...keys]);
  const words = await inParallel(rows, ROWS_AT_ONCE, async (row, index): Promise<Word> => {
    const { word } = looks[index] ?? UNSEEN;
    if (word !== 'found') return word;
    return (await ports.events.erase(row, search.erasure.id)) ? 'erased' : 'missed';
  });
  // A row and its copy in the archive are one acceptance; the previous page's last one has been counted.
  const marked = new Set<string>();
  let [missed, again] = [0, 0];
  rows.forEach((row, index) => {
    const word = words[index];
    if (word === 'erased' || word === 'erased before') marked.add(row.ingestId);
    if (word === 'missed') missed += 1;
    if (word === 'erased' && originMs(row) <= search.erasure.createdAtMs) again += 1;
  });
  const { cursor } = search.erasure;
  if (cursor !== undefined) marked.delete(cursor.ingestId);
  return {
    ...NO_COUNTS,
    seen: new Set(entries.map(({ ingestId }) => ingestId).filter((id) => id !== cursor?.ingestId)).size,
    erased: marked.size,
    missed,
    again,
    unreadable: unreadable + words.filter((word) => word === 'unreadable').length,
  };
}

/** By key, not by acceptance: a row that is being archived exists twice. */
async function readEntries(
  entries: readonly Entry[],
  { events }: TaskPorts,
): Promise<{ readonly rows: readonly EventRow[]; readonly unreadable: number }> {
  const { rows, unreadable } = await events.readMany(entries.map(({ key }) => key));
  const ids = new Set(entries.map(({ ingestId }) => ingestId));
  const own = rows.filter(({ ingestId }) => ids.has(ingestId));
  const found = new Set([...own, ...unreadable].map(({ ingestId }) => ingestId));
  // Its id was taken again after the index was read.
  const moved = entries.filter(({ ingestId, key }) => !found.has(ingestId) && key.archivedAs === undefined);
  if (moved.length === 0) return { rows: own, unreadable: unreadable.length };
  const keys = moved.map(({ key, ingestId }): EventKey => ({ ...key, archivedAs: ingestId }));
  const archived = await events.readMany(keys);
  return {
    rows: [...own, ...archived.rows],
    unreadable: unreadable.length + archived.unreadable.length,
  };
}

async function lookAt(row: EventRow, { erasure, subject }: Search, ports: TaskPorts): Promise<Look> {
  try {
    const said = await identified(row, ports);
    if (said !== null && isOf(said, subject)) {
      const keys = everyKey({ merchantId: row.key.merchantId, ...said });
      return { word: 'found', keys };
    }
  } catch (error) {
    if (!(error instanceof UnreadablePart)) throw error;
    return { word: 'unreadable' };
  }
  return { word: row.erasedBy === erasure.id ? 'erased before' : 'nobody' };
}

/** When the content of a row was first received: a replay has its original's. */
function originMs(row: EventRow): number {
  const event = row.state === 'normalized' ? row.event : row.replayOf?.event;
  return event?.originalReceivedAtMs ?? row.receivedAtMs;
}
