// The end of a membership, or of an invitation, after a question.
import { useQueryClient } from '@tanstack/react-query';
import { useChange, useRefresh } from '#dashboard/app/api.tsx';
import { Confirm } from '#dashboard/parts/dialog.tsx';
import { Refused } from './refused.tsx';
import { type Invitation, type Member, TEAM } from './team.ts';

type LeaveProps = {
  readonly name: string;
  readonly close: () => void;
} & ({ readonly member: Member } | { readonly invitation: Invitation });

export default function Leave({ name, close, ...of }: LeaveProps) {
  const queries = useQueryClient();
  const refresh = useRefresh();
  const isMember = 'member' in of;
  const isSelf = isMember && of.member.is_caller;
  const remove = useChange(
    ({ client }) =>
      isMember
        ? client.removeMember({ params: { id: of.member.id } })
        : client.withdrawInvitation({ params: { id: of.invitation.id } }),
    {
      done: () => {
        // Of what was this person's shop nothing is left on the page.
        void (isSelf ? queries.resetQueries() : refresh(TEAM));
        close();
      },
    },
  );
  return (
    <Confirm
      title={isMember ? `Remove ${name}?` : `Withdraw the invitation of ${name}?`}
      action={isMember ? 'Remove' : 'Withdraw'}
      change={remove}
      error={null}
      close={() => {
        if (remove.error) void refresh(TEAM);
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
    </Confirm>
  );
}
