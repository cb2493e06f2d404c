// Rules: which events are sent where, and how they are changed, in the order in which they run.

import { useEffect, useRef, useState } from 'react';
import { useRefusal } from '#dashboard/app/account.ts';
import { useAsk, useChange, useRefresh } from '#dashboard/app/api.tsx';
import { Button } from '#dashboard/parts/button.tsx';
import { Empty, Failure, Loaded, Notice, Page, Panel } from '#dashboard/parts/page.tsx';
import { useUrlState } from '#dashboard/parts/url-state.ts';
import { count, Id } from '#dashboard/parts/written.tsx';
import { DryRun } from './dry-run.tsx';
import { DeleteRule, OneRule } from './one-rule.tsx';
import { isMissed, type Rule, type RuleList } from './rule-draft.ts';
import { RuleForm } from './rule-form.tsx';
import { type Step, stepsUp } from './rule-order.ts';

const NEW = 'new';

export default function RulesPage() {
  const [{ edit, dry_run }, change] = useUrlState();
  const rules = useAsk('listRules', {});
  const refusal = useRefusal('updateRule');
  const named = rules.data?.rules.find(({ id }) => id === (edit ?? dry_run));
  const back = (): void => change({ edit: '', dry_run: '' });
  if (edit === undefined && dry_run === undefined)
    return (
      <Page
        key="list"
        title="Rules"
        about="Which events go where, and what is changed of them on the way."
        actions={
          refusal === undefined && (
            <Button kind="primary" onClick={() => change({ edit: NEW })}>
              New rule
            </Button>
          )
        }
      >
        {refusal !== undefined && <Notice tone="plain">You see the rules. To change them: {refusal}</Notice>}
        <Loaded query={rules} rows={6}>
          {(data) => <InOrder data={data} canChange={refusal === undefined} open={change} />}
        </Loaded>
      </Page>
    );
  const title = edit === NEW ? 'New rule' : edit === undefined ? 'Dry run' : 'Edit rule';
  return (
    <Page key={title} title={title} about={named?.name} actions={<Button onClick={back}>← Rules</Button>}>
      {refusal === undefined ? (
        <Loaded query={rules} rows={8}>
          {() =>
            edit !== undefined ? (
              <Editing key={edit} isNew={edit === NEW} rule={named} close={back} />
            ) : named === undefined ? (
              <Missing />
            ) : (
              <DryRun body={{ rule_id: named.id }} about="Switched on, compared with switched off." />
            )
          }
        </Loaded>
      ) : (
        <Notice tone="plain">{refusal}</Notice>
      )}
    </Page>
  );
}

interface EditingProps {
  readonly isNew: boolean;
  readonly rule: Rule | undefined;
  readonly close: () => void;
}

/** The rule as it was opened: typed text stays, even if the rule is deleted meanwhile. */
function Editing({ isNew, rule, close }: EditingProps) {
  const [opened] = useState(rule);
  if (opened === undefined && !isNew) return <Missing />;
  return <RuleForm rule={opened} close={close} />;
}

function Missing() {
  return (
    <Notice tone="bad">There is no rule with this id. It was deleted, or belongs to another merchant.</Notice>
  );
}

interface InOrderProps {
  readonly data: RuleList;
  readonly canChange: boolean;
  readonly open: (state: Readonly<Record<string, string>>) => void;
}

function InOrder({ data: { rules, broken, limits }, canChange, open }: InOrderProps) {
  const moving = useMoving(rules);
  return (
    <Panel title={`${count(rules.length)} of ${count(limits.rules)} rules`}>
      <p className="mb-3 text-dim">
        They run from the top. Of those that keep events back or let them through, the first that fits
        decides; those that change events all apply, in this order.
      </p>
      <output className="sr-only">{moving.said}</output>
      <Failure error={moving.error} />
      {moving.isStuck && (
        <Notice tone="wait">There is no room between these two: give one another priority.</Notice>
      )}
      {rules.length === 0 ? (
        <Empty title="There is no rule">
          Without one, every event goes to every platform that is connected and may have it.
        </Empty>
      ) : (
        <ol>
          {rules.map((rule, index) => (
            <OneRule
              key={rule.id}
              rule={rule}
              place={index}
              isLast={index === rules.length - 1}
              canChange={canChange}
              isMoving={moving.isPending}
              move={(direction) => moving.move(index, direction)}
              open={open}
            />
          ))}
        </ol>
      )}
      {broken.map(({ id, problem }) => (
        <Notice key={id} tone="bad">
          <p>
            The rule <Id>{id}</Id> cannot be read and is skipped: {problem}
          </p>
          {canChange && <DeleteRule id={id} name={id} />}
        </Notice>
      ))}
    </Panel>
  );
}

type Direction = 'up' | 'down';

/** Moves by one place. The button keeps the focus and follows its rule. */
function useMoving(rules: RuleList['rules']) {
  const refresh = useRefresh();
  const [said, setSaid] = useState('');
  const [isStuck, setStuck] = useState(false);
  const focus = useRef<string>(undefined);
  useEffect(() => {
    if (focus.current !== undefined) document.getElementById(focus.current)?.focus();
    focus.current = undefined;
  });
  const change = useChange(async ({ client }, steps: readonly Step[]) => {
    try {
      for (const { id, priority } of steps) {
        const version = rules.find((rule) => rule.id === id)?.version;
        const headers = { 'if-match': `"${version}"` };
        await client.updateRule({ params: { id }, headers, body: { priority } });
      }
    } catch (error) {
      // Another person has changed the rules: the current ones are shown, and the move is not made.
      if (!isMissed(error)) throw error;
      return 'Somebody else changed the rules meanwhile. They are shown as they are now.';
    } finally {
      await refresh(['listRules']);
    }
    return undefined;
  });
  return {
    ...change,
    said,
    isStuck,
    move: (index: number, direction: Direction): void => {
      const steps = stepsUp(rules, direction === 'up' ? index : index + 1);
      setStuck(steps === null);
      const rule = rules[index];
      if (steps === null || rule === undefined) return;
      const to = direction === 'up' ? index : index + 2;
      change.send(steps, (refused) => {
        focus.current = `move-${direction}-${rule.id}`;
        setSaid(refused ?? `${rule.name} is number ${count(to)} of ${count(rules.length)} now.`);
      });
    },
  };
}
