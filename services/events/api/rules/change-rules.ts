// How the list of a merchant's rules changes: pure functions of the list as it is at that moment, so that a change that has to
// be tried again is decided again. Guarantees: a field that is not named stays as somebody else may have set it meanwhile;
// a condition on the version is judged against what is written over; a change that would be too much changes nothing.
import { etagOf, meetsIfMatch } from '#lib/core/http/etag.ts';
import type { Failure } from '#lib/core/http/handler.ts';
import { RULE_LIMITS, type Rule, readStoredRule, ruleSizeBytes } from '#lib/events/domain/rules/rule.ts';
import { ruleIdOf } from '#lib/events/pipeline/rules/rule-set.ts';
import type { RulesChange } from '#lib/events/ports/routing-store.ts';

type Stored = readonly unknown[];
export type RuleFields = Pick<Rule, 'name' | 'enabled' | 'priority' | 'match' | 'action' | 'platforms'>;
type Defined<T> = { readonly [K in keyof T]?: T[K] | undefined };

type TooMuch = Failure<'too_many_rules' | 'invalid_request'>;
type Missed = Failure<'not_found' | 'precondition_failed'>;

export function addRule(current: Stored, rule: Rule): RulesChange<Rule | TooMuch> {
  return putIn(current, [...current, rule], rule);
}

export function patchRule(
  current: Stored,
  id: string,
  change: Defined<RuleFields>,
  { ifMatch, nowMs }: { readonly ifMatch: string | undefined; readonly nowMs: number },
): RulesChange<Rule | TooMuch | Missed> {
  const found = findRule(current, id, ifMatch);
  if ('failure' in found) return { answer: found };
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  const version = versionOf(found.stored) + 1;
  const merged = readStoredRule({ ...(found.stored as object), ...given, version, updatedAtMs: nowMs });
  // One that could not be read before, and cannot with what was given.
  if ('problem' in merged) {
    const message = `the stored rule cannot be read (${merged.problem}): give match and action, or delete it`;
    return { answer: { failure: 'invalid_request', details: [{ path: '', message }] } };
  }
  return putIn(
    current,
    current.map((one) => (one === found.stored ? merged : one)),
    merged,
  );
}

export function dropRule(
  current: Stored,
  id: string,
  ifMatch: string | undefined,
): RulesChange<{ readonly id: string } | Missed> {
  const found = findRule(current, id, ifMatch);
  if ('failure' in found) return { answer: found };
  return { rules: current.filter((one) => one !== found.stored), answer: { id } };
}

/** Every rule of the list that can be read, in the order in which they run, and those that cannot. */
export function readRules(current: Stored) {
  const rules: Rule[] = [];
  const broken: { readonly id: string; readonly problem: string }[] = [];
  for (const stored of current) {
    const rule = readStoredRule(stored);
    if ('problem' in rule) broken.push({ id: ruleIdOf(stored), problem: rule.problem });
    else rules.push(rule);
  }
  rules.sort((a, b) => a.priority - b.priority || (a.id < b.id ? -1 : 1));
  return { rules, broken };
}

function findRule(
  current: Stored,
  id: string,
  ifMatch: string | undefined,
): { readonly stored: unknown } | Missed {
  const index = current.findIndex((one) => ruleIdOf(one) === id);
  if (index < 0) return { failure: 'not_found' };
  const stored = current[index];
  return meetsIfMatch(ifMatch, etagOf(versionOf(stored))) ? { stored } : { failure: 'precondition_failed' };
}

/** Of one that cannot be read, too. */
function versionOf(stored: unknown): number {
  const version = (stored as { readonly version?: unknown } | null)?.version;
  return Number.isSafeInteger(version) ? (version as number) : 0;
}

function putIn(before: Stored, after: Stored, rule: Rule): RulesChange<Rule | TooMuch> {
  const { rulesMax, transformsMax, ruleSizeMaxBytes } = RULE_LIMITS;
  if (ruleSizeBytes(rule) > ruleSizeMaxBytes) {
    const message = `the rule is longer than ${ruleSizeMaxBytes} bytes of JSON`;
    return { answer: { failure: 'invalid_request', details: [{ path: 'match', message }] } };
  }
  if (after.length > before.length && after.length > rulesMax)
    return tooMany('rules', `there are at most ${rulesMax} rules`);
  if (transforms(after) > Math.max(transforms(before), transformsMax))
    return tooMany('action', `there are at most ${transformsMax} rules that transform`);
  return { rules: after, answer: rule };
}

const tooMany = (path: string, message: string): RulesChange<TooMuch> => ({
  answer: { failure: 'too_many_rules', details: [{ path, message }] },
});

const transforms = (rules: Stored): number =>
  rules.filter((rule) => (rule as Partial<Rule> | null)?.action?.type === 'transform').length;
