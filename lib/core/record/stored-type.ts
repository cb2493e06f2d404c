// What is stored is declared once, as a schema, and its type follows from that. Fields that a release does not know pass through
// reading and have no type.
import type * as z from 'zod';

export type StoredAs<Schema extends z.ZodType> = Known<z.output<Schema>>;

type Known<T> = T extends readonly (infer One)[]
  ? readonly Known<One>[]
  : T extends object
    ? { readonly [Field in keyof T as DeclaredField<Field, T[Field]>]: Known<T[Field]> }
    : T;

/** Leaves out what a loose object may hold beside its fields; a record of values keeps its own. */
type DeclaredField<Field, Value> = string extends Field ? (unknown extends Value ? never : Field) : Field;
