// What becomes of the events a rule is about: kept from platforms, let through, or changed on their way.
import { Choice, Field } from '#dashboard/parts/field.tsx';
import { type FieldsProps, ProblemText, Several } from './match-fields.tsx';
import { type Action, type Change, NEW_CHANGE, type TypedChange } from './rule-draft.ts';
import { ACTIONS, CUSTOM, DROP_FIELDS, OPS, SET_FIELDS } from './rule-words.ts';

export function ActionFields({ draft, set, problems }: FieldsProps) {
  const { kind, rate, changes } = draft;
  const choose = (next: string): void =>
    set({
      kind: next as Action['type'],
      // A change that is there to be filled says more than a button for one.
      ...(next === 'transform' && changes.length === 0 ? { changes: [NEW_CHANGE] } : {}),
    });
  return (
    <>
      <ProblemText problem={problems.at('action')} />
      <div className="grid gap-4 sm:grid-cols-2">
        <Choice label="It does" value={kind} options={Object.entries(ACTIONS)} change={choose} />
        {kind === 'sample' && (
          <Field
            label="Share that goes through"
            help="From 0 to 1: 0.25 is a quarter, the same events at every platform."
            inputMode="decimal"
            value={rate}
            problem={problems.at('action.rate')}
            change={(text) => set({ rate: text })}
          />
        )}
      </div>
      {kind === 'transform' && <Changes draft={draft} set={set} problems={problems} />}
    </>
  );
}

function Changes({ draft: { changes }, set, problems }: FieldsProps) {
  return (
    <div className="mt-4">
      <ProblemText problem={problems.at('action.changes')} />
      <Several noun="change" list={changes} blank={NEW_CHANGE} set={(next) => set({ changes: next })}>
        {(change, put, index) => (
          <OneChange
            change={change}
            put={put}
            problemOf={(name) => problems.at(`action.changes.${index}.${name}`)}
          />
        )}
      </Several>
    </div>
  );
}

interface OneChangeProps {
  readonly change: TypedChange;
  readonly put: (change: Partial<TypedChange>) => void;
  readonly problemOf: (name: string) => string | undefined;
}

/** What the API calls the value of each change. */
const VALUE_NAMES = {
  rename_event: ['name', 'New name'],
  set_field: ['value', 'Value'],
  override_value: ['value', 'Value'],
  scale_value: ['factor', 'Times'],
} as const satisfies Readonly<Partial<Record<Change['op'], readonly [string, string]>>>;

function OneChange({ change, put, problemOf }: OneChangeProps) {
  const { op, value, currency } = change;
  return (
    <>
      <Choice
        label="What"
        value={op}
        problem={problemOf('op')}
        options={Object.entries(OPS)}
        change={(next) =>
          put({ ...NEW_CHANGE, op: next as Change['op'], field: firstFieldOf(next as Change['op']) })
        }
      />
      {(op === 'set_field' || op === 'drop_field') && (
        <WhichField change={change} put={put} problemOf={problemOf} />
      )}
      {op !== 'drop_field' && (
        <Field
          label={VALUE_NAMES[op][1]}
          help={
            op === 'scale_value' ? 'The value and the prices of items: 0.3 for a margin of 30 %.' : undefined
          }
          value={value}
          problem={problemOf(VALUE_NAMES[op][0])}
          change={(text) => put({ value: text })}
        />
      )}
      {op === 'override_value' && (
        <Field
          label="In the currency"
          value={currency}
          problem={problemOf('currency')}
          change={(text) => put({ currency: text })}
        />
      )}
    </>
  );
}

const firstFieldOf = (op: Change['op']): string =>
  op === 'set_field' ? SET_FIELDS[0] : op === 'drop_field' ? (DROP_FIELDS[0] ?? '') : '';

function WhichField({ change: { op, field }, put, problemOf }: OneChangeProps) {
  const known: readonly string[] = op === 'set_field' ? SET_FIELDS : DROP_FIELDS;
  const isCustom = field.startsWith(CUSTOM);
  const problem = problemOf('field');
  return (
    <>
      <Choice
        label="Field"
        value={isCustom ? CUSTOM : field}
        problem={isCustom ? undefined : problem}
        options={[...known.map((one) => [one, one] as const), [CUSTOM, 'one of custom_data']]}
        change={(next) => put({ field: next })}
      />
      {isCustom && (
        <Field
          label="Path in custom_data"
          help="Such as plan.tier."
          value={field.slice(CUSTOM.length)}
          problem={problem}
          change={(text) => put({ field: CUSTOM + text })}
        />
      )}
    </>
  );
}
