// Custom data without what is personal in it. Pure, total, linear. A member goes if its name says that it is personal, or
// has something personal in it; of a text only what it says is replaced. Guarantees: where nothing is found, the very same
// object; applied again, no change.
import { withoutPersonalParts } from './address.ts';
import { wordsOf } from './field-name.ts';
import { type Findings, kindOfNamed, type OwnDigests } from './named-value.ts';
import { kindInText } from './text.ts';

export const REMOVED = '[removed]';

/** More than the schema of events lets through. */
const DEPTH_MAX = 12;
const ADDRESS = /^\s*(?:https?:)?\/\/\S+$/i;
const GONE = Symbol('removed');

export interface DataLook {
  readonly allowed: ReadonlySet<string>;
  readonly findings: Findings;
  readonly own?: OwnDigests;
}

/** One member of custom data as platforms may see it; undefined where it goes. */
export function withoutPersonalMember(key: string, value: unknown, look: DataLook): unknown {
  const gated = gatedMember(key, value, [], look, 0);
  return gated === GONE ? undefined : gated;
}

function gatedMember(
  key: string,
  value: unknown,
  within: readonly string[],
  look: DataLook,
  depth: number,
): unknown {
  if (depth > DEPTH_MAX) return gone(look);
  if (typeof value === 'string') return gatedText(key, value, within, look);
  if (typeof value === 'number' || typeof value === 'bigint') {
    // A number is what its name says: written as text it could be any.
    const kind = kindOfNamed({ name: key, value: String(value), within, ...look });
    if (kind === null) return value;
    look.findings.kinds.add(kind);
    return GONE;
  }
  if (value === null || typeof value !== 'object') return keyed(key, value, look);
  if (keyed(key, value, look) === GONE) return GONE;
  if (Array.isArray(value)) return gatedList(key, value, within, look, depth);
  const words = within.length > 4 ? within.slice(-4) : within;
  return gatedObject(value as Readonly<Record<string, unknown>>, [...words, ...wordsOf(key)], look, depth);
}

function gone({ findings }: DataLook): typeof GONE {
  findings.kinds.add('secret');
  return GONE;
}

function keyed(key: string, value: unknown, { findings }: DataLook): unknown {
  const kind = key === '' ? null : kindInText(key);
  if (kind === null) return value;
  findings.kinds.add(kind);
  return GONE;
}

/** A text that is an address keeps what is not personal in it. */
function gatedText(key: string, value: string, within: readonly string[], look: DataLook): unknown {
  const { allowed, findings, own } = look;
  if (ADDRESS.test(value)) {
    if (keyed(key, value, look) === GONE) return GONE;
    return withoutPersonalParts(value, allowed, findings, own);
  }
  const kind = kindOfNamed({ name: key, value, within, ...look });
  if (kind === null) return value;
  findings.kinds.add(kind);
  return kindInText(key) === null ? REMOVED : GONE;
}

function gatedList(
  key: string,
  list: readonly unknown[],
  within: readonly string[],
  look: DataLook,
  depth: number,
): unknown {
  const gated = list.map((element) => gatedMember(key, element, within, look, depth + 1));
  if (gated.every((element, i) => element === list[i])) return list;
  return gated.filter((element) => element !== GONE);
}

function gatedObject(
  object: Readonly<Record<string, unknown>>,
  within: readonly string[],
  look: DataLook,
  depth: number,
): unknown {
  let isSame = true;
  const kept: [string, unknown][] = [];
  for (const [key, value] of Object.entries(object)) {
    const gated = gatedMember(key, value, within, look, depth + 1);
    if (gated !== value) isSame = false;
    if (gated !== GONE) kept.push([key, gated]);
  }
  return isSame ? object : Object.fromEntries(kept);
}
