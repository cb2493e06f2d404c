// Values that several requests and answers have.
import * as z from 'zod';

export const merchantId = z.guid().transform((id) => id.toLowerCase());
export const cursor = z.string().min(1).max(4_000).optional();

export const iso = (ms: number): string => new Date(ms).toISOString();
