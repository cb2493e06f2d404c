// Members on DynamoDB: a merchant's team is one item, written whole on the condition that it is still the version that was
// read. A subject has an item of its own that says whose team to look in; it gives no right, so that it may be out of date.
import { type DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { CLAIM_LASTS_MS, type MemberStore } from '../../../core/tenancy/member-store.ts';
import type { Membership } from '../../../core/tenancy/merchant.ts';
import { NO_TEAM, type Team, withMember } from '../../../core/tenancy/team.ts';
import { CONFLICT, retryConflicts } from '../../../core/work/retry-conflicts.ts';
import { conditional } from './conditional.ts';
import { type ItemKey, membershipKey, teamKey } from './config-item.ts';

/** A partition key holds 2,048 bytes; subjects of real issuers have under 64. */
const SUB_MAX_CHARS = 255;
const TRIES_MAX = 20;

const isSubject = (sub: string): boolean => sub !== '' && sub.length <= SUB_MAX_CHARS;

export function createMemberStore(db: DynamoDBDocumentClient, table: string): MemberStore {
  const read = async (key: ItemKey): Promise<Record<string, unknown> | undefined> =>
    (await db.send(new GetCommand({ TableName: table, Key: key, ConsistentRead: true }))).Item;
  const readTeam = async (merchantId: string) => {
    const item = await read(teamKey(merchantId));
    return { version: Number(item?.v ?? 0), team: (item?.team as Team | undefined) ?? NO_TEAM };
  };
  const merchantOf = async (sub: string): Promise<string | undefined> =>
    (await read(membershipKey(sub)))?.merchantId as string | undefined;

  const changeTeam: MemberStore['changeTeam'] = (merchantId, decide) =>
    retryConflicts({ what: `the team of merchant ${merchantId}`, triesMax: TRIES_MAX }, async () => {
      const { version, team: current } = await readTeam(merchantId);
      const { team, result } = decide(current);
      if (team === null) return result;
      const written = await conditional(
        db.send(
          new PutCommand({
            TableName: table,
            Item: { ...teamKey(merchantId), v: version + 1, team },
            ConditionExpression: version === 0 ? 'attribute_not_exists(pk)' : 'v = :seen',
            ...(version === 0 ? {} : { ExpressionAttributeValues: { ':seen': version } }),
          }),
        ),
      );
      return written === null ? CONFLICT : result;
    });

  return {
    changeTeam,
    team: async (merchantId) => (await readTeam(merchantId)).team,

    async membership(sub) {
      if (!isSubject(sub)) return null;
      const merchantId = await merchantOf(sub);
      if (merchantId === undefined) return null;
      const { team } = await readTeam(merchantId);
      const member = team.members.find((one) => one.sub === sub);
      return member === undefined ? null : { sub, merchantId, role: member.role };
    },

    async putMember({ sub, merchantId, role }: Membership) {
      if (!isSubject(sub)) throw new RangeError(`a subject has 1 to ${SUB_MAX_CHARS} characters`);
      await db.send(
        new PutCommand({ TableName: table, Item: { ...membershipKey(sub), merchantId, claimedAtMs: 0 } }),
      );
      await changeTeam(merchantId, (team) => ({ team: withMember(team, sub, role), result: undefined }));
    },

    async claimSubject(sub, merchantId, nowMs) {
      if (!isSubject(sub)) return false;
      const key = membershipKey(sub);
      const seen = await read(key);
      const owner = seen?.merchantId as string | undefined;
      if (seen !== undefined && owner !== undefined && owner !== merchantId) {
        if (Number(seen.claimedAtMs) > nowMs - CLAIM_LASTS_MS) return false;
        const { team } = await readTeam(owner);
        if (team.members.some((one) => one.sub === sub)) return false;
      }
      const claimed = await conditional(
        db.send(
          new PutCommand({
            TableName: table,
            Item: { ...key, merchantId, claimedAtMs: nowMs },
            ConditionExpression:
              seen === undefined ? 'attribute_not_exists(pk)' : 'merchantId = :owner AND claimedAtMs = :at',
            ...(seen === undefined
              ? {}
              : { ExpressionAttributeValues: { ':owner': owner, ':at': seen.claimedAtMs } }),
          }),
        ),
      );
      return claimed !== null;
    },
  };
}
