// What is decided about an event, without its person where they are on the merchant's list. Guarantees: nothing is read for a
// merchant without a list, one read at most for another's event; a list that cannot be read fails the row, which is tried again.
import type { RoutingSnapshot } from '#lib/events/domain/connections/connection.ts';
import { PENDING } from '#lib/events/domain/deliveries/progress.ts';
import { bodyWithoutPerson } from '#lib/events/domain/erasure/erased-row.ts';
import type { PersonalPart, UnopenedEvent } from '#lib/events/domain/event/normalized-event.ts';
import type { AcceptedRow, EventRow, ReplayOrigin, UnreadableRow } from '#lib/events/domain/event/row.ts';
import type { IdentityIssue } from '#lib/events/domain/identity/identity.ts';
import type { Suppressing, Suppression } from '#lib/events/domain/people/suppression.ts';
import { type NormalizeDecision, normalizeEvent } from '#lib/events/pipeline/normalize-event.ts';
import { listed, namesOfEvent } from '#lib/events/pipeline/people/suppressed.ts';
import { normalizeReplay } from '#lib/events/pipeline/replay/normalize-replay.ts';
import { pageEventOf, serverEventOf } from './page-copy.ts';
import type { NormalizePorts } from './ports.ts';

/** Of the merchant: what is decided goes by it. */
export interface Decisive {
  readonly routing: RoutingSnapshot;
  readonly allowedParameters: readonly string[] | undefined;
  readonly suppressing: Suppressing | undefined;
}

type Copy = EventRow | UnreadableRow | undefined;
type Said = Pick<UnopenedEvent, 'merchantId' | 'hashed' | 'issues'>;

/** `copy`: the row of the other channel with the same id. */
export async function decideEvent(
  row: AcceptedRow,
  copy: Copy,
  { routing, allowedParameters, suppressing }: Decisive,
  ports: NormalizePorts,
): Promise<{ readonly decided: NormalizeDecision; readonly hasPerson: boolean }> {
  const decide = (said: AcceptedRow, page?: UnopenedEvent) =>
    normalizeEvent(said, routing, ports.platforms, ports.lookups, allowedParameters, page);
  const page = await pageEventOf(row, copy, ports);
  const decided = decide(row, page);
  if (suppressing === undefined) return { decided, hasPerson: true };
  // A page's event may name nobody, and be of the person whom the server's of its id names.
  const server = await serverEventOf(row, decided.event, copy, ports);
  const isSuppressed = await lookUp([decided.event, server, page], suppressing, ports);
  if (isSuppressed(decided.event) || isSuppressed(server)) {
    const bare = decide({ ...row, body: bodyWithoutPerson(row.body) });
    return { decided: suppressed(decided, bare, suppressing.how), hasPerson: false };
  }
  // A stranger may have sent the page's event: it takes no person from the server's, and gives it nothing.
  return { decided: isSuppressed(page) ? decide(row) : decided, hasPerson: true };
}

const NO_PERSON: PersonalPart = { hashed: {}, raw: {}, plaintext: {} };

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
const ISSUE: IdentityIssue = { field: 'user_data', code: 'person_suppressed' };

/** Nothing of it is left to know the person by: its copies and replays are theirs all the same. */
const wasSuppressed = ({ issues }: Pick<Said, 'issues'>): boolean =>
  issues.some(({ code }) => code === ISSUE.code);

/** `whole`: with the person. Who would not have got it for another reason gets it for none. */
function suppressed(whole: NormalizeDecision, bare: NormalizeDecision, how: Suppression): NormalizeDecision {
  const verdicts = Object.entries(whole.verdicts).map(([slot, word]) => {
    const isSent = how === 'without_identity' && bare.verdicts[slot] === PENDING;
    return [slot, word === PENDING && !isSent ? SUPPRESSED : word];
  });
  const { issues } = bare.event;
  return {
    event: { ...bare.event, issues: wasSuppressed(bare.event) ? issues : [...issues, ISSUE] },
    verdicts: Object.fromEntries(verdicts),
  };
}
