// Members on DynamoDB: a merchant's team is one item, written whole on the condition that it is still the version that was
// read. It lies in a partition of its own, or where an earlier release put it. A subject has an item for each merchant whose team
// to look in, in one of 20 places; it gives no right, so that it may be out of date: its place is then taken by another one.
// The first place is filled first: the release before knows no other.
// Guarantees: members and invitations that cannot be read give no right, and are kept when the team is written.

import * as z from 'zod';
import { defineKind } from '#lib/core/record/define-kind.ts';
import { decodeItem, decodeOrAbsent, formatAttribute, partition } from '#lib/core/record/stored-item.ts';
import { type ItemQuarantine, UnreadableItem } from '#lib/core/record/unreadable-item.ts';
import { CLAIM_LASTS_MS, MERCHANTS_MAX, type MemberStore } from '#lib/core/tenancy/member-store.ts';
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
import { type Db, deleteItem, getItem, IF_NEW, type Item, ifVersion, putItem } from '../items/commands.ts';
import { membershipKey, profileKey, teamKey } from '../items/config-item.ts';
import { createMovedItems, type FoundItem, givenUpKind, type MovedKind } from '../items/moved-item.ts';
import { beginsWith, queryPage } from '../items/query.ts';
import { isSuspended } from './operator-word.ts';
import { SHARED_PROFILE } from './profiles.ts';

/** A partition key holds 2,048 bytes; subjects of real issuers have under 64. */
const SUB_MAX_CHARS = 255;
const TRIES_MAX = 20;

type Claim = z.output<typeof CLAIMED> & { readonly place: number };
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
export const FURTHER_MEMBERSHIP = defineKind<z.output<typeof CLAIMED>>({
  ...MEMBERSHIP,
  what: 'further membership',
  key: { pk: 'SUB#{subject...}', sk: 'MEMBER#{place}' },
  meaning:
    'Its person is let into the teams that other items of the person name, if a request names one of these.',
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

const asSeen = ({ merchantId, claimedAtMs }: Claim) => {
  const condition = 'merchantId = :owner AND ';
  return claimedAtMs === undefined
    ? {
        condition: `${condition} attribute_not_exists(claimedAtMs)`,
        values: { ':owner': merchantId },
      }
    : { condition: `${condition} claimedAtMs = :at`, values: { ':owner': merchantId, ':at': claimedAtMs } };
};

/** Which merchants a subject may act for. An item that cannot be read is thrown, unless another one names the wanted merchant. */
function createClaims(db: Db, table: string) {
  const config = { db, table };
  const itemsOf = async (sub: string): Promise<readonly Item[]> =>
    (await queryPage(config, { hash: membershipKey(sub, 0).pk, range: beginsWith('MEMBER') })).items;
  const claimIn = (item: Item): Claim => ({
    ...decodeItem(item.sk === 'MEMBER' ? MEMBERSHIP : FURTHER_MEMBERSHIP, item),
    place: Number(String(item.sk).slice('MEMBER#'.length)),
  });
  return {
    of: async (sub: string, wanted?: string): Promise<readonly Claim[]> => {
      const items = await itemsOf(sub);
      const named = wanted === undefined ? items : items.filter(({ merchantId }) => merchantId === wanted);
      return (named.length === 0 ? items : named)
        .map(claimIn)
        .filter(({ merchantId }) => wanted === undefined || merchantId === wanted);
    },
    /** False where another one was faster. */
    put: (sub: string, claim: Claim, seen: Claim | undefined): Promise<boolean> => {
      const { place, merchantId, claimedAtMs } = claim;
      const item = { ...membershipKey(sub, place), ...formatAttribute(MEMBERSHIP), merchantId, claimedAtMs };
      return putItem(config, item, seen === undefined ? IF_NEW : asSeen(seen));
    },
    /** Also of an item that cannot be read. */
    async remove(sub: string, merchantId: string): Promise<void> {
      const isIts = { condition: 'merchantId = :merchant', values: { ':merchant': merchantId } };
      for (const { pk, sk, merchantId: named } of await itemsOf(sub))
        if (named === merchantId) await deleteItem(config, { pk, sk }, isIts);
    },
  };
}

export function createMemberStore(db: Db, table: string, quarantine: ItemQuarantine = () => {}): MemberStore {
  const { readTeam, changeTeam } = createTeams(db, table, quarantine);
  const claims = createClaims(db, table);
  const isIn = async (merchantId: string, sub: string): Promise<boolean> =>
    (await readTeam(merchantId)).team.members.some((one) => one.sub === sub);

  async function membership(sub: string, merchantId: string): Promise<readonly Membership[]> {
    const [{ team }, profile] = await Promise.all([
      readTeam(merchantId),
      getItem({ db, table }, profileKey(merchantId), 'eventual'),
    ]);
    const member = team.members.find((one) => one.sub === sub);
    if (member === undefined) return [];
    const { role, limits, invitedBy } = member;
    const name = decodeOrAbsent(SHARED_PROFILE, profile)?.name;
    const one = {
      sub,
      merchantId,
      role,
      ...(name === undefined ? {} : { name }),
      ...(limits === undefined ? {} : { limits, invitedBy }),
      ...(isSuspended(profile) ? ({ isSuspended: true } as const) : {}),
    };
    return [one];
  }

  /** The first place that is free, or whose merchant's team does not hold the subject and is not about to. */
  async function freePlace(sub: string, taken: readonly Claim[], nowMs: number) {
    for (let place = 0; place < MERCHANTS_MAX; place++) {
      const seen = taken.find((one) => one.place === place);
      if (seen === undefined) return { place, seen };
      const isFresh = (seen.claimedAtMs ?? 0) > nowMs - CLAIM_LASTS_MS;
      if (!isFresh && !(await isIn(seen.merchantId, sub))) return { place, seen };
    }
    return null;
  }

  const claimSubject: MemberStore['claimSubject'] = async (sub, merchantId, nowMs) => {
    if (!isSubject(sub)) return false;
    return await retryConflicts({ what: 'the merchants of a person', triesMax: TRIES_MAX }, async () => {
      const taken = await claims.of(sub);
      const seen = taken.find((one) => one.merchantId === merchantId);
      const free = seen === undefined ? await freePlace(sub, taken, nowMs) : { place: seen.place, seen };
      if (free === null) return false;
      const claim = { merchantId, place: free.place, claimedAtMs: nowMs };
      return (await claims.put(sub, claim, free.seen)) ? true : CONFLICT;
    });
  };

  return {
    changeTeam,
    claimSubject,
    team: async (merchantId) => (await readTeam(merchantId)).team,

    async memberships(sub, wanted) {
      if (!isSubject(sub)) return [];
      const named = new Set((await claims.of(sub, wanted)).map(({ merchantId }) => merchantId));
      return (await Promise.all([...named].map((merchantId) => membership(sub, merchantId)))).flat();
    },

    async putMember({ sub, merchantId, role }: Membership) {
      if (!isSubject(sub)) throw new RangeError(`a subject has 1 to ${SUB_MAX_CHARS} characters`);
      if (!(await claimSubject(sub, merchantId, 0)))
        throw new RangeError(`a person acts for ${MERCHANTS_MAX} merchants at most`);
      await changeTeam(merchantId, (team) => ({ team: withMember(team, sub, role), result: undefined }));
    },

    releaseSubject: claims.remove,
  };
}
