// A merchant's team as it is stored. Its members and invitations are read one by one.
import * as z from 'zod';
import type { Limits } from './grant.ts';
import { MEMBER_ROLES } from './role.ts';
import type { Invitation, Member, Team } from './team.ts';

/** A limit that this release does not know cannot be kept: who has one has no right until it is read. */
const limits = z.strictObject({
  product: z.enum(['evk', 'hdk']).optional(),
  environment: z.literal('test').optional(),
  expiresAtMs: z.number().optional(),
} satisfies Record<keyof Limits, z.ZodType>);

/** Each of them may be what this release cannot read. */
export const STORED_TEAM: z.ZodType<{ readonly [K in keyof Team]: readonly unknown[] }> = z.looseObject({
  members: z.array(z.unknown()),
  invitations: z.array(z.unknown()),
} satisfies Record<keyof Team, z.ZodType>);

export const STORED_MEMBER: z.ZodType<Member> = z.looseObject({
  sub: z.string(),
  role: z.enum(MEMBER_ROLES),
  sealedEmail: z.string().exactOptional(),
  joinedAtMs: z.number(),
  invitedBy: z.string().exactOptional(),
  limits: limits.exactOptional(),
} satisfies Record<keyof Member, z.ZodType>);

export const STORED_INVITATION: z.ZodType<Invitation> = z.looseObject({
  id: z.string(),
  role: z.enum(MEMBER_ROLES),
  sealedEmail: z.string(),
  tokenSha256: z.string(),
  invitedBy: z.string(),
  createdAtMs: z.number(),
  expiresAtMs: z.number(),
  limits: limits.optional(),
} satisfies Record<keyof Invitation, z.ZodType>);
