// Values that several requests and answers have.
import * as z from 'zod';
import { emailAddress } from '#lib/core/routes/wire.ts';

export const merchantId = z.guid().transform((id) => id.toLowerCase());
/** As Cognito compares it: letter by letter. */
export const personEmail = emailAddress.transform((email) => email.toLowerCase());
export const cursor = z.string().min(1).max(4_000).optional();

export const iso = (ms: number): string => new Date(ms).toISOString();
