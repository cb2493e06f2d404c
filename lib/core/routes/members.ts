// Who acts for a merchant: members with their roles, and invitations. A product adds its paths and what it asks of callers.
import * as z from 'zod';
import type { ErrorCode } from '../http/errors.ts';
import type { Route } from '../http/route.ts';
import { MEMBER_ROLES, PRODUCTS, ROLES_TEXT } from '../tenancy/role.ts';
import { emailAddress, succeeds } from './wire.ts';

type Shape = Omit<Route<ErrorCode>, 'part' | 'path' | 'auth'>;

const role = z.enum(MEMBER_ROLES).meta({ description: ROLES_TEXT });
const email = z.string().nullable().meta({
  description: 'Where the invitation went; null where nobody was invited, or it cannot be opened.',
});
/** An API key gives to others at most what it has. */
const limits = {
  only: z
    .enum(Object.values(PRODUCTS).map(({ name }) => name))
    .nullable()
    .meta({
      description:
        'The only product this opens: of whom an API key invited. Changing the role as a person takes it away.',
    }),
  ends_at: z.iso.datetime().nullable().meta({ description: 'When the API key that invited ends.' }),
};
const member = z
  .object({
    id: z.string().meta({ description: 'Subject at the identity provider.' }),
    email,
    role,
    joined_at: z.iso.datetime().nullable(),
    is_caller: z.boolean(),
    ...limits,
  })
  .meta({ id: 'Member' });
const invitation = z
  .object({
    id: z.string(),
    email,
    role,
    invited_by: z.string().meta({ description: '`user:<id>` or `key:<id>`.' }),
    created_at: z.iso.datetime(),
    expires_at: z.iso.datetime(),
    ...limits,
  })
  .meta({ id: 'Invitation' });
export type MemberView = z.output<typeof member>;
export type InvitationView = z.output<typeof invitation>;
const idOf = (maxChars: number) => z.object({ id: z.string().min(1).max(maxChars) });

export const listMembers = {
  id: 'listMembers',
  method: 'GET',
  summary: 'Members and open invitations',
  query: z.strictObject({}),
  replies: succeeds({ members: z.array(member), invitations: z.array(invitation) }),
  errors: [],
} as const satisfies Shape;

export const inviteMember = {
  id: 'inviteMember',
  method: 'POST',
  summary: 'Invite somebody for seven days; an open invitation of the same address ends',
  idempotent: true,
  body: z.strictObject({ email: emailAddress, role }),
  replies: {
    201: z.object({
      success: z.literal(true),
      invitation,
      token: z.string().meta({
        description:
          'To be handed to whom it is for: whoever is signed in and has it may join, once. Only its hash is kept, and with an `Idempotency-Key` this answer, sealed, for 24 hours.',
      }),
    }),
  },
  errors: ['owner_required', 'already_member', 'team_limit', 'forbidden', 'grant_exceeded'],
} as const satisfies Shape;

export const acceptInvitation = {
  id: 'acceptInvitation',
  method: 'POST',
  summary: 'Join the merchant an invitation is of, as whoever is signed in',
  body: z.strictObject({ token: z.string().min(1).max(300) }),
  replies: succeeds({ merchant_id: z.string(), role }),
  errors: ['invitation_not_found', 'already_member', 'team_limit'],
} as const satisfies Shape;

export const withdrawInvitation = {
  id: 'withdrawInvitation',
  method: 'DELETE',
  summary: 'Withdraw an open invitation',
  params: idOf(100),
  replies: succeeds({ id: z.string() }),
  errors: ['not_found', 'owner_required', 'forbidden'],
} as const satisfies Shape;

export const changeMember = {
  id: 'changeMember',
  method: 'PATCH',
  summary: 'Change the role of a member; the last owner stays one',
  params: idOf(255),
  body: z.strictObject({ role }),
  replies: succeeds({ member }),
  errors: ['not_found', 'owner_required', 'last_owner', 'forbidden', 'grant_exceeded'],
} as const satisfies Shape;

export const removeMember = {
  id: 'removeMember',
  method: 'DELETE',
  summary: 'Remove a member; the last owner stays',
  params: idOf(255),
  replies: succeeds({ id: z.string() }),
  errors: ['not_found', 'owner_required', 'last_owner', 'forbidden'],
} as const satisfies Shape;

type ByMembers =
  | typeof listMembers
  | typeof inviteMember
  | typeof withdrawInvitation
  | typeof changeMember
  | typeof removeMember;
interface Served<Auth> {
  readonly part: string;
  readonly path: string;
  readonly auth: Auth;
}
/** As any product serves them. The person who joins need not be a member of any merchant yet. */
export type MemberRoute =
  | (ByMembers & Served<{ readonly key: string }>)
  | (typeof acceptInvitation & Served<{ readonly session: 'anyone' }>);
