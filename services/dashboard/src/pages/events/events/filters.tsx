// The filters of the list: each is a parameter of the API, by its own name, in the URL.
import { useState } from 'react';
import type { Input } from '#dashboard/app/api.tsx';
import { Choice, Field } from '#dashboard/parts/field.tsx';
import type { UrlProps, UrlState } from '#dashboard/parts/url-state.ts';
import { FilterForm, type OneFilter } from '../filter-form.tsx';
import { availableIn, labelOf, namedIn, type PlatformList } from '../platform-list.ts';

type Query = NonNullable<Input<'listEvents'>['query']>;

const STATUSES = [
  ['DELIVERED', 'delivered'],
  ['pending', 'waiting'],
  ['QUEUED', 'waiting for its first attempt'],
  ['RETRY', 'waiting for a retry'],
  ['connection_paused', 'waiting for its connection'],
  ['processing', 'on its way'],
  ['FAILED', 'refused for good'],
  ['ERROR', 'given up'],
  ['SKIPPED', 'skipped'],
  ['not_connected', 'withheld: not connected'],
  ['consent_denied', 'withheld: consent denied'],
  ['consent_missing', 'withheld: consent the connection requires'],
  ['event_not_listed', 'withheld: not in the list of the connection'],
  ['rule_excluded', 'withheld: by a rule'],
  ['invalid', 'withheld: not valid there'],
  ['too_old', 'withheld: too old'],
  ['bot', 'withheld: a bot'],
  ['test_mode', 'withheld: a test'],
  ['suppressed', 'withheld: a suppressed person'],
  ['personal_found', 'withheld: something personal in it'],
  ['server_copy', 'withheld: yields to the server copy'],
  ['same_order', 'withheld: has the order from another event'],
  ['not_taken_back', 'withheld: a refund, not taken back there'],
  ['unmapped', 'no such event there'],
] as const satisfies readonly (readonly [NonNullable<Query['status']>, string])[];

const OUTCOMES = [
  ['delivered', 'delivered'],
  ['waiting', 'waiting'],
  ['failed', 'failed'],
  ['withheld', 'withheld'],
] as const satisfies readonly (readonly [NonNullable<Query['outcome']>, string])[];

const TESTS = [
  ['true', 'only these'],
  ['false', 'without them'],
] as const satisfies readonly (readonly [NonNullable<Query['test']>, string])[];

const ORDERS = [
  ['', 'newest first'],
  ['received_at asc', 'oldest first'],
  ['event_time desc', 'latest event time'],
  ['value desc', 'highest value'],
  ['value asc', 'lowest value'],
] as const;

interface FiltersProps extends UrlProps {
  readonly platforms: PlatformList | undefined;
}

export function Filters({ state, change, platforms }: FiltersProps) {
  /** Another filter begins at the first page. */
  const set = (changes: UrlState): void => change({ ...changes, cursor: '', offset: '' });
  const order = state.orderBy === undefined ? '' : `${state.orderBy} ${state.orderDirection ?? 'desc'}`;
  const chosen = (name: string, list: readonly (readonly [string, string])[]) => {
    const value = state[name] ?? '';
    // What the list does not know is shown as it is in the URL.
    if (value === '' || list.some(([one]) => one === value)) return list;
    return [...list, [value, labelOf(platforms, value)] as const];
  };
  const choices = [
    ['Platform', 'platform', namedIn(platforms, availableIn(platforms))],
    ['Outcome', 'outcome', OUTCOMES],
    ['Status', 'status', STATUSES],
    ['Tests', 'test', TESTS],
  ] as const;
  const isFiltered = Object.keys(state).length > 0;
  return (
    <FilterForm state={state} set={set} isFiltered={isFiltered}>
      <Typed name="search" label="Id, order or e-mail" state={state} set={set} />
      {choices.map(([label, name, list]) => (
        <Choice
          key={name}
          label={label}
          value={state[name] ?? ''}
          options={[['', 'any'], ...chosen(name, list)]}
          change={(value) => set({ [name]: value })}
        />
      ))}
      <Typed name="code" label="Code" state={state} set={set} />
      <Typed name="event_name" label="Event name" state={state} set={set} />
      <Typed name="source" label="Source" state={state} set={set} />
      <Choice
        label="Order"
        value={order}
        options={ORDERS}
        change={(value) => {
          const [orderBy = '', orderDirection = ''] = value.split(' ');
          set({ orderBy, orderDirection });
        }}
      />
    </FilterForm>
  );
}

/** Taken with Enter or when it is left: not with each letter, which would ask the API each time. */
function Typed({ name, label, state, set }: OneFilter) {
  const given = state[name] ?? '';
  const [text, setText] = useState(given);
  const [seen, setSeen] = useState(given);
  if (seen !== given) {
    setSeen(given);
    setText(given);
  }
  const take = (): void => {
    if (text.trim() !== given) set({ [name]: text.trim() });
  };
  return (
    <Field
      label={label}
      value={text}
      maxLength={254}
      change={setText}
      onBlur={take}
      onKeyDown={({ key }) => key === 'Enter' && take()}
    />
  );
}
