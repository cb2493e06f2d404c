// A rule in words instead of JSON: its conditions and its action.
import type { DroppedField } from '#lib/events/domain/rules/fields.ts';
import { SIGNALS } from '../words.ts';
import type { Action, Change, ItemField, Match, Signal, WholeRule } from './rule-draft.ts';
import { textOfScalar } from './typed-values.ts';

export const ITEMS = {
  id: 'Ids',
  brand: 'Brands',
  category: 'Categories',
  category_prefix: 'Beginnings of categories',
  variant: 'Variants',
} as const satisfies Readonly<Record<ItemField, string>>;

export const ACTIONS = {
  exclude: 'keep it from the platforms',
  include: 'let it through, whatever later rules say',
  sample: 'let a share of them through',
  transform: 'change what the platforms see',
} as const satisfies Readonly<Record<Action['type'], string>>;

export const OPS = {
  rename_event: 'rename the event',
  set_field: 'set a field',
  drop_field: 'leave a field out',
  override_value: 'replace the value',
  scale_value: 'multiply the value',
} as const satisfies Readonly<Record<Change['op'], string>>;

export const SET_FIELDS = ['action_source', 'event_source_url', 'referrer_url'] as const;
export const CUSTOM = 'custom_data.';

const DROPPED = {
  value: true,
  order_id: true,
  items: true,
  event_source_url: true,
  referrer_url: true,
  custom_data: true,
  app: true,
  'user_data.email': true,
  'user_data.phone': true,
  'user_data.first_name': true,
  'user_data.last_name': true,
  'user_data.gender': true,
  'user_data.date_of_birth': true,
  'user_data.city': true,
  'user_data.state': true,
  'user_data.postal_code': true,
  'user_data.country': true,
  'user_data.external_ids': true,
  'user_data.client_ip': true,
  'user_data.user_agent': true,
  'user_data.browser_ids': true,
  'user_data.madid': true,
  'user_data.fb_login_id': true,
  'user_data.subscription_id': true,
  'user_data.lead_id': true,
  'user_data.anon_id': true,
  'user_data.ctwa_clid': true,
} as const satisfies Readonly<Record<DroppedField, true>>;
export const DROP_FIELDS = Object.keys(DROPPED);

const list = (values: readonly unknown[]): string => values.join(', ');

/** All must hold; empty: every event. */
export function conditionsOf(match: Match): readonly string[] {
  const { event_name, source, country, currency, value_min, value_max, items, consent, custom_data } = match;
  const amount =
    value_min === undefined && value_max === undefined
      ? currency
      : `${currency ?? ''} ${value_min === undefined ? '' : `from ${value_min}`} ${value_max === undefined ? '' : `to ${value_max}`}`;
  return [
    ...(event_name ? [`event ${list(event_name)}`] : []),
    ...(source ? [`source ${list(source)}`] : []),
    ...(country ? [`country ${list(country)}`] : []),
    ...(amount === undefined ? [] : [`value in ${amount.replaceAll(/\s+/g, ' ').trim()}`]),
    ...Object.entries(items ?? {}).map(
      ([field, values]) => `an item whose ${field.replace('_', ' ')} is ${list(values ?? [])}`,
    ),
    ...Object.entries(consent ?? {}).map(
      ([signal, state]) => `consent to ${SIGNALS[signal as Signal]} ${String(state)}`,
    ),
    ...(custom_data ?? []).map(({ path, equals, any_of, exists }) => {
      if (any_of !== undefined) return `${path} is one of ${list(any_of.map(textOfScalar))}`;
      if (exists !== undefined) return exists ? `${path} is there` : `${path} is not there`;
      return `${path} is ${textOfScalar(equals ?? '')}`;
    }),
  ];
}

export function actionWordsOf(action: Action): readonly string[] {
  if (action.type === 'sample')
    return [`let ${Number((100 * action.rate).toPrecision(12))} % of them through`];
  if (action.type !== 'transform') return [ACTIONS[action.type]];
  return action.changes.map(changeInWords);
}

function changeInWords(change: Change): string {
  switch (change.op) {
    case 'rename_event':
      return `rename it to ${change.name}`;
    case 'set_field':
      return `set ${change.field} to ${textOfScalar(change.value)}`;
    case 'drop_field':
      return `leave ${change.field} out`;
    case 'override_value':
      return `replace the value by ${change.value} ${change.currency}`;
    case 'scale_value':
      return `multiply the value by ${change.factor}`;
  }
}

type Part = keyof WholeRule;
export const PART_NAMES: Readonly<Record<Part, string>> = {
  name: 'Name',
  enabled: 'Switched on',
  priority: 'Priority',
  match: 'Which events',
  action: 'What it does',
  platforms: 'Platforms',
};

/** One part of a rule in words. */
export function partInWords(part: Part, rule: WholeRule): string {
  const { name, enabled, priority, match, action, platforms } = rule;
  const words: Readonly<Record<Part, string>> = {
    name,
    enabled: enabled ? 'yes' : 'no',
    priority: String(priority),
    match: conditionsOf(match).join('; ') || 'every event',
    action: actionWordsOf(action).join('; '),
    platforms: platforms.length === 0 ? 'every platform' : list(platforms),
  };
  return words[part];
}
