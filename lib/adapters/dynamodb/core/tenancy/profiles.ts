// What all products read of the profiles of merchants. A profile that cannot be read is no missing one: asking for it throws.
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { decodeItem, type StoredKind } from '#lib/core/record/stored-item.ts';
import { type Profile, type ProfileStore, STORED_PROFILE } from '#lib/core/tenancy/profile.ts';
import { getItem } from '../items/commands.ts';
import { profileKey } from '../items/config-item.ts';

/** Without what a product adds, so that a mistake there does not keep the others out. */
export const SHARED_PROFILE: StoredKind<Profile> = {
  what: 'profile',
  attribute: 'merchant',
  schema: STORED_PROFILE,
};

export const createProfileStore = (db: DynamoDBDocumentClient, table: string): ProfileStore => ({
  async merchant(merchantId) {
    const item = await getItem({ db, table }, profileKey(merchantId));
    return item === undefined ? null : decodeItem(SHARED_PROFILE, item);
  },
});
