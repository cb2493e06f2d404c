// A merchant's profile as it is stored. What is learned beside it lies in attributes of its own.
import * as z from 'zod';
import type { Merchant } from './merchant.ts';

export type StoredMerchant = Omit<Merchant, 'serverEventNames' | 'shards' | 'version'>;

export const STORED_MERCHANT: z.ZodType<StoredMerchant> = z.looseObject({
  merchantId: z.string(),
  name: z.string(),
  email: z.string(),
  storePlatform: z.string().exactOptional(),
  storeUrl: z.string().exactOptional(),
  onboardingStep: z.string(),
  onboardingCompleted: z.boolean(),
  createdAtMs: z.number(),
  browserIngestion: z.looseObject({
    enabled: z.boolean(),
    origins: z.array(z.string()),
    serverCopyWaitSec: z.number().exactOptional(),
    eventsPerMinuteMax: z.number().exactOptional(),
  } satisfies Record<keyof Merchant['browserIngestion'], z.ZodType>),
  retentionDays: z.number().exactOptional(),
} satisfies Record<keyof StoredMerchant, z.ZodType>);
