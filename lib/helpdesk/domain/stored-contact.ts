// A contact as it is stored.
import * as z from 'zod';
import type { Contact } from './contacts/contact.ts';

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

export const STORED_CONTACT: z.ZodType<Contact> = z.looseObject({
  id: z.string(),
  workspaceId: z.string(),
  email: z.string(),
  name: z.string().nullable(),
  firstname: z.string().nullable(),
  lastname: z.string().nullable(),
  company: z.string().nullable(),
  phone: z.string().nullable(),
  metadata: z.string().refine(isJsonObject),
  idRoot: z.string().exactOptional(),
  createdAtMs: z.number(),
  updatedAtMs: z.number(),
  mailStopped: z
    .looseObject({ atMs: z.number(), reason: z.enum(['bounced', 'complained']) })
    .nullable()
    .exactOptional(),
} satisfies Record<keyof Contact, z.ZodType>);
