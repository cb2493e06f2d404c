// An API key's record as it is stored.
import * as z from 'zod';
import type { ApiKeyRecord } from './api-key.ts';

export const STORED_API_KEY: z.ZodType<ApiKeyRecord> = z.looseObject({
  sha256: z.string(),
  keyId: z.string(),
  merchantId: z.string(),
  name: z.string(),
  prefix: z.string(),
  scopes: z.array(z.string()),
  createdAtMs: z.number(),
  createdBy: z.string().exactOptional(),
  expiresAtMs: z.number().exactOptional(),
  revokedAtMs: z.number().exactOptional(),
} satisfies Record<keyof ApiKeyRecord, z.ZodType>);
