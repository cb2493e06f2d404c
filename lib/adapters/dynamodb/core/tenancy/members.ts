// Members on DynamoDB: a merchant's team is one item, written whole on the condition that it is still the version that was
// read. It lies in a partition of its own, or where an earlier release put it. A subject has an item of its own that says whose team to look in; it gives no right, so that it may be out of date.
// Guarantees: members and invitations that cannot be read give no right, and are kept when the team is written.

import * as z from 'zod';
import { defineKind } from '#lib/core/record/define-kind.ts';
import { decodeItem, formatAttribute, partition } from '#lib/core/record/stored-item.ts';
import { type ItemQuarantine, UnreadableItem } from '#lib/core/record/unreadable-item.ts';
import { CLAIM_LASTS_MS, type MemberStore } from '#lib/core/tenancy/member-store.ts';
import type { Membership } from '#lib/core/tenancy/membership.ts';
import {
  NO_TEAM,
  STORED_INVITATION,
  STORED_MEMBER,
  STORED_TEAM,
  type Team,
  withMember,
} from '#lib/core/tenancy/team.ts';
import { CONFLICT, retryConflicts } from '#lib/core/work/retry-conflicts.ts';
import { type Db, deleteItem, getItem, IF_NEW, ifVersion, putItem, readItem } from '../items/commands.ts';
import { membershipKey, profileKey, teamKey } from '../items/config-item.ts';
import { createMovedItems, type FoundItem, givenUpKind, type MovedKind } from '../items/moved-item.ts';
import { isSuspended } from './operator-word.ts';

/** A partition key holds 2,048 bytes; subjects of real issuers have under 64. */
const SUB_MAX_CHARS = 255;
const TRIES_MAX = 20;

const CLAIMED = z.looseObject({ merchantId: z.string(), claimedAtMs: z.number().exactOptional() });
export const MEMBERSHIP = defineKind<z.output<typeof CLAIMED>>({
  what: 'membership',
  table: 'config',
  key: { pk: 'SUB#{subject...}', sk: 'MEMBER' },
  attribute: null,
  schema: CLAIMED,
  personal: ['pk'],
  whenUnreadable: 'unavailable',
  meaning: 'Its person is let into no team until it can be read.',
});
const VERSIONED_TEAM = z.looseObject({ v: z.number(), team: STORED_TEAM });
export const TEAM = defineKind<z.output<typeof VERSIONED_TEAM>>({
  what: 'team',
  table: 'config',
  key: { pk: 'TEAM#{merchant}', sk: 'TEAM' },
  formerKey: { pk: 'M#{merchant}', sk: 'TEAM' },
  attribute: null,
  schema: VERSIONED_TEAM,
  personal: ['sub', 'sealedEmail'],
  whenUnreadable: 'unavailable',
  meaning:
    'Its sessions are answered 503. One member that cannot be read has no right and stays in the team.',
});

export const MOVED_TEAM: MovedKind = {
  sk: 'TEAM',
  own: teamKey,
  givenUp: givenUpKind('team', 'TEAM', ['sub', 'sealedEmail']),
};
export const FORMER_TEAM = MOVED_TEAM.givenUp;

/** A team as it was read, and what is written in its place. */
interface ReadTeam {
  readonly found: FoundItem;
  readonly version: number;
  readonly team: Team;
  readonly stored: (next: Team) => object;
}

function teamFrom(found: FoundItem, quarantine: ItemQuarantine): ReadTeam {
  const { item } = found;
  if (item === undefined) return { found, version: 0, team: NO_TEAM, stored: (next) => next };
  const { v: version, team } = decodeItem(TEAM, item);
  const members = partition(team.members, STORED_MEMBER);
  const invitations = partition(team.invitations, STORED_INVITATION);
  const unreadable = members.unreadable.length + invitations.unreadable.length;
  const name = { pk: String(item.pk), sk: String(item.sk) };
  if (unreadable > 0)
    quarantine(new UnreadableItem(TEAM.what, name, `${unreadable} of its members and invitations`));
  return {
    found,
    version,
    team: { members: members.read, invitations: invitations.read },
    stored: (next) => ({
      ...team,
      ...next,
      members: [...next.members, ...members.unreadable],
      invitations: [...next.invitations, ...invitations.unreadable],
    }),
  };
}

