// How every sandbox reads what was sent to it. Guarantees: total. Written apart from what builds requests: a sandbox that judged with
// the code of the platform would find nothing wrong with it.
import { fromMinorUnits, isCurrency as isIsoCode } from '#lib/events/domain/event/decimal.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** The value as a JSON object; undefined for anything else. */
export function record(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}

/** A JSON array; empty for anything else. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The objects of a JSON array, with an empty one where an entry is none. */
export const recordsOf = (value: unknown): readonly Fields[] =>
  listOf(value).map((item) => record(item) ?? {});

/** The body as a JSON object; undefined when it is none. */
export function parse(body: string): Fields | undefined {
  try {
    return record(JSON.parse(body));
  } catch {
    return undefined;
  }
}

const SHA256 = /^[0-9a-f]{64}$/;

/** True for a digest, or a non-empty list of digests. */
export function isDigest(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.every((item) => isDigest(item));
  return typeof value === 'string' && SHA256.test(value);
}

/** A code of ISO 4217. */
export const isCurrency = (value: unknown): boolean => typeof value === 'string' && isIsoCode(value);

/** Whole minor units as an amount of the currency; undefined where they are none. */
export const majorOf = (minor: unknown, currency: unknown): string | undefined =>
  Number.isSafeInteger(minor) ? fromMinorUnits(BigInt(minor as number), String(currency)) : undefined;

/** A number, or text, in plain notation and not below zero. */
export const isDecimal = (value: unknown): boolean => /^(?:0|[1-9]\d*)(?:\.\d+)?$/.test(String(value));

/** Fields of a schema that are all of one kind; their names with blanks between. */
export const all = <Kind>(kind: Kind, names: string): Readonly<Record<string, Kind>> =>
  Object.fromEntries(names.split(' ').map((name) => [name, kind]));
