// The end of a membership, or of an invitation, after a question.
import { useQueryClient } from '@tanstack/react-query';
import { type Client, useChange } from '#dashboard/app/api.tsx';
import { Button } from '#dashboard/parts/button.tsx';
import { Dialog } from '#dashboard/parts/dialog.tsx';
import { Refused } from './refused.tsx';
import type { Invitation, Member } from './team.ts';

type LeaveProps = {
  readonly name: string;
  readonly update: () => void;
  readonly close: () => void;
} & ({ readonly member: Member } | { readonly invitation: Invitation });

export default function Leave({ name, update, close, ...of }: LeaveProps) {
  const queries = useQueryClient();
  const isMember = 'member' in of;
  const isSelf = isMember && of.member.is_caller;
  const gone = (): void => {
    // Of what was this person's shop nothing is left on the page.
    if (isSelf) void queries.resetQueries();
    else update();
    close();
  };
  const remove = useChange((client: Client, _: null) =>
    isMember
      ? client.removeMember({ params: { id: of.member.id } })
      : client.withdrawInvitation({ params: { id: of.invitation.id } }),
  );
  return (
    <Dialog
      title={isMember ? `Remove ${name}?` : `Withdraw the invitation of ${name}?`}
      close={() => {
        if (remove.error) update();
        close();
      }}
    >
      <p>
        {isMember
          ? isSelf
            ? 'This is you. You lose this shop at once, and come back only with a new invitation.'
            : 'They lose this shop at once: what they have open stops working. What they did stays.'
          : 'The code works no more. The address can be invited again.'}
      </p>
      <Refused error={remove.error} />
      <div className="mt-4 flex gap-2">
        <Button kind="danger" busy={remove.isPending} onClick={() => remove.send(null, gone)}>
          {isMember ? 'Remove' : 'Withdraw'}
        </Button>
        <Button onClick={close}>Keep it</Button>
      </div>
    </Dialog>
  );
}
