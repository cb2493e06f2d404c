// The typed texts of a rule, and the rule they mean. Guarantees: a stored rule passes through it unchanged. A text that
// is not a number is sent to the API as typed, so that the API names the wrong field.

import type { Answer, Input } from '#dashboard/app/api.tsx';
import { statusOf } from '#dashboard/parts/problems.ts';
import type { CONSENT_SIGNALS } from '#lib/events/domain/event/consent.ts';
import { linesOf, numberOf, scalarOf, textOf, textOfScalar } from './typed-values.ts';

export type RuleList = Answer<'listRules'>;
export type Rule = RuleList['rules'][number];
export type RuleBody = Input<'createRule'>['body'];
export type RuleChanges = Input<'updateRule'>['body'];
export type Match = NonNullable<RuleBody['match']>;
export type Action = RuleBody['action'];
export type Change = Extract<Action, { type: 'transform' }>['changes'][number];
type Condition = NonNullable<Match['custom_data']>[number];
export type Signal = (typeof CONSENT_SIGNALS)[number];

type Slugs = NonNullable<RuleBody['platforms']>;

/** As it is shown, and as it is sent. */
export interface WholeRule {
  readonly name: string;
  readonly enabled: boolean;
  readonly priority: number;
  readonly match: Match;
  readonly action: Action;
  readonly platforms: readonly string[];
}

/** It has another version than the one that was shown, or is gone. */
export const isMissed = (error: unknown): boolean => [404, 412].includes(statusOf(error) ?? 0);

export const ITEM_FIELDS = ['id', 'brand', 'category', 'category_prefix', 'variant'] as const;
export type ItemField = (typeof ITEM_FIELDS)[number];
const LISTS = ['event_name', 'source', 'country'] as const;
const AMOUNTS = ['value_min', 'value_max'] as const;

export interface TypedCondition {
  readonly path: string;
  readonly test: 'equals' | 'any_of' | 'present' | 'absent';
  readonly value: string;
}

/** `value` is the new name, the value, or the factor. */
export interface TypedChange {
  readonly op: Change['op'];
  readonly field: string;
  readonly value: string;
  readonly currency: string;
}

/** Lists have one value per line. */
export interface Draft {
  readonly name: string;
  readonly enabled: boolean;
  readonly priority: string;
  readonly platforms: readonly string[];
  readonly event_name: string;
  readonly source: string;
  readonly country: string;
  readonly currency: string;
  readonly value_min: string;
  readonly value_max: string;
  readonly items: Readonly<Record<ItemField, string>>;
  readonly consent: { readonly [S in Signal]?: string | undefined };
  readonly custom_data: readonly TypedCondition[];
  readonly kind: Action['type'];
  readonly rate: string;
  readonly changes: readonly TypedChange[];
}

export const NEW_CONDITION: TypedCondition = { path: '', test: 'equals', value: '' };
export const NEW_CHANGE: TypedChange = { op: 'rename_event', field: '', value: '', currency: '' };

export const NEW_RULE: WholeRule = {
  name: '',
  enabled: true,
  priority: 100,
  match: {},
  action: { type: 'exclude' },
  platforms: [],
};

export function draftOf({ name, enabled, priority, platforms, match, action }: WholeRule): Draft {
  const text = (value: number | undefined): string => (value === undefined ? '' : String(value));
  return {
    name,
    enabled,
    priority: text(priority),
    platforms,
    event_name: textOf(match.event_name),
    source: textOf(match.source),
    country: textOf(match.country),
    currency: match.currency ?? '',
    value_min: text(match.value_min),
    value_max: text(match.value_max),
    items: Object.fromEntries(ITEM_FIELDS.map((field) => [field, textOf(match.items?.[field])])) as Record<
      ItemField,
      string
    >,
    consent: match.consent ?? {},
    custom_data: (match.custom_data ?? []).map(typedCondition),
    kind: action.type,
    rate: action.type === 'sample' ? text(action.rate) : '',
    changes: action.type === 'transform' ? action.changes.map(typedChange) : [],
  };
}

