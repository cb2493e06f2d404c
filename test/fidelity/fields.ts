// Two request bodies as lists of fields, side by side. Empty text, null, an empty list and absence are one and the same; a
// list of one text is that text, since every vendor that takes a list takes one value too; number and text are not the same.
import { originOf } from './digest-origins.ts';
import type { Order } from './order.ts';

/** Path (`user_data.em`, `custom_data.contents[0].id`) → value. */
export type Fields = Readonly<Record<string, unknown>>;

export interface Difference {
  readonly order: Order;
  /** Path without the positions in lists. */
  readonly field: string;
  /** Undefined where the side has no such field. */
  readonly ours: unknown;
  readonly theirs: unknown;
  /** The same with every digest replaced by the text it was made of. */
  readonly oursPlain: unknown;
  readonly theirsPlain: unknown;
}

type Node = Record<string, unknown>;
const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

export function flatten(value: unknown, path = '', into: Record<string, unknown> = {}): Fields {
  if (Array.isArray(value) && value.some(isNode)) {
    for (const [index, item] of value.entries()) flatten(item, `${path}[${index}]`, into);
  } else if (isNode(value)) {
    for (const [key, part] of Object.entries(value))
      flatten(part, path === '' ? key : `${path}.${key}`, into);
  } else {
    const kept = Array.isArray(value) ? value.filter((item) => !isEmpty(item)) : value;
    const one = Array.isArray(kept) && kept.length === 1 ? kept[0] : kept;
    if (!isEmpty(one)) into[path] = one;
  }
  return into;
}

/** Fields under other names; `null` drops one. The longest prefix counts. */
export function renamed(fields: Fields, names: Readonly<Record<string, string | null>>): Fields {
  const prefixes = Object.keys(names).sort((a, b) => b.length - a.length);
  return Object.fromEntries(
    Object.entries(fields).flatMap(([path, value]) => {
      const prefix = prefixes.find((p) => path === p || path.startsWith(`${p}.`) || path.startsWith(`${p}[`));
      if (prefix === undefined) return [[path, value]];
      const name = names[prefix];
      return name === null || name === undefined ? [] : [[`${name}${path.slice(prefix.length)}`, value]];
    }),
  );
}

/** Text behind a digest, digests in lists included. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  return typeof value === 'string' ? (originOf(value) ?? value) : value;
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Every field either side has: how many agree, and the others. */
export function compare(
  order: Order,
  ours: Fields,
  theirs: Fields,
): { agreed: number; differences: Difference[] } {
  const differences: Difference[] = [];
  const paths = new Set([...Object.keys(ours), ...Object.keys(theirs)]);
  for (const path of paths) {
    if (same(ours[path], theirs[path])) continue;
    differences.push({
      order,
      field: path.replaceAll(/\[\d+\]/g, '[]'),
      ours: ours[path],
      theirs: theirs[path],
      oursPlain: plain(ours[path]),
      theirsPlain: plain(theirs[path]),
    });
  }
  return { agreed: paths.size - differences.length, differences };
}
