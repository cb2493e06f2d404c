// A merchant's rules compiled for events: parsed once, sorted, each a predicate on an event. Guarantees: a rule that
// cannot be read, or that throws, is skipped and reported; it never excludes an event. Evaluated once per event, for
// any number of platforms; a merchant without rules pays nothing.
import { hash } from 'node:crypto';
import { selects } from '../../domain/connections/target.ts';
import type { UnopenedEvent } from '../../domain/event/normalized-event.ts';
import { type Rule, type RuleChange, readStoredRule } from '../../domain/rules/rule.ts';
import { compileMatch, type Matcher } from './rule-match.ts';

/** A rule that is skipped, and why. */
export interface SkippedRule {
  readonly id: string;
  readonly problem: string;
}

interface ReadyRule {
  readonly rule: Rule;
  readonly matches: Matcher;
  readonly isAbout: IsAbout;
}

/** True if the rule is about this connection: by its platform, or by its id. */
export type IsAbout = (target: string, connectionId?: string) => boolean;

export interface Transform {
  readonly id: string;
  /** Called if the rule could not be applied. */
  readonly skip: (error: unknown) => void;
  readonly changes: readonly RuleChange[];
  readonly isAbout: IsAbout;
  /** It names none. */
  readonly isForAll: boolean;
}

/** The rules that match one event, in their order. */
export interface RulesMet {
  /** Id of the rule that keeps the event from this connection, if one does. */
  readonly excludedBy: (...connection: Parameters<IsAbout>) => string | undefined;
  readonly transforms: readonly Transform[];
}

interface RuleSet {
  readonly ready: readonly ReadyRule[];
  readonly skipped: Map<string, string>;
}

const NONE: RulesMet = { excludedBy: () => undefined, transforms: [] };

/** Cached by list: reading the rules from the table again gives another list. */
const SETS = new WeakMap<readonly unknown[], RuleSet>();

export function rulesMet(stored: readonly unknown[], event: UnopenedEvent): RulesMet {
  if (stored.length === 0) return NONE;
  const { ready, skipped } = ruleSetOf(stored);
  const met = ready.filter(({ rule, matches }) => {
    try {
      return matches(event);
    } catch (error) {
      note(skipped, rule.id, error);
      return false;
    }
  });
  return met.length === 0 ? NONE : toMet(met, event, skipped);
}

/** Names of errors only: their messages may quote the event. */
const note = (skipped: RuleSet['skipped'], id: string, error: unknown): void =>
  void skipped.set(id, error instanceof Error ? error.name : 'threw');

/** Rules that could not be applied so far. */
export function skippedRules(stored: readonly unknown[]): readonly SkippedRule[] {
  if (stored.length === 0) return [];
  return [...ruleSetOf(stored).skipped].map(([id, problem]) => ({ id, problem }));
}

/** The id of a rule, readable or not. */
export function ruleIdOf(stored: unknown): string {
  const id = (stored as { readonly id?: unknown } | null | undefined)?.id;
  if (typeof id === 'string' && id !== '') return id;
  return `broken_${hash('sha256', JSON.stringify(stored) ?? 'undefined', 'hex').slice(0, 16)}`;
}

function ruleSetOf(stored: readonly unknown[]): RuleSet {
  const known = SETS.get(stored);
  if (known !== undefined) return known;
  const ready: ReadyRule[] = [];
  const skipped = new Map<string, string>();
  for (const one of stored) {
    const rule = readStoredRule(one);
    if ('problem' in rule) skipped.set(ruleIdOf(one), rule.problem);
    else if (rule.enabled)
      ready.push({
        rule,
        matches: compileMatch(rule.match),
        isAbout: (target, id) => rule.platforms.length === 0 || selects(rule.platforms, target, id),
      });
  }
  ready.sort(({ rule: a }, { rule: b }) => a.priority - b.priority || (a.id < b.id ? -1 : 1));
  const set = { ready, skipped };
  SETS.set(stored, set);
  return set;
}

function toMet(met: readonly ReadyRule[], event: UnopenedEvent, skipped: RuleSet['skipped']): RulesMet {
  const deciding = met.filter(({ rule }) => rule.action.type !== 'transform');
  return {
    excludedBy: (...connection) => {
      const first = deciding.find(({ isAbout }) => isAbout(...connection));
      return first === undefined || keeps(first.rule, event) ? undefined : first.rule.id;
    },
    transforms: met.flatMap(({ rule: { id, action, platforms }, isAbout }) => {
      if (action.type !== 'transform') return [];
      const skip = (error: unknown) => note(skipped, id, error);
      return [{ id, changes: action.changes, isAbout, isForAll: platforms.length === 0, skip }];
    }),
  };
}

/**
 * `sample` keeps the same events at every platform and on every recomputation: its random number is derived from the
 * event id.
 */
function keeps({ id, action }: Rule, event: UnopenedEvent): boolean {
  if (action.type === 'exclude') return false;
  if (action.type !== 'sample') return true;
  const random = Number.parseInt(hash('sha256', `${id}:${event.dedupId}`, 'hex').slice(0, 8), 16) / 2 ** 32;
  return random < action.rate;
}
