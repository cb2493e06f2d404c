import { type DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { MemberStore } from '../../../core/tenancy/member-store.ts';
import type { Membership } from '../../../core/tenancy/merchant.ts';
import { membershipKey } from './config-item.ts';

/** A partition key holds 2,048 bytes; subjects of real issuers have under 64. */
const SUB_MAX_CHARS = 255;

export function createMemberStore(db: DynamoDBDocumentClient, table: string): MemberStore {
  return {
    async membership(sub) {
      if (sub === '' || sub.length > SUB_MAX_CHARS) return null;
      const { Item: item } = await db.send(
        new GetCommand({ TableName: table, Key: membershipKey(sub), ConsistentRead: true }),
      );
      return (item?.membership as Membership | undefined) ?? null;
    },

    async putMember(membership) {
      if (membership.sub === '' || membership.sub.length > SUB_MAX_CHARS) {
        throw new RangeError(`a subject has 1 to ${SUB_MAX_CHARS} characters`);
      }
      await db.send(
        new PutCommand({ TableName: table, Item: { ...membershipKey(membership.sub), membership } }),
      );
    },
  };
}
