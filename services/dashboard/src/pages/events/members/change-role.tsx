// Changes a member's role. The service decides on the current team: the last owner cannot lose the role.
import { useState } from 'react';
import { type Client, useChange } from '#dashboard/app/api.tsx';
import { Button } from '#dashboard/parts/button.tsx';
import { Dialog } from '#dashboard/parts/dialog.tsx';
import { Choice } from '#dashboard/parts/field.tsx';
import { Notice } from '#dashboard/parts/states.tsx';
import { Refused } from './refused.tsx';
import { type Member, ROLES, type Role, rolesFor } from './team.ts';

interface ChangeRoleProps {
  readonly member: Member;
  readonly name: string;
  readonly own: Role | null;
  readonly update: () => void;
  readonly close: () => void;
}

export default function ChangeRole({ member, name, own, update, close }: ChangeRoleProps) {
  const { id, role: before, is_caller } = member;
  const [role, setRole] = useState<Role>(before);
  const change = useChange((client: Client, to: Role) =>
    client.changeMember({ params: { id }, body: { role: to } }),
  );
  return (
    <Dialog title={`Role of ${name}`} close={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (change.isPending || role === before) return;
          change.send(role, () => {
            update();
            close();
          });
        }}
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
        <div className="mt-4 flex gap-2">
          <Button
            kind="primary"
            type="submit"
            busy={change.isPending}
            refused={role === before ? 'It is the role they have.' : undefined}
          >
            Change
          </Button>
          <Button onClick={close}>Cancel</Button>
        </div>
      </form>
    </Dialog>
  );
}
