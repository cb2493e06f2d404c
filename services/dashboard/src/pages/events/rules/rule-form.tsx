// The form of a rule. Guarantees: an error is shown at its field; what another person saved meanwhile is shown beside
// what is typed, and neither is lost; repeated tries create one rule.

import { useCallback, useState } from 'react';
import { useKeyedChange } from '#dashboard/app/api.tsx';
import { BroughtBack, useKept } from '#dashboard/app/kept.tsx';
import { Button } from '#dashboard/parts/button.tsx';
import { Choice, Field, Form, fieldsOf } from '#dashboard/parts/field.tsx';
import { Failure, Notice, Panel } from '#dashboard/parts/page.tsx';
import { problemsOf, useProblems } from '#dashboard/parts/problems.ts';
import { Ticks } from '#dashboard/parts/tick.tsx';
import { availableIn, labelOf, namedIn, usePlatforms } from '../platform-list.ts';
import { SIGNALS } from '../words.ts';
import { ActionFields } from './action-fields.tsx';
import { Conflict } from './conflict.tsx';
import { DryRun } from './dry-run.tsx';
import { type FieldsProps, MatchFields, ProblemText } from './match-fields.tsx';
import {
  changesOf,
  type Draft,
  draftOf,
  ITEM_FIELDS,
  isMissed,
  NEW_RULE,
  type Rule,
  ruleOf,
} from './rule-draft.ts';

interface RuleFormProps {
  /** Undefined: a new rule. */
  readonly rule: Rule | undefined;
  readonly close: () => void;
}

/** With the rule that it changes, as it was then: later saves of other people are conflicts. */
interface Kept {
  readonly base: Rule | undefined;
  readonly draft: Draft;
}

const EMPTY = draftOf(NEW_RULE);

export function RuleForm({ rule, close }: RuleFormProps) {
  const [kept, keep, isBack] = useKept<Kept>(`rule.${rule?.id ?? 'new'}`);
  const base = kept === null ? rule : kept.base;
  const draft = kept?.draft ?? (rule === undefined ? EMPTY : draftOf(rule));
  const [untried, setUntried] = useState<unknown>(null);
  const leave = (): void => {
    keep(null);
    close();
  };
  const save = useSaving(base, draft, leave);
  // The fields show the last refusal.
  const forget = save.reset;
  const takeDryRunError = useCallback(
    (error: unknown) => {
      setUntried(error);
      if (error) forget();
    },
    [forget],
  );
  const refusal = save.error ?? untried;
  const fields = pathsOf(draft);
  const problems = useProblems(refusal, fields, save.error === null ? 'rule.' : '');
  const set = (changes: Partial<Draft>): void => keep({ base, draft: { ...draft, ...changes } });
  const isSame = base !== undefined && Object.keys(changesOf(base, draft)).length === 0;
  const submit = (): void => {
    if (!isSame) save.send();
  };
  const isOff = !draft.enabled && base?.enabled !== true;
  const tried = { ...ruleOf(draft), enabled: draft.enabled || isOff };
  return (
    <>
      {isBack && <BroughtBack drop={() => keep(null)} />}
      <Form ref={problems.form} send={submit}>
        <Basics draft={draft} set={set} problems={problems} />
        <Panel title="Which events">
          <p className="mb-3 text-dim">All that is filled must hold. Nothing filled: every event.</p>
          <MatchFields draft={draft} set={set} problems={problems} />
        </Panel>
        <Panel title="What it does with them">
          <ActionFields draft={draft} set={set} problems={problems} />
          <ForPlatforms draft={draft} set={set} problems={problems} />
        </Panel>
        {save.theirs !== undefined && base !== undefined && (
          <Conflict
            base={base}
            theirs={save.theirs}
            goOn={(now, next) => {
              keep({ base: now, draft: next });
              save.reset();
            }}
            mine={draft}
          />
        )}
        {save.error && problems.rest === null ? (
          <Notice tone="bad">It was not saved: see the marked fields.</Notice>
        ) : (
          <Failure error={save.error} />
        )}
        <div className="mb-6 flex flex-wrap items-center gap-2">
          <Button
            type="submit"
            kind="primary"
            busy={save.isPending}
            refused={
              save.theirs === undefined
                ? isSame
                  ? 'Nothing was changed.'
                  : undefined
                : 'Decide above first.'
            }
          >
            {base === undefined ? 'Make the rule' : 'Save the rule'}
          </Button>
          <Button onClick={leave}>Cancel</Button>
          <span className="text-sm text-dim">It holds from the next event on.</span>
        </div>
      </Form>
      <DryRun
        body={{ rule: tried, ...(base === undefined ? {} : { rule_id: base.id }) }}
        about={isOff ? 'As if the rule were switched on.' : undefined}
        refused={(error) => problemsOf(error, fields, 'rule.')}
        onError={takeDryRunError}
      />
    </>
  );
}

