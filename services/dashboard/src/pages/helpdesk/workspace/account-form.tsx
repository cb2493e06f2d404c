// Name, language and time zone: only what was changed is sent, for the version that was seen; what the helpdesk refuses lands at
// its field.

import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { type HelpdeskAnswer, useChange } from '#dashboard/app/api.tsx';
import { Button } from '#dashboard/parts/button.tsx';
import { Field, Form, fieldsOf } from '#dashboard/parts/field.tsx';
import { Failure, Notice } from '#dashboard/parts/page.tsx';
import { isOvertaken, useProblems } from '#dashboard/parts/problems.ts';
import { type Versioned, versioned } from '../versioned.ts';

export type Account = Versioned<HelpdeskAnswer<'updateAccount'>>;

export const ACCOUNT_KEY = ['helpdesk-account'];

const FIELDS = ['name', 'default_language', 'default_timezone'] as const;
type Typed = Readonly<Partial<Record<(typeof FIELDS)[number], string>>>;

interface AccountFormProps {
  readonly account: Account;
  readonly reload: () => unknown;
}

export function AccountForm({ account, reload }: AccountFormProps) {
  const queries = useQueryClient();
  /** Only what was touched: the rest follows what the helpdesk has. */
  const [typed, setTyped] = useState<Typed>({});
  const [seen, setSeen] = useState(account);
  const update = useChange(
    async ({ helpdesk }, body: Typed) =>
      versioned(await helpdesk.updateAccount({ body, headers: { 'if-match': seen.etag } })),
    {
      refresh: ['getMe'],
      done: (saved) => {
        setTyped({});
        setSeen(saved);
        queries.setQueryData(ACCOUNT_KEY, saved);
      },
    },
  );
  const changes = Object.fromEntries(
    FIELDS.flatMap((name) =>
      typed[name] === undefined || typed[name] === seen[name] ? [] : [[name, typed[name]]],
    ),
  ) as Typed;
  const isSame = Object.keys(changes).length === 0;
  const isRefused = isOvertaken(update.error);
  const problems = useProblems(isRefused ? null : update.error, FIELDS);
  useEffect(() => {
    if (isRefused) void reload();
  }, [isRefused, reload]);
  useEffect(() => {
    if (isSame) setSeen(account);
  }, [account, isSame]);
  const bind = fieldsOf<(typeof FIELDS)[number]>(
    { ...seen, ...typed },
    (name, text) => setTyped({ ...typed, [name]: text }),
    problems,
  );
  return (
    <Form
      ref={problems.form}
      send={() => {
        if (!isSame) update.send(changes);
      }}
    >
      {!isSame && (isRefused || account.etag !== seen.etag) && (
        <Overtaken
          account={account}
          seen={seen}
          accept={() => {
            update.reset();
            setSeen(account);
          }}
        />
      )}
      <div className="grid max-w-160 gap-4">
        <Field label="Name" {...bind('name')} />
        <Field label="Language" help="A tag such as en or pt-BR." {...bind('default_language')} />
        <Zone {...bind('default_timezone')} />
      </div>
      <Failure error={problems.rest} />
      <div className="mt-4 flex items-center gap-3">
        <Button
          type="submit"
          kind="primary"
          busy={update.isPending}
          refused={isSame ? 'Nothing was changed.' : undefined}
        >
          Save
        </Button>
        <output>{update.data && isSame ? 'Saved.' : ''}</output>
      </div>
    </Form>
  );
}

type ZoneProps = Pick<Parameters<typeof Field>[0], 'value' | 'problem' | 'change'>;

/** Those the browser knows are proposed; whether another one is known, the helpdesk says. */
function Zone(props: ZoneProps) {
  const zones = useMemo(() => Intl.supportedValuesOf('timeZone'), []);
  return (
    <>
      <Field
        label="Time zone"
        list="time-zones"
        help="A place, such as Europe/Berlin. Snoozed tickets come back by its clock."
        {...props}
      />
      <datalist id="time-zones">
        {zones.map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </>
  );
}

interface OvertakenProps {
  readonly account: Account;
  readonly seen: Account;
  readonly accept: () => void;
}

function Overtaken({ account, seen, accept }: OvertakenProps) {
  const words = { name: 'name', default_language: 'language', default_timezone: 'time zone' };
  const changed = FIELDS.filter((name) => account[name] !== seen[name]);
  return (
    <Notice tone="bad">
      <p>
        <b>Somebody else changed the workspace meanwhile.</b> What you typed was not saved, and is still here.
      </p>
      {changed.map((name) => (
        <p key={name} className="mt-1">
          The {words[name]} is <b>{account[name]}</b> now.
        </p>
      ))}
      <Button className="mt-2" onClick={accept}>
        Go on with mine
      </Button>
    </Notice>
  );
}
