// What a merchant has subscribed to, as it is stored.
import * as z from 'zod';
import { type BillingRecord, SUBSCRIPTION_STATUSES, type Subscription } from './subscription.ts';

const subscription = z.looseObject({
  id: z.string(),
  status: z.enum(SUBSCRIPTION_STATUSES),
  lookupKey: z.string().nullable(),
  periodStartMs: z.number(),
  periodEndMs: z.number(),
  cancelAtMs: z.number().nullable(),
  createdAtMs: z.number(),
} satisfies Record<keyof Subscription, z.ZodType>);

export const STORED_BILLING: z.ZodType<BillingRecord> = z.looseObject({
  merchantId: z.string(),
  version: z.number(),
  customerId: z.string(),
  subscription: subscription.nullable(),
  checkoutId: z.string().nullable(),
  updatedAtMs: z.number(),
} satisfies Record<keyof BillingRecord, z.ZodType>);
