// Who acts for a merchant: members with their roles, and invitations.
import * as z from 'zod';
import { defineRoute } from '../http/route.ts';
import { PRODUCT_NAMES } from '../tenancy/api-key.ts';
import { MEMBER_ROLES } from '../tenancy/role.ts';
import { CHANGES, READS } from './call-limits.ts';
import { emailAddress } from './wire.ts';

const role = z.enum(MEMBER_ROLES).meta({
  description:
    '`viewer` reads events and the helpdesk and changes nothing; `agent` answers customers in the helpdesk and sees nothing else; `member` does what these two do; `admin` manages all but billing and owners; `owner` everything.',
});
const email = z.string().nullable().meta({
  description: 'Where the invitation went; null where nobody was invited, or it cannot be opened.',
});
/** An API key gives to others at most what it has. */
const limits = {
  only: z.enum(Object.values(PRODUCT_NAMES)).nullable().meta({
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
const idOf = (maxChars: number) => z.object({ id: z.string().min(1).max(maxChars) });

export const listMembers = defineRoute({
  id: 'listMembers',
  rateLimit: READS,
  part: 'api',
  method: 'GET',
  path: '/v1/members',
  summary: 'Members and open invitations',
  auth: { key: 'admin', session: 'see:events' },
  cors: 'listed',
  query: z.strictObject({}),
  replies: {
    200: z.object({
      success: z.literal(true),
      members: z.array(member),
      invitations: z.array(invitation),
    }),
  },
  errors: [],
});

export const inviteMember = defineRoute({
  id: 'inviteMember',
  rateLimit: CHANGES,
  part: 'api',
  method: 'POST',
  path: '/v1/members/invitations',
  summary: 'Invite somebody for seven days; an open invitation of the same address ends',
  auth: { key: 'admin', session: 'manage:events' },
  cors: 'listed',
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
});

export const acceptInvitation = defineRoute({
  id: 'acceptInvitation',
  rateLimit: CHANGES,
  part: 'api',
  method: 'POST',
  path: '/v1/members/invitations/accept',
  summary: 'Join the merchant an invitation is of, as whoever is signed in',
  auth: { session: 'anyone' },
  cors: 'listed',
  body: z.strictObject({ token: z.string().min(1).max(300) }),
  replies: {
    200: z.object({ success: z.literal(true), merchant_id: z.string(), role }),
  },
  errors: ['invitation_not_found', 'already_member', 'team_limit'],
});

export const withdrawInvitation = defineRoute({
  id: 'withdrawInvitation',
  rateLimit: CHANGES,
  part: 'api',
  method: 'DELETE',
  path: '/v1/members/invitations/:id',
  summary: 'Withdraw an open invitation',
  auth: { key: 'admin', session: 'manage:events' },
  cors: 'listed',
  params: idOf(100),
  replies: { 200: z.object({ success: z.literal(true), id: z.string() }) },
  errors: ['not_found', 'owner_required', 'forbidden'],
});

export const changeMember = defineRoute({
  id: 'changeMember',
  rateLimit: CHANGES,
  part: 'api',
  method: 'PATCH',
  path: '/v1/members/:id',
  summary: 'Change the role of a member; the last owner stays one',
  auth: { key: 'admin', session: 'manage:events' },
  cors: 'listed',
  params: idOf(255),
  body: z.strictObject({ role }),
  replies: { 200: z.object({ success: z.literal(true), member }) },
  errors: ['not_found', 'owner_required', 'last_owner', 'forbidden', 'grant_exceeded'],
});

export const removeMember = defineRoute({
  id: 'removeMember',
  rateLimit: CHANGES,
  part: 'api',
  method: 'DELETE',
  path: '/v1/members/:id',
  summary: 'Remove a member; the last owner stays',
  auth: { key: 'admin', session: 'manage:events' },
  cors: 'listed',
  params: idOf(255),
  replies: { 200: z.object({ success: z.literal(true), id: z.string() }) },
  errors: ['not_found', 'owner_required', 'last_owner', 'forbidden'],
});

export const MEMBER_ROUTES = [
  listMembers,
  inviteMember,
  acceptInvitation,
  withdrawInvitation,
  changeMember,
  removeMember,
] as const;
