// The order of rules, by their priorities. Guarantees: after each step of a move but the last, the rules still run in
// their old order, so that a move that stops half-way has no effect.
import type { Rule } from './rule-draft.ts';

export type Placed = Pick<Rule, 'id' | 'priority'>;
export interface Step {
  readonly id: string;
  readonly priority: number;
}

const PRIORITY_MAX = 1_000_000;
const ROOM = 10;

/** In the API's order. */
export const inOrder = <T extends Placed>(rules: readonly T[]): readonly T[] =>
  [...rules].sort((a, b) => a.priority - b.priority || (a.id < b.id ? -1 : 1));

/** Puts the rule at `at` before the one above it; null if no priorities are left for that. */
export function stepsUp(rules: readonly Placed[], at: number): readonly Step[] | null {
  const wanted = rules.map(({ id }) => id);
  const [moved, above] = [rules[at], rules[at - 1]];
  if (moved === undefined || above === undefined) return null;
  wanted.splice(at - 1, 2, moved.id, above.id);
  const one = singleStep(rules, at, wanted);
  if (one !== undefined) return [one];
  const roomy = makeRoom(rules, at + 1);
  if (roomy === null) return null;
  const after = rules.map((rule) => roomy.find(({ id }) => id === rule.id) ?? rule);
  const last = singleStep(after, at, wanted);
  return last === undefined ? null : [...roomy, last];
}

/** Which of the two rules changes its priority, and to what. */
function singleStep(rules: readonly Placed[], at: number, wanted: readonly string[]): Step | undefined {
  const priorityAt = (index: number, otherwise: number): number => rules[index]?.priority ?? otherwise;
  const [before, above, moved] = [priorityAt(at - 2, 0), priorityAt(at - 1, 0), priorityAt(at, 0)];
  const after = priorityAt(at + 1, Math.min(PRIORITY_MAX, moved + 2 * ROOM));
  const middle = (from: number, to: number): number => Math.floor((from + to) / 2);
  const tried: readonly (readonly [Placed | undefined, readonly number[]])[] = [
    [rules[at], [Math.max(0, above - ROOM), middle(before, above), before, above]],
    [rules[at - 1], [Math.min(PRIORITY_MAX, moved + ROOM), middle(moved, after), moved, after]],
  ];
  for (const [rule, priorities] of tried)
    for (const priority of priorities)
      if (rule !== undefined && isOrder(rules, { id: rule.id, priority }, wanted))
        return { id: rule.id, priority };
  return undefined;
}

function isOrder(rules: readonly Placed[], step: Step, wanted: readonly string[]): boolean {
  const next = inOrder(rules.map((rule) => (rule.id === step.id ? step : rule)));
  return next.every(({ id }, index) => id === wanted[index]);
}

/** Moves the following rules further down, the last one first. */
function makeRoom(rules: readonly Placed[], from: number): readonly Step[] | null {
  const tail = rules.slice(from).toReversed();
  if ((tail[0]?.priority ?? 0) + 2 * ROOM > PRIORITY_MAX) return null;
  return tail.map(({ id, priority }) => ({ id, priority: priority + 2 * ROOM }));
}
