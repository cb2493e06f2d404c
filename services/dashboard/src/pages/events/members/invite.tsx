// An invitation: address and role, and then its code, which is shown once. No mail is sent: the inviting person passes
// the code on.
import { useState } from 'react';
import { useKeyedChange } from '#dashboard/app/api.tsx';
import { SecretDialog } from '#dashboard/parts/dialog.tsx';
import { Choice, Field } from '#dashboard/parts/field.tsx';
import { useProblems } from '#dashboard/parts/problems.ts';
import { ROLES, type Role, rolesFor, TEAM } from './team.ts';

interface Invited {
  readonly email: string;
  readonly role: Role;
}

export default function Invite({ own, close }: { readonly own: Role | null; readonly close: () => void }) {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('member');
  const invite = useKeyedChange(
    ({ client }, body: Invited, headers) => client.inviteMember({ body, headers }),
    { refresh: TEAM },
  );
  const problems = useProblems(invite.error, ['email', 'role']);
  const answer = invite.data?.body;
  return (
    <SecretDialog
      title="Invite somebody"
      secretTitle="Hand over this code"
      secret={answer?.token}
      about={`No mail is sent. Give this to ${answer?.invitation.email ?? 'whom it is for'}, who signs in and enters it at ${location.origin}/join. It is shown once, works once, and lasts seven days; whoever has it may join.`}
      action="Invite"
      busy={invite.isPending}
      error={problems.rest}
      form={problems.form}
      send={() => invite.send({ email, role })}
      close={close}
    >
      <Field
        label="E-mail"
        help="Whose invitation it is. An open one of the same address ends."
        inputMode="email"
        required
        maxLength={254}
        value={email}
        problem={problems.at('email')}
        change={setEmail}
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
    </SecretDialog>
  );
}
