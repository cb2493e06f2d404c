// Which rows a list shows. All filters must hold.
import type { z } from 'zod';
import { outcomeOf } from '#lib/events/domain/deliveries/outcome.ts';
import { canonicalEventName } from '#lib/events/domain/event/names.ts';
import type { EventRow } from '#lib/events/domain/event/row.ts';
import type { HashedIdentity } from '#lib/events/domain/identity/identity.ts';
import type { IdentityLookups } from '#lib/events/domain/identity/lookups.ts';
import { normalizeIdentity } from '#lib/events/domain/identity/normalize.ts';
import type { EventVault } from '#lib/events/ports/event-vault.ts';
import { type listEvents, PROCESSING } from '#lib/events/routes/events.ts';
import { type CountedMatch, createCountedMatch } from './counted-match.ts';
import { factsOf } from './facts.ts';
import { isBecause, isSaid, type PlatformVerdict, placesIn, type VerdictReader } from './verdicts.ts';
import { opened } from './view.ts';

export type ListQuery = z.output<(typeof listEvents)['query']>;

export interface EventFilter {
  /** True when nothing of a row has to be read to know that it is in. */
  readonly isEmpty: boolean;
  /** True where a page ends before it has read much. */
  readonly isFrugal?: boolean;
  /** What of it can be asked without rows; null: nothing. */
  readonly counted: CountedMatch | null;
  matches(row: EventRow): Promise<boolean>;
}

export function createEventFilter(
  query: ListQuery,
  verdicts: VerdictReader,
  vault: Pick<EventVault, 'open'>,
): EventFilter {
  const { platform, connection_id, status, outcome, code, event_name, source, test, order_id, search } =
    query;
  const finds = search === undefined ? null : searcher(search, vault);
  return {
    counted: createCountedMatch(query),
    // Only where the index sorts can a page go on where another one ended.
    isFrugal: code !== undefined && query.orderBy === 'received_at',
    isEmpty: [
      platform,
      connection_id,
      status,
      outcome,
      code,
      event_name,
      source,
      test,
      order_id,
      search,
    ].every((value) => value === undefined),
    async matches(row) {
      const facts = factsOf(row);
      if (test !== undefined && facts.test !== (test === 'true')) return false;
      if (source !== undefined && facts.source !== source) return false;
      if (event_name !== undefined && !isNamed(event_name, facts.canonicalName, facts.customName))
        return false;
      if (order_id !== undefined && facts.orderId !== order_id) return false;
      if (finds !== null && !(await finds(row, facts.orderId))) return false;
      if ([platform, connection_id, status, outcome, code].every((value) => value === undefined)) return true;
      const isTargeted = (verdict: PlatformVerdict) =>
        verdict.state !== undefined || verdict.code === PROCESSING;
      return verdicts
        .read(row)
        .flatMap((verdict) => (connection_id === undefined ? [verdict] : placesIn(verdict)))
        .some(
          (verdict) =>
            (platform === undefined || verdict.platform.slug === platform) &&
            (connection_id === undefined || verdict.holder?.id === connection_id) &&
            (status === undefined || isSaid(status, verdict)) &&
            (outcome === undefined || outcomeOf(verdict.state ?? verdict.code) === outcome) &&
            (code === undefined || isBecause(code, verdict)) &&
            ([status, outcome, code].some((value) => value !== undefined) || isTargeted(verdict)),
        );
    },
  };
}

/** `Purchase` and its aliases find purchases, `Custom` finds every custom event, any other name that custom event. */
function isNamed(wanted: string, canonicalName: string, customName: string | undefined): boolean {
  const canonical = canonicalEventName(wanted);
  if (canonical !== 'Custom' || wanted.toLowerCase() === 'custom') return canonical === canonicalName;
  return customName === wanted;
}

const SHA256 = /^[0-9a-f]{64}$/i;

/**
 * An e-mail address, plain or as SHA-256, is looked for whole, among the digests that are sealed in the rows; anything else as the
 * start of an id.
 */
function searcher(
  text: string,
  vault: Pick<EventVault, 'open'>,
): (row: EventRow, orderId: string | undefined) => Promise<boolean> {
  const digest = text.includes('@') || SHA256.test(text) ? emailDigest(text) : undefined;
  return async (row, orderId) =>
    row.key.eventId.startsWith(text) ||
    orderId?.startsWith(text) === true ||
    (digest !== undefined && (await digestOf(row, vault)) === digest);
}

/** An address needs none of the lookups. */
const NO_LOOKUPS: IdentityLookups = {
  nationalPhone: () => null,
  countryCode: () => null,
  regionCode: () => null,
};

function emailDigest(email: string): HashedIdentity['emailPlain'] {
  return normalizeIdentity({ email }, NO_LOOKUPS).hashed.emailPlain;
}

/** Undefined where there is none, and where none can be read any more. */
async function digestOf(
  row: EventRow,
  vault: Pick<EventVault, 'open'>,
): Promise<HashedIdentity['emailPlain']> {
  if (row.state === 'normalized') {
    if (!row.event.known.includes('email')) return undefined;
    const event = await opened(row, vault);
    return typeof event === 'string' ? undefined : event.hashed.emailPlain;
  }
  const { email } = row.body.user_data;
  return email ? emailDigest(email) : undefined;
}
