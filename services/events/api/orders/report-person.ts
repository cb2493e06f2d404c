// GET /v1/people/report: what is stored of a person, and to whom it went. The index first, then every event that may still hold
// something, looked through as an erasure does. Guarantees: an event is found by the very test by which it would be erased; what
// cannot be opened is counted.
import type * as z from 'zod';
import type { Failure, Success } from '#lib/core/http/handler.ts';
import { FOREIGN_CURSOR } from '#lib/core/http/list-cursor.ts';
import { DAY_MS, floorTo } from '#lib/core/work/time-slot.ts';
import { knownFields } from '#lib/events/domain/event/known-fields.ts';
import type { EventRow } from '#lib/events/domain/event/row.ts';
import type { IdentityLookups } from '#lib/events/domain/identity/lookups.ts';
import { retentionDaysOf } from '#lib/events/domain/merchant.ts';
import { keptClicks } from '#lib/events/domain/people/clicks.ts';
import { keptAt } from '#lib/events/domain/people/person.ts';
import { identified } from '#lib/events/pipeline/erasure/identified.ts';
import { isOf, type Subject, subjectOf } from '#lib/events/pipeline/erasure/subject.ts';
import { openedClicks } from '#lib/events/pipeline/people/note-clicks.ts';
import { personKey } from '#lib/events/pipeline/people/person-key.ts';
import { UnreadablePart } from '#lib/events/ports/event-vault.ts';
import type { reportPerson as route } from '#lib/events/routes/orders/people.ts';
import { ENTRY_CURSORS, showMatches } from '../events/match-page.ts';
import { createVerdictReader, type PlatformVerdict } from '../events/verdicts.ts';
import { listedEvent } from '../events/view.ts';
import type { ApiPorts } from '../ports.ts';
import { suppressedSince } from '../privacy/suppressions.ts';
import { iso } from '../wire-time.ts';
import { clickView, conversionView, firstClick, openedOrders } from './read-person.ts';

type Query = z.output<(typeof route)['query']>;
type Report = Success<typeof route>['body'];

export async function reportPerson(
  merchantId: string,
  query: Query,
  ports: ApiPorts,
): Promise<Report | Failure<'invalid_request'>> {
  const lookups = await ports.lookups();
  const { email, phone, external_id } = query;
  const read = subjectOf({ email, phone, external_id }, lookups);
  if ('problems' in read) return { failure: 'invalid_request', details: read.problems };
  if (Object.keys(read.subject).length === 0) return NO_PERSON;
  const cursor = ENTRY_CURSORS.read(query);
  if (cursor === null) return FOREIGN_CURSOR;
  const range = { merchantId, ...(await keptRange(merchantId, ports)) };
  const filter = personFilter(read.subject, lookups, ports);
  const connections = await ports.config.listConnections(merchantId);
  const verdicts = createVerdictReader(ports.platforms, connections);
  const events: Report['events'] = [];
  const next = await showMatches(range, cursor, { filter, limit: query.limit }, ports, ({ row }) => {
    const said = verdicts.read(row);
    events.push({ ...listedEvent(row, said), stored: filter.storedOf(row), sent_to: sentTo(said) });
  });
  return {
    success: true,
    index: cursor === undefined ? await indexOf(merchantId, query, lookups, ports) : [],
    events,
    covers: { from: iso(next?.t ?? range.fromMs), until: iso(cursor?.t ?? range.toMs) },
    unreadable: filter.unreadable(),
    limit: query.limit,
    next_cursor: ENTRY_CURSORS.write(query, next),
  };
}

const NO_PERSON: Failure<'invalid_request'> = {
  failure: 'invalid_request',
  details: [
    {
      path: 'email',
      message: 'email, phone or external_id; with several, events that hold any of them are shown',
    },
  ],
};

/** The keys of earlier days are gone, or go within the hour. */
async function keptRange(merchantId: string, { config, clock }: Pick<ApiPorts, 'config' | 'clock'>) {
  const nowMs = clock.now();
  const keptMs = retentionDaysOf((await config.merchant(merchantId)) ?? {}) * DAY_MS;
  return { fromMs: floorTo(nowMs - keptMs, DAY_MS) - DAY_MS, toMs: nowMs + 1 };
}

function personFilter(subject: Subject, lookups: IdentityLookups, { eventVault }: ApiPorts) {
  let unreadable = 0;
  const stored = new Map<string, string[]>();
  return {
    isEmpty: false,
    counted: null,
    unreadable: () => unreadable,
    storedOf: ({ ingestId }: EventRow) => stored.get(ingestId) ?? [],
    async matches(row: EventRow): Promise<boolean> {
      try {
        const said = await identified(row, { lookups, eventVault });
        if (said === null || !isOf(said, subject)) return false;
        stored.set(row.ingestId, [...knownFields(said)]);
        return true;
      } catch (error) {
        if (!(error instanceof UnreadablePart)) throw error;
        unreadable += 1;
        return false;
      }
    },
  };
}

const sentTo = (verdicts: readonly PlatformVerdict[]): string[] =>
  verdicts.flatMap(({ platform, state, delivery }) =>
    state === 'DELIVERED' || (delivery?.unknowns ?? 0) > 0 ? [platform.slug] : [],
  );

const IDENTIFIERS = ['email', 'phone', 'external_id'] as const;

async function indexOf(
  merchantId: string,
  query: Query,
  lookups: IdentityLookups,
  ports: ApiPorts,
): Promise<Report['index']> {
  const nowMs = ports.clock.now();
  const suppressedBy = await suppressedSince(merchantId, query, lookups, ports);
  const keys = IDENTIFIERS.flatMap((by) => {
    const found = query[by] === undefined ? null : personKey(merchantId, { [by]: query[by] }, lookups);
    return found === null || 'problems' in found ? [] : [{ by, key: found.key }];
  });
  const people = await ports.people.people(
    merchantId,
    keys.map(({ key }) => key),
    'eventual',
  );
  return await Promise.all(
    keys.map(async ({ by, key }) => {
      const person = people.get(key);
      const { orders, conversions } = keptAt(await openedOrders(merchantId, key, person, ports), nowMs);
      const clicks = keptClicks(await openedClicks(merchantId, key, person ?? {}, ports), nowMs);
      return {
        by,
        suppressed_since: suppressedBy(by),
        first_click: clickView(firstClick(person, nowMs)),
        click_ids: clicks.map(({ key: name, atMs }) => ({ name, clicked_at: iso(atMs) })),
        orders: orders.map(({ orderId, receivedAtMs }) => ({
          order_id: orderId,
          received_at: iso(receivedAtMs),
        })),
        conversions: conversions.map(conversionView),
      };
    }),
  );
}
