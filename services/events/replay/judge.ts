// What a plan does with one event at each platform. Pure: a dry run and the run after it ask the same function.
import type { RoutedConnection, RoutingSnapshot } from '#lib/events/domain/connections/connection.ts';
import {
  connectionTarget,
  listed,
  type Target,
  targetsAt,
  worstOf,
} from '#lib/events/domain/connections/target.ts';
import { type Delivery, TERMINAL_STATES } from '#lib/events/domain/deliveries/delivery.ts';
import { targetsOf } from '#lib/events/domain/deliveries/progress.ts';
import { canonicalEventName } from '#lib/events/domain/event/names.ts';
import {
  type AcceptedRow,
  type EventRow,
  type NormalizedRow,
  sourceOf,
} from '#lib/events/domain/event/row.ts';
import type { PlanFilter, PlanVerdict, ReplayPlan } from '#lib/events/domain/replays/plan.ts';
import { replayIdOf } from '#lib/events/domain/replays/replay-id.ts';
import type { Original } from '#lib/events/pipeline/replay/original.ts';
import { type Acceptance, replayedEvent, replayRow } from '#lib/events/pipeline/replay/replay-row.ts';
import { decideVerdicts, type Verdicts } from '#lib/events/pipeline/verdicts.ts';
import type { Platform } from '#lib/events/platforms/platform.ts';

/** Platform slug, or id of a connection that the plan names → what the plan does with the event there. */
export type Words = Readonly<Record<string, PlanVerdict>>;

export interface Judgement {
  readonly words: Words;
  /** To be stored; absent where no platform is to have it. */
  readonly replay?: AcceptedRow;
}

export interface JudgeContext {
  readonly plan: ReplayPlan;
  readonly routing: RoutingSnapshot;
  readonly platforms: readonly Platform[];
}

/** Replays are left to their originals, which the plan sees as well; tests are not sent again. */
export function isWanted(row: EventRow, { eventName, source }: PlanFilter): boolean {
  if (row.state === 'accepted') {
    const { body } = row;
    if (body.internal?.replay === true) return false;
    return (
      (source === undefined || sourceOf(row) === source) &&
      isNamed(eventName, canonicalEventName(body.event_name), body.event_name)
    );
  }
  const { event } = row;
  if (event.replay === true) return false;
  return (
    (source === undefined || event.source === source) && isNamed(eventName, event.name, event.customName)
  );
}

/** As the list of events takes names. */
function isNamed(wanted: string | undefined, canonicalName: string, customName: string | undefined): boolean {
  if (wanted === undefined) return true;
  const canonical = canonicalEventName(wanted);
  if (canonical !== 'Custom' || wanted.toLowerCase() === 'custom') return canonical === canonicalName;
  return customName === wanted;
}

/** The platforms and connections a plan is about. */
export function namesOf({ plan, routing }: JudgeContext): readonly string[] {
  return plan.platforms ?? [...new Set(routing.connections.map(({ platform }) => platform))].sort();
}

/** The same for the same plan and acceptance, whoever asks and how often. */
export function planReplayId(plan: Pick<ReplayPlan, 'id'>, { key, ingestId }: NormalizedRow): string {
  return replayIdOf(key.eventId, ['plan', plan.id, key.channel, ingestId]);
}

/** Throws where the event is of a shape no rule can be asked about. */
export function judge(original: Original, acceptance: Acceptance, context: JudgeContext): Judgement {
  const names = namesOf(context);
  const all = (word: PlanVerdict): Judgement => ({
    words: Object.fromEntries(names.map((name) => [name, word])),
  });
  if (original.kind === 'processing') return all('in_progress');
  if (original.kind !== 'there') return all(original.kind);
  const { row, event } = original;
  const { plan, routing, platforms } = context;
  const wish = { eventId: planReplayId(plan, row), dedupe: plan.dedupe };
  const verdicts = decideVerdicts(replayedEvent(event, replayRow(row, wish, acceptance)), routing, platforms);
  const words: Record<string, PlanVerdict> = {};
  const targets = new Set<string>();
  for (const name of names) {
    const connection = routing.connections.find(({ id }) => id === name);
    const places = connection === undefined ? targetsAt(name, verdicts) : [connectionTarget(connection)];
    const codes = places.map((slot) => verdicts[slot]?.code);
    const code = codes.find((one) => one === 'pending') ?? codes[0] ?? 'not_connected';
    const verdict = code === 'pending' ? 'will_send' : code === 'too_old' ? 'too_old' : 'excluded';
    words[name] = standing(row, places, connection, plan) ?? verdict;
    if (words[name] !== 'will_send') continue;
    for (const slot of places)
      if (verdicts[slot]?.code === 'pending' && (connection !== undefined || !isDone(row, slot, plan)))
        targets.add(slot);
  }
  if (targets.size === 0) return { words };
  return {
    words,
    replay: replayRow(row, { ...wish, onlyPlatforms: listed([...targets], inUse(verdicts)) }, acceptance),
  };
}

/** What stands in the way of sending it once more, whatever the merchant's rules say today. */
function standing(
  row: NormalizedRow,
  places: readonly Target[],
  connection: RoutedConnection | undefined,
  { only }: ReplayPlan,
): PlanVerdict | undefined {
  const sent = targetsOf(row).filter((slot) => places.includes(slot));
  // What another connection had in its place says nothing of this one.
  const isFormers = connection?.sinceVersion !== undefined && row.routingVersion < connection.sinceVersion;
  if (sent.length === 0 || isFormers) return undefined;
  const delivery = worstOf(sent.map((slot) => row.deliveries[slot]));
  if (delivery === undefined || !TERMINAL_STATES.has(delivery.state) || wasRetried(delivery))
    return 'in_progress';
  return only === 'undelivered' && delivery.state === 'DELIVERED' ? 'already_delivered' : undefined;
}

/** Places that are connected: only those are to be told apart. */
const inUse = (verdicts: Verdicts): Verdicts =>
  Object.fromEntries(Object.entries(verdicts).filter(([, { code }]) => code !== 'not_connected'));

/** This very place has it: only others of the platform are still to. */
const isDone = ({ deliveries }: NormalizedRow, slot: string, { only }: ReplayPlan): boolean =>
  only === 'undelivered' && deliveries[slot]?.state === 'DELIVERED';

/** A retry by hand goes on with it. */
const wasRetried = ({ reason }: Delivery): boolean => reason?.startsWith('retried:') === true;
