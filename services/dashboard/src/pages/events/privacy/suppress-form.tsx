// People who object: whose later events are not to name them. One person by fields, many by lines. What was typed is stored neither in
// the URL nor in the browser.
import { useState } from 'react';
import { Link } from 'wouter';
import { useRefusal } from '#dashboard/app/account.ts';
import { useAsk, useChange } from '#dashboard/app/api.tsx';
import { Button } from '#dashboard/parts/button.tsx';
import { Form, Lines } from '#dashboard/parts/field.tsx';
import { Failure, LoadedPanel, Notice } from '#dashboard/parts/page.tsx';
import { useProblems } from '#dashboard/parts/problems.ts';
import { count } from '#dashboard/parts/written.tsx';
import { EMPTY, FIELDS, type Typed, wordsIn } from './person-fields.ts';
import { PersonInputs } from './person-inputs.tsx';

const SETTINGS = {
  off: 'go like any other',
  without_identity: 'go without their person',
  not_sent: 'are not sent',
} as const;

export function Suppressions() {
  const list = useAsk('countSuppressed', { query: {} });
  return (
    <LoadedPanel title="People who object" query={list} rows={3}>
      {({ suppression, count: many, is_complete }) => (
        <>
          <p className="mb-3 text-sm">
            Later events of people on this list {SETTINGS[suppression]} (
            <Link href="/settings" className="underline">
              Settings
            </Link>
            ). On it are {is_complete ? '' : 'more than '}
            <strong>{count(many)}</strong> addresses, numbers and ids, as digests: it cannot be read.
          </p>
          <p className="mb-4 text-sm text-dim">
            An objection erases nothing: stored events keep their person, and what was taken before the last
            half minute is still sent, retries included. Erase the person to end both. Events that carry ids
            of a browser alone are not recognised.
          </p>
          {suppression === 'off' ? (
            <Notice tone="plain">Say in the settings first what becomes of their events.</Notice>
          ) : (
            <>
              <OnePerson />
              <ManyPeople />
            </>
          )}
        </>
      )}
    </LoadedPanel>
  );
}

const WHO = {
  email: 'Address of who objects',
  phone: 'Number of who objects',
  external_id: 'Id of who objects',
} as const satisfies Readonly<Record<keyof Typed, string>>;

function OnePerson() {
  const [typed, setTyped] = useState<Typed>(EMPTY);
  const [said, setSaid] = useState('');
  const refusal = useRefusal('suppressPerson');
  const done = (words: string) => {
    setTyped(EMPTY);
    setSaid(words);
  };
  const add = useChange(({ client }, body: Partial<Typed>) => client.suppressPerson({ body }), {
    refresh: ['countSuppressed'],
    done: () => done('Put on the list.'),
  });
  const remove = useChange(({ client }, query: Partial<Typed>) => client.unsuppressPerson({ query }), {
    refresh: ['countSuppressed'],
    done: ({ body }) =>
      done(body.removed.length > 0 ? 'Taken off the list.' : 'Nobody of this was on the list.'),
  });
  const problems = useProblems(add.error ?? remove.error, FIELDS);
  const words = wordsIn(typed);
  const isNothing = Object.keys(words).length === 0;
  const refused = refusal ?? (isNothing ? 'Fill at least one field.' : undefined);
  return (
    <Form ref={problems.form} send={() => (refused === undefined ? add.send(words) : undefined)}>
      <PersonInputs
        label={(name) => WHO[name]}
        typed={typed}
        problems={problems}
        change={(next) => {
          setTyped(next);
          setSaid('');
          add.reset();
          remove.reset();
        }}
      />
      <Failure error={problems.rest} />
      <div className="mt-4 flex flex-wrap items-center gap-3">
        <Button type="submit" kind="primary" busy={add.isPending} refused={refused}>
          Put on the list
        </Button>
        <Button busy={remove.isPending} refused={refused} onClick={() => remove.send(words)}>
          Take off the list
        </Button>
        <output>{said}</output>
      </div>
    </Form>
  );
}

function ManyPeople() {
  const [text, setText] = useState('');
  const [said, setSaid] = useState('');
  const refusal = useRefusal('importSuppressed');
  const send = useChange(
    ({ client }, body: string) => client.importSuppressed({ body, headers: { 'content-type': 'text/csv' } }),
    {
      refresh: ['countSuppressed'],
      done: ({ body }) => {
        setText('');
        setSaid(`${count(body.people)} lines read, ${count(body.added)} people new on the list.`);
      },
    },
  );
  const refused = refusal ?? (text.trim() === '' ? 'Paste some lines first.' : undefined);
  return (
    <details className="mt-6">
      <summary>Many at once</summary>
      <Form send={() => (refused === undefined ? send.send(text) : undefined)}>
        <Lines
          label="A line for each person"
          help="An e-mail address, a number with +, or an id; or a CSV whose first line names the columns email, phone and external_id. Up to 500 lines. Where one cannot be read, none is taken."
          value={text}
          change={(lines) => {
            setText(lines);
            setSaid('');
            send.reset();
          }}
        />
        <Failure error={send.error} />
        <div className="mt-3 flex items-center gap-3">
          <Button type="submit" kind="primary" busy={send.isPending} refused={refused}>
            Put all on the list
          </Button>
          <output>{said}</output>
        </div>
      </Form>
    </details>
  );
}
