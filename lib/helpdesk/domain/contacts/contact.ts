import * as z from 'zod';
import type { StoredAs } from '#lib/core/record/stored-type.ts';

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

export const STORED_CONTACT = z.looseObject({
  /** `contactIdOf(workspaceId, email)`. */
  id: z.string(),
  workspaceId: z.string(),
  /** Lowercase. */
  email: z.string(),
  name: z.string().nullable(),
  firstname: z.string().nullable(),
  lastname: z.string().nullable(),
  company: z.string().nullable(),
  phone: z.string().nullable(),
  /** `metadata` of the older paths and `custom_fields` of v1: a JSON object as text, because of its free nesting. */
  metadata: z.string().refine(isJsonObject),
  /** The root of the request with an Idempotency-Key that created it, by which an attempt of it knows its own; else absent. */
  idRoot: z.string().exactOptional(),
  createdAtMs: z.number(),
  updatedAtMs: z.number(),
  /** Since when its address is written to no more, and why; null or absent where it is. An agent takes it away. */
  mailStopped: z
    .looseObject({ atMs: z.number(), reason: z.enum(['bounced', 'complained']) })
    .nullable()
    .exactOptional(),
});
/** A customer. Its id follows from its address, so that of many who create it at once one does. */
export type Contact = StoredAs<typeof STORED_CONTACT>;
