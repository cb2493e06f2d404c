// Reads with a schema as it is before zod compiles it: compiling takes as long as reading some hundreds, and a function that was
// just started reads a few.
import type * as z from 'zod';

const PLAIN_READS = 32;
const reads = new WeakMap<z.ZodType, number>();

/** A text of JSON; null where it is none, or another. */
export function readTextBy<T>(schema: z.ZodType<T>, text: string): T | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const read = readBy(schema, value);
  return read.success ? read.data : null;
}

export function readBy<T>(schema: z.ZodType<T>, value: unknown): z.ZodSafeParseResult<T> {
  const before = reads.get(schema) ?? 0;
  if (before >= PLAIN_READS) return schema.safeParse(value);
  reads.set(schema, before + 1);
  return schema.safeParse(value, { jitless: true });
}
