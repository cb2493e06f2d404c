// The person to erase. The values are typed twice before anything is sent, because an erasure cannot be undone. They
// are stored neither in the URL nor in the browser.

import { type ComponentProps, useEffect, useState } from 'react';
import { useRefusal } from '#dashboard/app/account.ts';
import { useChange } from '#dashboard/app/api.tsx';
import { Button } from '#dashboard/parts/button.tsx';
import { Field, Form } from '#dashboard/parts/field.tsx';
import { Confirm } from '#dashboard/parts/lazily.tsx';
import { Notice, Panel } from '#dashboard/parts/page.tsx';
import { problemsOf, useProblems } from '#dashboard/parts/problems.ts';
import { EMPTY, FIELDS, LABELS, type Typed, wordsIn } from './person-fields.ts';
import { PersonInputs } from './person-inputs.tsx';
import type { Erasure } from './receipt.tsx';

export function EraseForm({ begun }: { readonly begun: (erasure: Erasure) => void }) {
  const [typed, setTyped] = useState<Typed>(EMPTY);
  const [asks, setAsks] = useState(false);
  const refusal = useRefusal('createErasure');
  const erase = useChange(({ client }, body: Partial<Typed>) => client.createErasure({ body }), {
    refresh: ['listErasures'],
    done: ({ body }) => {
      setAsks(false);
      setTyped(EMPTY);
      begun(body.erasure);
    },
  });
  const problems = useProblems(asks ? null : erase.error, FIELDS);
  const words = wordsIn(typed);
  const said = Object.values(words);
  const isNothing = said.length === 0;
  const isAtFields = erase.error !== null && problemsOf(erase.error, FIELDS).rest === null;
  useEffect(() => {
    if (isAtFields) setAsks(false);
  }, [isAtFields]);
  return (
    <Panel title="Erase a person">
      {refusal !== undefined && <Notice tone="plain">{refusal}</Notice>}
      <Form
        ref={problems.form}
        send={() => {
          if (!isNothing && refusal === undefined) setAsks(true);
        }}
      >
        <PersonInputs
          label={(name) => LABELS[name][0]}
          typed={typed}
          problems={problems}
          change={(next) => {
            setTyped(next);
            erase.reset();
          }}
        />
        <p className="mt-2 text-sm text-dim">With several, events that hold any of them are erased.</p>
        {isAtFields && !asks && <Notice tone="bad">Nothing was erased: see the marked fields.</Notice>}
        <Button
          className="mt-4"
          type="submit"
          kind="danger"
          refused={refusal ?? (isNothing ? 'Fill at least one field.' : undefined)}
        >
          Erase…
        </Button>
      </Form>
      {asks && (
        <Sure words={said} erase={{ ...erase, send: () => erase.send(words) }} close={() => setAsks(false)} />
      )}
    </Panel>
  );
}

interface SureProps {
  readonly words: readonly string[];
  readonly erase: ComponentProps<typeof Confirm>['change'];
  readonly close: () => void;
}

function Sure({ words, erase, close }: SureProps) {
  const [again, setAgain] = useState('');
  const isSame = again.trim() === words[0];
  return (
    <Confirm
      title="Erase this person for good?"
      action="Erase for good"
      change={erase}
      refused={isSame ? undefined : 'Type it once more first.'}
      close={close}
    >
      <p className="mb-3">
        From every stored event of this person goes what is personal: addresses, numbers, ids, what browsers
        sent. The events can be sent to no platform any more. Platforms that delete a person on request are
        asked to; what others have already, they keep.
      </p>
      <p className="foreign mb-3 font-mono">{words.join(', ')}</p>
      <Field
        label={words.length === 1 ? 'Type it once more' : 'Type the first one once more'}
        value={again}
        change={setAgain}
      />
    </Confirm>
  );
}
