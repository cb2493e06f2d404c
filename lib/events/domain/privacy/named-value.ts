// What is personal in a value that has a name: a parameter of an address, a member of custom data. Pure, total, linear.
import { exemptionOf, kindByName, SPEAKING, wordsOf } from './field-name.ts';
import { mayBeAllowed, type PersonalKind } from './kinds.ts';
import { readingsOf } from './readings.ts';
import { kindInText } from './text.ts';

export interface Findings {
  readonly kinds: Set<PersonalKind>;
  /** Names the merchant allows, in lowercase, of values that would have been removed. */
  readonly allowed: Set<string>;
}

export interface NamedValue {
  readonly name: string;
  readonly value: string;
  /** Words of what the value is nested in. */
  readonly within?: readonly string[];
  /** Names that a merchant allows, in lowercase. */
  readonly allowed: ReadonlySet<string>;
  readonly findings: Findings;
  readonly actsForPerson?: boolean;
  readonly own?: OwnDigests;
}

/** Digests of the event's own e-mail addresses and phone numbers, in lowercase, and whose they are. */
export type OwnDigests = ReadonlyMap<string, 'email' | 'phone'>;

/** The kind for which name and value are to be removed; null: they stay. Notes in `findings` a name that was allowed. */
export function kindOfNamed(named: NamedValue): PersonalKind | null {
  const { allowed, findings } = named;
  const plainName = readingsOf(named.name).at(-1) ?? named.name;
  const kind = kindOf(named, plainName, false);
  const allowedAs = plainName.toLowerCase();
  if (kind === null || !mayBeAllowed(kind) || !allowed.has(allowedAs)) return kind;
  findings.allowed.add(allowedAs);
  return kindOf(named, plainName, true);
}

function kindOf(
  { name, value, within = [], actsForPerson = false, own }: NamedValue,
  plainName: string,
  neverAllowedOnly: boolean,
): PersonalKind | null {
  const digestOf = neverAllowedOnly ? undefined : own?.get(value.toLowerCase());
  if (digestOf !== undefined) return digestOf;
  const exemption = exemptionOf(plainName);
  const isSpeaking = SPEAKING.test(plainName) || within.length > 0;
  if (exemption === null && isSpeaking && value !== '') {
    const kind = kindByName([...within, ...wordsOf(plainName)], value);
    if (kind !== null && !(neverAllowedOnly && mayBeAllowed(kind))) return kind;
  }
  const context = { exemption, actsForPerson, neverAllowedOnly };
  return (
    (value === '' ? null : kindInText(value, context)) ?? kindInText(name, { ...context, exemption: null })
  );
}