const isSubject = (sub: string): boolean => sub !== '' && sub.length <= SUB_MAX_CHARS;

function createTeams(db: Db, table: string, quarantine: ItemQuarantine) {
  const items = createMovedItems(db, table, MOVED_TEAM);
  const readTeam = async (merchantId: string): Promise<ReadTeam> =>
    teamFrom(await items.find(merchantId), quarantine);
  const changeTeam: MemberStore['changeTeam'] = (merchantId, decide) =>
    retryConflicts({ what: `the team of merchant ${merchantId}`, triesMax: TRIES_MAX }, async () => {
      const { found, version, team: current, stored } = await readTeam(merchantId);
      const { team, result } = decide(current);
      if (team === null) return result;
      const item = { ...formatAttribute(TEAM), v: version + 1, team: stored(team) };
      if (found.item === undefined) return (await items.create(merchantId, found, item)) ? result : CONFLICT;
      await items.finish(merchantId, found);
      const next = { ...item, ...items.keyOf(merchantId, found) };
      return (await putItem({ db, table }, next, ifVersion(version))) ? result : CONFLICT;
    });
  return { readTeam, changeTeam };
}

export function createMemberStore(db: Db, table: string, quarantine: ItemQuarantine = () => {}): MemberStore {
  const config = { db, table };
  const { readTeam, changeTeam } = createTeams(db, table, quarantine);
  const membershipOf = (sub: string) => readItem(config, membershipKey(sub), MEMBERSHIP);

  return {
    changeTeam,
    team: async (merchantId) => (await readTeam(merchantId)).team,

    async membership(sub) {
      if (!isSubject(sub)) return null;
      const merchantId = (await membershipOf(sub))?.merchantId;
      if (merchantId === undefined) return null;
      const [{ team }, profile] = await Promise.all([
        readTeam(merchantId),
        getItem(config, profileKey(merchantId), 'eventual'),
      ]);
      const member = team.members.find((one) => one.sub === sub);
      if (member === undefined) return null;
      const { role, limits, invitedBy } = member;
      return {
        sub,
        merchantId,
        role,
        ...(limits === undefined ? {} : { limits, invitedBy }),
        ...(isSuspended(profile) ? { isSuspended: true } : {}),
      };
    },

    async putMember({ sub, merchantId, role }: Membership) {
      if (!isSubject(sub)) throw new RangeError(`a subject has 1 to ${SUB_MAX_CHARS} characters`);
      await putItem(config, claimOf(sub, merchantId, 0));
      await changeTeam(merchantId, (team) => ({ team: withMember(team, sub, role), result: undefined }));
    },

    async claimSubject(sub, merchantId, nowMs) {
      if (!isSubject(sub)) return false;
      const seen = await membershipOf(sub);
      const owner = seen?.merchantId;
      if (seen !== null && owner !== undefined && owner !== merchantId) {
        if ((seen.claimedAtMs ?? 0) > nowMs - CLAIM_LASTS_MS) return false;
        const { team } = await readTeam(owner);
        if (team.members.some((one) => one.sub === sub)) return false;
      }
      const isAsSeen = {
        condition: 'merchantId = :owner AND claimedAtMs = :at',
        values: { ':owner': owner, ':at': seen?.claimedAtMs },
      };
      return await putItem(config, claimOf(sub, merchantId, nowMs), seen === null ? IF_NEW : isAsSeen);
    },

    async releaseSubject(sub, merchantId) {
      const isIts = { condition: 'merchantId = :merchant', values: { ':merchant': merchantId } };
      await deleteItem(config, membershipKey(sub), isIts);
    },
  };
}

const claimOf = (sub: string, merchantId: string, claimedAtMs: number) => ({
  ...membershipKey(sub),
  ...formatAttribute(MEMBERSHIP),
  merchantId,
  claimedAtMs,
});
