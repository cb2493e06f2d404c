// What is stored is declared once, as a schema, and its type follows from that. Fields that a release does not know pass through
// reading and have no type.
import type * as z from 'zod';

export type StoredAs<Schema extends z.ZodType> = Known<z.output<Schema>>;

type Known<T> = T extends readonly (infer One)[]
  ? readonly Known<One>[]
  : T extends object
    ? { readonly [Field in keyof T as string extends Field ? never : Field]: Known<T[Field]> }
    : T;
