// What is decided about an event, without its person where they are on the merchant's list. Guarantees: nothing is read for a
// merchant without a list, one read at most for another's event; a list that cannot be read fails the row, which is tried again.
import type { RoutingSnapshot } from '#lib/events/domain/connections/connection.ts';
import { isPending } from '#lib/events/domain/deliveries/progress.ts';
import { bodyWithoutPerson } from '#lib/events/domain/erasure/erased-row.ts';
import type { PersonalPart, UnopenedEvent } from '#lib/events/domain/event/normalized-event.ts';
import type { AcceptedRow, EventRow, ReplayOrigin, UnreadableRow } from '#lib/events/domain/event/row.ts';
import type { Suppressing, Suppression } from '#lib/events/domain/people/suppression.ts';
import {
  decideEvent,
  type NormalizeDecision,
  type ReadEvent,
  readEvent,
} from '#lib/events/pipeline/normalize-event.ts';
import {
  asSuppressed,
  listed,
  NO_PERSON,
  namesOfEvent,
  wasSuppressed,
} from '#lib/events/pipeline/people/suppressed.ts';
import { normalizeReplay } from '#lib/events/pipeline/replay/normalize-replay.ts';
import { pageEventOf, serverEventOf } from './page-copy.ts';
import { type Joined, joinedEvent } from './person-clicks.ts';
import type { NormalizePorts } from './ports.ts';

/** Of the merchant: what is decided goes by it. */
export interface Decisive {
  readonly routing: RoutingSnapshot;
  readonly allowedParameters: readonly string[] | undefined;
  readonly suppressing: Suppressing | undefined;
}

type Copy = EventRow | UnreadableRow | undefined;
type Said = Pick<UnopenedEvent, 'merchantId' | 'hashed' | 'issues'>;

interface Decided {
  readonly decided: NormalizeDecision;
  readonly hasPerson: boolean;
  /** As `joinedEvent` read them. */
  readonly people?: Joined['people'];
}

/** `copy`: the row of the other channel with the same id. */
export async function decideRow(
  row: AcceptedRow,
  copy: Copy,
  { routing, allowedParameters, suppressing }: Decisive,
  ports: NormalizePorts,
): Promise<Decided> {
  const decide = (said: ReadEvent) => decideEvent(said, routing, ports.platforms, allowedParameters);
  const page = await pageEventOf(row, copy, ports);
  const said = readEvent(row, ports.lookups, page);
  const found =
    suppressing === undefined ? null : await findSuppressed(row, copy, said, page, suppressing, ports);
  if (found?.isOwn === true && suppressing !== undefined) {
    const bare = decide(readEvent({ ...row, body: bodyWithoutPerson(row.body) }, ports.lookups));
    return { decided: suppressed(decide(said), bare, suppressing.how), hasPerson: false };
  }
  // A stranger may have sent the page's event: it takes no person from the server's, and gives it nothing.
  const own = found?.isOfPage === true ? readEvent(row, ports.lookups) : said;
  const { unopened, people } = await joinedEvent(own.unopened, ports);
  return {
    decided: decide({ ...own, unopened }),
    hasPerson: true,
    ...(people === undefined ? {} : { people }),
  };
}

async function findSuppressed(
  row: AcceptedRow,
  copy: Copy,
  { unopened }: ReadEvent,
  page: UnopenedEvent | undefined,
  suppressing: Suppressing,
  ports: NormalizePorts,
): Promise<{ readonly isOwn: boolean; readonly isOfPage: boolean }> {
  // A page's event may have no name, and be of the person whom the server's of its id names.
  const server = await serverEventOf(row, unopened, copy, ports);
  const isSuppressed = await lookUp([unopened, server, page], suppressing, ports);
  return { isOwn: isSuppressed(unopened) || isSuppressed(server), isOfPage: isSuppressed(page) };
}

/** `personal` null: it was erased. */
export async function decideReplay(
  row: AcceptedRow & { readonly replayOf: ReplayOrigin },
  personal: PersonalPart | null,
  { routing, allowedParameters, suppressing }: Decisive,
  ports: NormalizePorts,
): Promise<NormalizeDecision> {
  const decide = (part: PersonalPart | null) =>
    normalizeReplay(row, part, routing, ports.platforms, allowedParameters);
  const decided = decide(personal);
  if (suppressing === undefined || personal === null) return decided;
  const isSuppressed = await lookUp([decided.event], suppressing, ports);
  return isSuppressed(decided.event) ? suppressed(decided, decide(NO_PERSON), suppressing.how) : decided;
}

/** All of them with one read; with none where none names a person. */
async function lookUp(
  events: readonly (Said | undefined)[],
  { key }: Suppressing,
  { attribution }: Pick<NormalizePorts, 'attribution'>,
): Promise<(event: Said | undefined) => boolean> {
  const digestsOf = (event: Said) => listed(event.merchantId, key, namesOfEvent(event));
  const said = events.filter((event) => event !== undefined);
  const digests = new Map(said.map((event) => [event, digestsOf(event)]));
  const [first] = said;
  const all = [...digests.values()].flat();
  const found =
    first === undefined || all.length === 0 ? new Map() : await attribution.suppressed(first.merchantId, all);
  return (event) =>
    event !== undefined &&
    (wasSuppressed(event) || digests.get(event)?.some((each) => found.has(each)) === true);
}

const SUPPRESSED = 'suppressed';
/** `whole`: with the person. Who would not have got it for another reason gets it for none. */
function suppressed(whole: NormalizeDecision, bare: NormalizeDecision, how: Suppression): NormalizeDecision {
  const verdicts = Object.entries(whole.verdicts).map(([slot, word]) => {
    const isSent = how === 'without_identity' && isPending(bare.verdicts[slot]);
    return [slot, isPending(word) && !isSent ? SUPPRESSED : word];
  });
  return { event: asSuppressed(bare.event), verdicts: Object.fromEntries(verdicts) };
}
