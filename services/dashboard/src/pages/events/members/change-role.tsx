// Changes a member's role. The service decides on the current team: the last owner cannot lose the role.
import { useState } from 'react';
import { useChange } from '#dashboard/app/api.tsx';
import { FormDialog } from '#dashboard/parts/dialog.tsx';
import { Choice } from '#dashboard/parts/field.tsx';
import { Notice } from '#dashboard/parts/page.tsx';
import { Refused } from './refused.tsx';
import { type Member, ROLES, type Role, rolesFor, TEAM } from './team.ts';

interface ChangeRoleProps {
  readonly member: Member;
  readonly name: string;
  readonly own: Role | null;
  readonly close: () => void;
}

export default function ChangeRole({ member, name, own, close }: ChangeRoleProps) {
  const { id, role: before, is_caller } = member;
  const [role, setRole] = useState<Role>(before);
  const change = useChange(
    ({ client }, to: Role) => client.changeMember({ params: { id }, body: { role: to } }),
    { refresh: TEAM, done: close },
  );
  return (
    <FormDialog
      title={`Role of ${name}`}
      action="Change"
      busy={change.isPending}
      refused={role === before ? 'It is the role they have.' : undefined}
      send={() => change.send(role)}
      close={close}
    >
      <Choice
        label="Role"
        help={ROLES[role]}
        value={role}
        options={rolesFor(own)}
        change={(next) => setRole(next as Role)}
      />
      {is_caller && role !== before && (
        <div className="mt-4">
          <Notice tone="wait">This is you: afterwards you may do only what the new role allows.</Notice>
        </div>
      )}
      <Refused error={change.error} />
    </FormDialog>
  );
}