/** Saves; if the rule has changed in the meantime, resolves to the current rule. */
function useSaving(base: Rule | undefined, draft: Draft, done: () => void) {
  const save = useKeyedChange(
    async ({ client }, asked: Draft, headers): Promise<Rule | 'deleted' | undefined> => {
      if (base === undefined) {
        await client.createRule({ body: ruleOf(asked), headers });
        return undefined;
      }
      try {
        const seen = { 'if-match': `"${base.version}"` };
        await client.updateRule({ params: { id: base.id }, headers: seen, body: changesOf(base, asked) });
        return undefined;
      } catch (error) {
        if (!isMissed(error)) throw error;
        const { rules } = (await client.listRules()).body;
        return rules.find(({ id }) => id === base.id) ?? 'deleted';
      }
    },
    { refresh: ['listRules'], done: (theirs) => theirs === undefined && done() },
  );
  return {
    ...save,
    theirs: save.data,
    send: (): void => save.send(draft),
  };
}

function pathsOf({ custom_data, changes }: Draft): readonly string[] {
  return [
    ...['name', 'priority', 'platforms', 'match', 'action', 'action.rate', 'action.changes'],
    ...['event_name', 'source', 'country', 'currency', 'value_min', 'value_max'].map((one) => `match.${one}`),
    ...['match.items', ...ITEM_FIELDS.map((one) => `match.items.${one}`)],
    ...Object.keys(SIGNALS).map((one) => `match.consent.${one}`),
    'match.custom_data',
    ...custom_data.flatMap((_, at) =>
      ['', '.path', '.equals', '.any_of'].map((one) => `match.custom_data.${at}${one}`),
    ),
    ...changes.flatMap((_, at) =>
      ['op', 'field', 'value', 'name', 'factor', 'currency'].map((one) => `action.changes.${at}.${one}`),
    ),
  ];
}

function Basics({ draft, set, problems }: FieldsProps) {
  const bind = fieldsOf<'name' | 'priority'>(draft, (name, text) => set({ [name]: text }), problems);
  return (
    <Panel title="Rule">
      <div className="grid gap-4 sm:grid-cols-3">
        <Field label="Name" required maxLength={100} {...bind('name')} />
        <Field
          label="Priority"
          help="Lower runs first. In the list it is moved by buttons."
          inputMode="numeric"
          {...bind('priority')}
        />
        <Choice
          label="It is"
          value={String(draft.enabled)}
          options={[
            ['true', 'on'],
            ['false', 'off'],
          ]}
          change={(enabled) => set({ enabled: enabled === 'true' })}
        />
      </div>
    </Panel>
  );
}

function ForPlatforms({ draft: { platforms }, set, problems }: FieldsProps) {
  const { data } = usePlatforms();
  const known = namedIn(data, availableIn(data));
  // Platforms missing from the list are kept and shown.
  const others = platforms.filter((slug) => known.every(([one]) => one !== slug));
  return (
    <fieldset className="mt-4">
      <legend className="mb-1 text-sm font-bold">For which platforms</legend>
      <ProblemText problem={problems.at('platforms')} />
      <p className="mb-2 text-sm text-dim">None ticked: for every platform.</p>
      <div className="grid grid-cols-2 gap-x-4 sm:grid-cols-4">
        <Ticks
          options={[...known, ...others.map((slug) => [slug, labelOf(data, slug)] as const)]}
          chosen={platforms}
          choose={(slugs) => set({ platforms: slugs })}
        />
      </div>
    </fieldset>
  );
}
