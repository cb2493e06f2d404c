// An invitation: address and role, and then its code, which is shown once. No mail is sent: the inviting person passes
// the code on.
import { useRef, useState } from 'react';
import { type Client, useChange } from '#dashboard/app/api.tsx';
import { Button } from '#dashboard/parts/button.tsx';
import { Dialog } from '#dashboard/parts/dialog.tsx';
import { Choice, Field } from '#dashboard/parts/field.tsx';
import { isToldAtFields, problemsOf, useFirstProblem } from '#dashboard/parts/problems.ts';
import { ShownOnce } from '#dashboard/parts/shown-once.tsx';
import { Failure } from '#dashboard/parts/states.tsx';
import { ROLES, type Role, rolesFor } from './team.ts';

interface InviteProps {
  readonly own: Role | null;
  readonly made: () => void;
  readonly close: () => void;
}

interface Asked {
  readonly email: string;
  readonly role: Role;
}

export default function Invite({ own, made, close }: InviteProps) {
  // The same invitation has the same key: after a lost answer, a retry returns it.
  const last = useRef({ asked: '', key: '' });
  const invite = useChange((client: Client, body: Asked) => {
    const asked = JSON.stringify(body);
    if (last.current.asked !== asked) last.current = { asked, key: crypto.randomUUID() };
    return client.inviteMember({ body, headers: { 'idempotency-key': last.current.key } });
  });
  const answer = invite.data?.body;
  return (
    <Dialog
      title={answer === undefined ? 'Invite somebody' : 'Hand over this code'}
      close={close}
      canLeave={answer === undefined}
    >
      {answer === undefined ? (
        <Asking
          own={own}
          isBusy={invite.isPending}
          error={invite.error}
          send={(body) => invite.send(body, made)}
          close={close}
        />
      ) : (
        <ShownOnce
          about={`No mail is sent. Give this to ${answer.invitation.email ?? 'whom it is for'}, who signs in and enters it at ${location.origin}/join. It is shown once, works once, and lasts seven days; whoever has it may join.`}
          secret={answer.token}
          close={close}
        />
      )}
    </Dialog>
  );
}

interface AskingProps {
  readonly own: Role | null;
  readonly isBusy: boolean;
  readonly error: unknown;
  readonly send: (asked: Asked) => void;
  readonly close: () => void;
}

function Asking({ own, isBusy, error, send, close }: AskingProps) {
  const form = useRef<HTMLFormElement>(null);
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('member');
  const problems = problemsOf(error, ['email', 'role']);
  useFirstProblem(form, error);
  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBusy) send({ email, role });
      }}
    >
      <Field
        label="E-mail"
        help="Whose invitation it is. An open one of the same address ends."
        inputMode="email"
        required
        maxLength={254}
        value={email}
        problem={problems.at('email')}
        onChange={({ target }) => setEmail(target.value)}
      />
      <div className="mt-4">
        <Choice
          label="Role"
          help={ROLES[role]}
          value={role}
          problem={problems.at('role')}
          options={rolesFor(own)}
          change={(next) => setRole(next as Role)}
        />
      </div>
      {error && !isToldAtFields(error, problems) ? <Failure error={error} /> : null}
      <div className="mt-4 flex gap-2">
        <Button kind="primary" type="submit" busy={isBusy}>
          Invite
        </Button>
        <Button onClick={close}>Cancel</Button>
      </div>
    </form>
  );
}
