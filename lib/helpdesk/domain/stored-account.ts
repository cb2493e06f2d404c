// A workspace's account as it is stored.
import * as z from 'zod';
import type { Account } from './account/account.ts';

export const STORED_ACCOUNT: z.ZodType<Account> = z.looseObject({
  id: z.string(),
  workspaceId: z.string(),
  name: z.string(),
  defaultLanguage: z.string(),
  defaultTimezone: z.string(),
  config: z.string(),
  createdAtMs: z.number(),
  updatedAtMs: z.number(),
} satisfies Record<keyof Account, z.ZodType>);
