// POST /v1/rules/preview: a rule tried on the last events. Guarantees: read only and bounded, by the number of events asked
// for; before and after are decided by the code that decides over events as they come, from what is stored of them.
import type { z } from 'zod';
import type { Failure, Success } from '#lib/core/http/handler.ts';
import { type RoutingSnapshot, withPersonalPolicy } from '#lib/events/domain/connections/connection.ts';
import { connectionTarget } from '#lib/events/domain/connections/target.ts';
import type { NormalizedEvent } from '#lib/events/domain/event/normalized-event.ts';
import type { EventRow } from '#lib/events/domain/event/row.ts';
import type { Rewrite, Rule } from '#lib/events/domain/rules/rule.ts';
import { normalizeEvent } from '#lib/events/pipeline/normalize-event.ts';
import { changesFor, rewritingRules } from '#lib/events/pipeline/rules/rewrite.ts';
import { ruleIdOf } from '#lib/events/pipeline/rules/rule-set.ts';
import { decideRouting, isBeforeSending, type RoutingDecision } from '#lib/events/pipeline/verdicts.ts';
import type { previewRule } from '#lib/events/routes/rules.ts';
import { readRange } from '../analytics/scan-range.ts';
import { eventHead } from '../events/facts.ts';
import { type Entry, readRows, scanEntries } from '../events/scan.ts';
import { opened } from '../events/view.ts';
import type { ApiPorts } from '../ports.ts';

type Body = z.output<(typeof previewRule)['body']>;
type Preview = Success<typeof previewRule>['body'];
type ChangedEvent = Preview['events'][number];
type ChangedPlatform = ChangedEvent['platforms'][number];

const NEW_RULE = 'new';
const OPENED_AT_ONCE = 50;

export async function previewRules(
  merchantId: string,
  body: Body,
  ports: ApiPorts,
): Promise<Preview | Failure<'not_found'>> {
  const { config } = ports;
  const routing = withPersonalPolicy(
    await config.currentRouting(merchantId),
    await config.merchant(merchantId),
  );
  const compared = compare(routing, body, ports.clock.now());
  if (compared === null) return { failure: 'not_found' };
  const rows = await lastRows(merchantId, body.last, ports);
  const events: ChangedEvent[] = [];
  let skipped = 0;
  for (let at = 0; at < rows.length; at += OPENED_AT_ONCE) {
    const some = rows.slice(at, at + OPENED_AT_ONCE);
    const read = await Promise.all(some.map((row) => eventOf(row, routing, ports)));
    some.forEach((row, i) => {
      const event = read[i];
      if (event === null || event === undefined) skipped++;
      else {
        const platforms = differences(event, compared, ports);
        if (platforms.length > 0) events.push({ ...eventHead(row), platforms });
      }
    });
  }
  return { success: true, examined: rows.length, changed: events.length, skipped, events };
}

interface Compared {
  readonly before: RoutingSnapshot;
  readonly after: RoutingSnapshot;
}

/** Null where the merchant has no such rule. */
function compare(routing: RoutingSnapshot, { rule, rule_id: id }: Body, nowMs: number): Compared | null {
  const times = { version: 1, createdAtMs: nowMs, updatedAtMs: nowMs };
  if (id === undefined) {
    const added = rule === undefined ? [] : [{ ...rule, ...times, id: NEW_RULE } satisfies Rule];
    return { before: routing, after: { ...routing, rules: [...routing.rules, ...added] } };
  }
  const stored = routing.rules.find((one) => ruleIdOf(one) === id);
  if (stored === undefined) return null;
  const withRule = (other: unknown): RoutingSnapshot => ({
    ...routing,
    rules: routing.rules.map((one) => (one === stored ? other : one)),
  });
  if (rule !== undefined) return { before: routing, after: withRule({ ...rule, ...times, id }) };
  const switched = (enabled: boolean) => withRule({ ...(stored as object), enabled });
  return { before: switched(false), after: switched(true) };
}

async function lastRows(merchantId: string, last: number, ports: ApiPorts): Promise<EventRow[]> {
  const within = readRange({}, ports.clock.now());
  if ('failure' in within) return [];
  const range = { merchantId, ...within, order: 'desc' as const };
  const entries: Entry[] = [];
  for await (const page of scanEntries(range, ports)) {
    entries.push(...page.slice(0, last - entries.length));
    if (entries.length >= last) break;
  }
  return await readRows(entries, ports.events);
}

/** Null where what rules look at cannot be had any more. */
async function eventOf(
  row: EventRow,
  routing: RoutingSnapshot,
  ports: ApiPorts,
): Promise<NormalizedEvent | null> {
  // What a replay is made of is its original's, which is looked at itself.
  if (row.state === 'accepted' && row.replayOf !== undefined) return null;
  if (row.state === 'accepted')
    return normalizeEvent(row, routing, ports.platforms, await ports.lookups()).event;
  const event = await opened(row, ports.eventVault);
  return typeof event === 'string' ? null : event;
}

function differences(
  event: NormalizedEvent,
  { before, after }: Compared,
  ports: ApiPorts,
): ChangedPlatform[] {
  const [old, next] = [before, after].map((routing) => decideRouting(event, routing, ports.platforms)) as [
    RoutingDecision,
    RoutingDecision,
  ];
  return placesOf(before, ports).flatMap(({ slot, platform, connection_id }) =>
    isSame(slot, old, next)
      ? []
      : [
          {
            platform,
            ...(connection_id === undefined ? {} : { connection_id }),
            before: outcomeOf(slot, old),
            after: outcomeOf(slot, next),
          },
        ],
  );
}

/** Every connection of a registered platform, with its id where it is not the only one there. */
function placesOf({ connections }: RoutingSnapshot, { platforms }: ApiPorts) {
  return platforms.flatMap(({ slug: platform }) => {
    const own = connections.filter((one) => one.platform === platform);
    return own.map((connection) => ({
      ...{ platform, slot: connectionTarget(connection) },
      connection_id: own.length < 2 ? undefined : connection.id,
    }));
  });
}

/** By what becomes of the event: which rule says it makes no difference. */
function isSame(slot: string, a: RoutingDecision, b: RoutingDecision): boolean {
  if (a.verdicts[slot]?.code !== b.verdicts[slot]?.code) return false;
  const [before, after] = [a, b].map((decision) => changesFor(slot, rewritesAt(slot, decision)));
  return JSON.stringify(before) === JSON.stringify(after);
}

const rewritesAt = (slot: string, { verdicts, rewrites }: RoutingDecision): readonly Rewrite[] =>
  isBeforeSending(verdicts[slot]?.code) ? [] : rewrites;

function outcomeOf(slot: string, decision: RoutingDecision): ChangedPlatform['before'] {
  const { code, detail } = decision.verdicts[slot] ?? { code: 'not_connected' as const };
  return {
    verdict: code,
    ...(detail === undefined ? {} : { subject: detail }),
    changed_by: [...rewritingRules(slot, rewritesAt(slot, decision))],
  };
}
