// Which events a rule is about: everything that is filled must hold, and nothing filled is every event.
import type { ReactNode } from 'react';
import { Button } from '#dashboard/parts/button.tsx';
import { Choice, Field, fieldsOf, Lines } from '#dashboard/parts/field.tsx';
import type { Problems } from '#dashboard/parts/problems.ts';
import { SIGNALS } from '../words.ts';
import { type Draft, ITEM_FIELDS, NEW_CONDITION, type Signal, type TypedCondition } from './rule-draft.ts';
import { ITEMS } from './rule-words.ts';

export interface FieldsProps {
  readonly draft: Draft;
  readonly set: (changes: Partial<Draft>) => void;
  readonly problems: Problems;
}

const GRID = 'grid gap-4 sm:grid-cols-3';
const signals = Object.entries(SIGNALS) as (readonly [Signal, string])[];

export function MatchFields({ draft, set, problems }: FieldsProps) {
  const bind = fieldsOf<'event_name' | 'source' | 'country' | 'currency' | 'value_min' | 'value_max'>(
    draft,
    (name, text) => set({ [name]: text }),
    { at: (name) => problems.at(`match.${name}`) },
  );
  return (
    <>
      <ProblemText problem={problems.at('match')} />
      <div className={GRID}>
        <Lines label="Event names" help="One a line, such as Purchase." {...bind('event_name')} />
        <Lines label="Sources" help="One a line, as events name them." {...bind('source')} />
        <Lines label="Countries" help="One a line, in two capital letters." {...bind('country')} />
        <Field label="Currency" help="Such as EUR; needed with a value." {...bind('currency')} />
        <Field label="Value from" inputMode="decimal" {...bind('value_min')} />
        <Field label="Value to" inputMode="decimal" {...bind('value_max')} />
      </div>
      <Folded
        title="Items"
        at="match.items"
        isOpen={Object.values(draft.items).some((text) => text !== '')}
        problems={problems}
      >
        <p className="mb-3 text-sm text-dim">There must be one item of which all of this is true.</p>
        <ProblemText problem={problems.at('match.items')} />
        <div className={GRID}>
          {ITEM_FIELDS.map((field) => (
            <Lines
              key={field}
              label={ITEMS[field]}
              help="One a line."
              value={draft.items[field]}
              problem={problems.at(`match.items.${field}`)}
              change={(text) => set({ items: { ...draft.items, [field]: text } })}
            />
          ))}
        </div>
      </Folded>
      <Folded
        title="Consent"
        at="match.consent"
        isOpen={Object.values(draft.consent).some(Boolean)}
        problems={problems}
      >
        <div className={GRID}>
          {signals.map(([signal, name]) => (
            <Choice
              key={signal}
              label={`Consent to ${name}`}
              value={draft.consent[signal] ?? ''}
              problem={problems.at(`match.consent.${signal}`)}
              options={[
                ['', 'any'],
                ['granted', 'granted'],
                ['denied', 'denied'],
                ['unknown', 'not stated'],
              ]}
              change={(state) => set({ consent: { ...draft.consent, [signal]: state } })}
            />
          ))}
        </div>
      </Folded>
      <CustomFields draft={draft} set={set} problems={problems} />
    </>
  );
}

interface FoldedProps {
  readonly title: string;
  /** What the API calls it. */
  readonly at: string;
  readonly isOpen: boolean;
  readonly problems: Problems;
  readonly children: ReactNode;
}

/** Open where something is filled, or wrong. */
function Folded({ title, at, isOpen, problems, children }: FoldedProps) {
  return (
    <details className="mt-4 border-t border-line pt-3" open={isOpen || problems.isWithin(at)}>
      <summary className="font-bold">{title}</summary>
      <div className="mt-3">{children}</div>
    </details>
  );
}

export function ProblemText({ problem }: { readonly problem: string | undefined }) {
  return problem === undefined ? null : <p className="foreign mb-3 text-sm text-bad">✖ {problem}</p>;
}

interface SeveralProps<T> {
  /** What each is. */
  readonly noun: string;
  readonly list: readonly T[];
  /** What is added. */
  readonly blank: T;
  readonly set: (list: readonly T[]) => void;
  readonly children: (one: T, put: (change: Partial<T>) => void, at: number) => ReactNode;
}

/** Entries of a rule, each with a way to take it out, and one to add another. */
export function Several<T extends object>({ noun, list, blank, set, children }: SeveralProps<T>) {
  return (
    <>
      {list.map((one, index) => (
        <fieldset
          // biome-ignore lint/suspicious/noArrayIndexKey: entries are their places, and hold no state of their own
          key={index}
          className="mb-3 grid gap-3 rounded-sm border border-line p-3 sm:grid-cols-3"
        >
          <legend className="px-1 text-sm font-bold">
            {noun.charAt(0).toUpperCase() + noun.slice(1)} {index + 1}
          </legend>
          {children(one, (change) => set(list.with(index, { ...one, ...change })), index)}
          <div className="sm:col-span-3">
            <Button kind="quiet" onClick={() => set(list.filter((_, other) => other !== index))}>
              Take {noun} {index + 1} out
            </Button>
          </div>
        </fieldset>
      ))}
      <Button onClick={() => set([...list, blank])}>Add a {noun}</Button>
    </>
  );
}

function CustomFields({ draft: { custom_data }, set, problems }: FieldsProps) {
  return (
    <Folded title="Custom fields" at="match.custom_data" isOpen={custom_data.length > 0} problems={problems}>
      <p className="mb-3 text-sm text-dim">
        Numbers, true and false are taken as such; in double quotes they are texts.
      </p>
      <ProblemText problem={problems.at('match.custom_data')} />
      <Several
        noun="custom field"
        list={custom_data}
        blank={NEW_CONDITION}
        set={(next) => set({ custom_data: next })}
      >
        {(condition, put, at) => (
          <OneCondition place={`match.custom_data.${at}`} {...{ condition, problems, put }} />
        )}
      </Several>
    </Folded>
  );
}

interface OneConditionProps {
  /** What the API calls it. */
  readonly place: string;
  readonly condition: TypedCondition;
  readonly problems: Problems;
  readonly put: (change: Partial<TypedCondition>) => void;
}

function OneCondition({ place, condition: { path, test, value }, problems, put }: OneConditionProps) {
  const valueProblem = problems.at(`${place}.equals`) ?? problems.at(`${place}.any_of`) ?? problems.at(place);
  return (
    <>
      <Field
        label="Path"
        help="Such as plan.tier."
        value={path}
        problem={problems.at(`${place}.path`)}
        change={(text) => put({ path: text })}
      />
      <Choice
        label="Must"
        value={test}
        options={[
          ['equals', 'be'],
          ['any_of', 'be one of'],
          ['present', 'be there'],
          ['absent', 'not be there'],
        ]}
        change={(next) => put({ test: next as TypedCondition['test'] })}
      />
      {test === 'any_of' ? (
        <Lines
          label="Values"
          help="One a line."
          value={value}
          problem={valueProblem}
          change={(text) => put({ value: text })}
        />
      ) : test === 'equals' ? (
        <Field label="Value" value={value} problem={valueProblem} change={(text) => put({ value: text })} />
      ) : null}
    </>
  );
}