function typedCondition({ path, equals, any_of, exists }: Condition): TypedCondition {
  if (any_of !== undefined) return { path, test: 'any_of', value: any_of.map(textOfScalar).join('\n') };
  if (exists !== undefined) return { path, test: exists ? 'present' : 'absent', value: '' };
  return { path, test: 'equals', value: equals === undefined ? '' : textOfScalar(equals) };
}

function typedChange(change: Change): TypedChange {
  switch (change.op) {
    case 'rename_event':
      return { ...NEW_CHANGE, op: change.op, value: change.name };
    case 'set_field':
      return { ...NEW_CHANGE, op: change.op, field: change.field, value: textOfScalar(change.value) };
    case 'drop_field':
      return { ...NEW_CHANGE, op: change.op, field: change.field };
    case 'override_value':
      return { ...NEW_CHANGE, op: change.op, value: String(change.value), currency: change.currency };
    case 'scale_value':
      return { ...NEW_CHANGE, op: change.op, value: String(change.factor) };
  }
}

export function ruleOf(draft: Draft): WholeRule & { readonly platforms: Slugs } {
  return {
    name: draft.name,
    enabled: draft.enabled,
    // If it were left out, the API would keep the old value without an error.
    priority: (numberOf(draft.priority) ?? '') as number,
    match: matchOf(draft),
    action: actionOf(draft),
    platforms: [...draft.platforms] as Slugs,
  };
}

function matchOf(draft: Draft): Match {
  const given = (name: string, value: unknown, isGiven: boolean) => (isGiven ? { [name]: value } : {});
  const list = (name: string, text: string) => given(name, linesOf(text), linesOf(text).length > 0);
  const consent = Object.entries(draft.consent).filter(([, state]) => state);
  const items = Object.assign({}, ...ITEM_FIELDS.map((field) => list(field, draft.items[field]))) as object;
  return Object.assign(
    {},
    ...LISTS.map((name) => list(name, draft[name])),
    given('currency', draft.currency.trim(), draft.currency.trim() !== ''),
    ...AMOUNTS.map((name) => given(name, numberOf(draft[name]), draft[name].trim() !== '')),
    given('items', items, Object.keys(items).length > 0),
    given('consent', Object.fromEntries(consent), consent.length > 0),
    given('custom_data', draft.custom_data.map(conditionOf), draft.custom_data.length > 0),
  ) as Match;
}

function conditionOf({ path: typed, test, value }: TypedCondition): Condition {
  const path = typed.trim();
  if (test === 'equals') return { path, equals: scalarOf(value.trim()) };
  if (test === 'any_of') return { path, any_of: linesOf(value, scalarOf) };
  return { path, exists: test === 'present' };
}

function actionOf({ kind, rate, changes }: Draft): Action {
  if (kind === 'sample') return { type: kind, rate: numberOf(rate) as number };
  if (kind === 'transform') return { type: kind, changes: changes.map(changeOf) };
  return { type: kind };
}

function changeOf({ op, field, value, currency }: TypedChange): Change {
  switch (op) {
    case 'rename_event':
      return { op, name: value.trim() };
    case 'set_field':
      return { op, field, value: scalarOf(value.trim()) };
    case 'drop_field':
      return { op, field };
    case 'override_value':
      return { op, value: numberOf(value) as number, currency: currency.trim() };
    case 'scale_value':
      return { op, factor: numberOf(value) as number };
  }
}

const PARTS = ['name', 'enabled', 'priority', 'match', 'action', 'platforms'] as const;
type Part = (typeof PARTS)[number];

/** The changed parts of a rule: the API changes it by these. */
export const differencesOf = (before: WholeRule, now: WholeRule): readonly Part[] =>
  PARTS.filter((part) => plain(before[part]) !== plain(now[part]));

/** Only the parts that differ. */
export function changesOf(before: Rule, draft: Draft): RuleChanges {
  const now = ruleOf(draft);
  return Object.fromEntries(
    differencesOf(ruleOf(draftOf(before)), now).map((part) => [part, now[part]]),
  ) as RuleChanges;
}

/** As JSON that does not depend on the order of properties. */
const plain = (value: unknown): string =>
  JSON.stringify(value, (_, one: unknown) =>
    one !== null && typeof one === 'object' && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  );
