// Two people edit one rule: shows what the other one saved beside what is typed here. Nothing is lost: fields that only
// one of them changed keep that change, and for fields that both changed the person chooses.
import { Button } from '#dashboard/parts/button.tsx';
import { Notice } from '#dashboard/parts/page.tsx';
import { Cell, Row, Table } from '#dashboard/parts/table.tsx';
import { Time } from '#dashboard/parts/written.tsx';
import { type Draft, differencesOf, draftOf, type Rule, ruleOf } from './rule-draft.ts';
import { PART_NAMES, partInWords } from './rule-words.ts';

interface ConflictProps {
  readonly base: Rule;
  readonly theirs: Rule | 'deleted';
  readonly mine: Draft;
  /** Called with the current rule (none: the form creates a new one from here on) and the form's content. */
  readonly goOn: (now: Rule | undefined, next: Draft) => void;
}

export function Conflict({ base, theirs, mine, goOn }: ConflictProps) {
  if (theirs === 'deleted')
    return (
      <Notice tone="wait">
        <p className="mb-3">
          <strong>Somebody deleted this rule meanwhile.</strong> What you typed is still here.
        </p>
        <Button onClick={() => goOn(undefined, mine)}>Go on: make it a new rule</Button>
      </Notice>
    );
  const typed = ruleOf(mine);
  const before = ruleOf(draftOf(base));
  const theirParts = differencesOf(before, ruleOf(draftOf(theirs)));
  const myParts = differencesOf(before, typed);
  const merged = { ...theirs, ...Object.fromEntries(myParts.map((part) => [part, typed[part]])) } as Rule;
  return (
    <Notice tone="wait">
      <p className="mb-3">
        <strong>Somebody else changed this rule</strong> <Time at={theirs.updated_at} as="ago" />. Nothing of
        yours is saved yet, and nothing you typed is lost.
      </p>
      <Table name="What the other one changed" head={['Field', 'It was', 'It is now', 'You typed']}>
        {theirParts.map((part) => (
          <Row key={part}>
            <Cell className="font-bold whitespace-nowrap">{PART_NAMES[part]}</Cell>
            <Cell className="foreign min-w-28">{partInWords(part, base)}</Cell>
            <Cell className="foreign min-w-28 font-bold">{partInWords(part, theirs)}</Cell>
            <Cell className="foreign min-w-28">
              {myParts.includes(part) ? partInWords(part, typed) : 'nothing of your own'}
            </Cell>
          </Row>
        ))}
      </Table>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button onClick={() => goOn(theirs, draftOf(merged))}>
          Keep what I typed, and go on from theirs
        </Button>
        <Button onClick={() => goOn(theirs, draftOf(theirs))}>Take theirs</Button>
      </div>
    </Notice>
  );
}
