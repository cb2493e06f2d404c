// Members of the shop with their roles, and invitations. A person who may not change them sees them with the reason.
import { useState } from 'react';
import { useAccount, useRefusal } from '#dashboard/app/account.ts';
import { useApi, useAsk } from '#dashboard/app/api.tsx';
import { Button } from '#dashboard/parts/button.tsx';
import { lazily } from '#dashboard/parts/lazily.tsx';
import { Empty, Loaded, Notice, Page, Panel } from '#dashboard/parts/page.tsx';
import { counted, Time } from '#dashboard/parts/written.tsx';
import { hindranceOf, type Invitation, type Member, ROLES, type Role, type Team } from './team.ts';

const Invite = lazily(() => import('./invite.tsx'));
const ChangeRole = lazily(() => import('./change-role.tsx'));
const Leave = lazily(() => import('./leave.tsx'));

export default function MembersPage() {
  const [isInviting, setInviting] = useState(false);
  const { data: account } = useAccount();
  const refusal = useRefusal('inviteMember');
  const team = useAsk('listMembers', {});
  const own = account?.caller.role ?? null;
  const shared = { own, canChange: refusal === undefined };
  return (
    <Page
      title="Members"
      about="Who acts for this shop, and who is invited."
      actions={
        refusal === undefined && (
          <Button kind="primary" onClick={() => setInviting(true)}>
            Invite somebody
          </Button>
        )
      }
    >
      {refusal !== undefined && (
        <Notice tone="plain">You see who is here. To invite, change or remove: {refusal}</Notice>
      )}
      <Loaded query={team} rows={6}>
        {(data) => (
          <>
            <Panel title={counted(data.members.length, 'member')}>
              <Members team={data} {...shared} />
              <Roles />
            </Panel>
            <Panel title="Open invitations">
              <Invitations team={data} {...shared} />
            </Panel>
          </>
        )}
      </Loaded>
      {isInviting && <Invite own={own} close={() => setInviting(false)} />}
    </Page>
  );
}

interface Shared {
  readonly team: Team;
  readonly own: Role | null;
  readonly canChange: boolean;
}

function Members({ team, ...shared }: Shared) {
  return (
    <ul aria-label="Members">
      {team.members.map((member) => (
        <OneMember key={member.id} member={member} team={team} {...shared} />
      ))}
    </ul>
  );
}

const ENTRY = 'flex flex-wrap items-start justify-between gap-x-6 gap-y-2 border-b border-line py-3';

function OneMember({ member, team, own, canChange }: Shared & { readonly member: Member }) {
  const [asks, setAsks] = useState<'role' | 'leave' | null>(null);
  const hindrance = hindranceOf(member, team.members, own);
  const name = useNameOf()(member);
  const close = (): void => setAsks(null);
  return (
    <li className={ENTRY}>
      <div className="min-w-0">
        <p>
          <strong className="foreign">{name}</strong>
          {member.is_caller && <span className="text-dim"> (you)</span>} · {member.role}
        </p>
        <p className="text-sm text-dim">
          {member.joined_at === null ? (
            'from the beginning'
          ) : (
            <>
              joined <Time at={member.joined_at} as="ago" />
            </>
          )}
        </p>
        {canChange && hindrance !== undefined && <p className="text-sm text-dim">{hindrance}</p>}
      </div>
      {canChange && (
        <div className="flex flex-wrap gap-2">
          <Button refused={hindrance} onClick={() => setAsks('role')}>
            Change role<span className="sr-only"> of {name}</span>
          </Button>
          <Button kind="danger" refused={hindrance} onClick={() => setAsks('leave')}>
            Remove<span className="sr-only"> {name}</span>
          </Button>
        </div>
      )}
      {asks === 'role' && <ChangeRole member={member} name={name} own={own} close={close} />}
      {asks === 'leave' && <Leave member={member} name={name} close={close} />}
    </li>
  );
}

/** A member without an invitation has no stored address; the signed-in person sees the address of the session. */
function useNameOf(): (member: Member) => string {
  const { session } = useApi();
  return ({ id, email, is_caller }) => email ?? (is_caller ? session.person() : undefined) ?? id;
}

function Roles() {
  return (
    <dl className="mt-4 grid gap-x-6 gap-y-2 text-sm sm:grid-cols-2 lg:grid-cols-3">
      {Object.entries(ROLES).map(([role, words]) => (
        <div key={role}>
          <dt className="font-bold">{role}</dt>
          <dd className="text-dim">{words}</dd>
        </div>
      ))}
    </dl>
  );
}

function Invitations({ team, ...shared }: Shared) {
  if (team.invitations.length === 0)
    return <Empty title="Nobody is invited">An invitation is open for seven days, and is used once.</Empty>;
  return (
    <ul aria-label="Open invitations">
      {team.invitations.map((invitation) => (
        <OneInvitation key={invitation.id} invitation={invitation} team={team} {...shared} />
      ))}
    </ul>
  );
}

interface OneInvitationProps extends Shared {
  readonly invitation: Invitation;
}

function OneInvitation({ invitation, team, own, canChange }: OneInvitationProps) {
  const [asks, setAsks] = useState(false);
  const nameOf = useNameOf();
  const { email, role, invited_by, created_at, expires_at } = invitation;
  const host = team.members.find((member) => invited_by === `user:${member.id}`);
  const name = email ?? 'an address that cannot be read';
  const refused =
    role === 'owner' && own !== 'owner' ? 'Only an owner may withdraw what an owner offered.' : undefined;
  return (
    <li className={ENTRY}>
      <div className="min-w-0">
        <p>
          <strong className="foreign">{name}</strong> · {role}
        </p>
        <p className="text-sm text-dim">
          by <bdi className="foreign">{host === undefined ? invited_by : nameOf(host)}</bdi>{' '}
          <Time at={created_at} as="ago" />, ends <Time at={expires_at} as="ago" />
        </p>
        {canChange && refused !== undefined && <p className="text-sm text-dim">{refused}</p>}
      </div>
      {canChange && (
        <Button kind="danger" refused={refused} onClick={() => setAsks(true)}>
          Withdraw<span className="sr-only"> the invitation of {name}</span>
        </Button>
      )}
      {asks && <Leave invitation={invitation} name={name} close={() => setAsks(false)} />}
    </li>
  );
}
