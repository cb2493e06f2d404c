// Whether the comparison would notice. Fields on which both sides agree are spoilt on our side, one at a time: by another
// value, by none, and a digest by the text behind it. Each must come out unexplained: what an entry of the allow-list
// swallows, it is too wide for.
import type { Allowance, Comparison } from './comparison.ts';
import { originOf } from './digest-origins.ts';
import { compare, type Fields } from './fields.ts';
import type { Order } from './order.ts';

export interface Sensitivity {
  spoilt: number;
  noticed: number;
  /** Field and entry that let a spoilt field pass. */
  readonly passed: Map<string, number>;
}

const spoil = (value: unknown): unknown => {
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  if (Array.isArray(value)) return value.slice(1);
  const text = String(value);
  // A digest stays one: of something else.
  return /^[0-9a-f]{64}$/.test(text) ? `${text.slice(1)}${text[0] === '0' ? '1' : '0'}` : `${text}x`;
};

/** The text itself in place of its digest: the fault that must never pass. */
function unhashed(path: string, value: unknown): readonly Fields[] {
  const text = typeof value === 'string' ? originOf(value) : undefined;
  return text === undefined ? [] : [{ [path]: text }];
}

export async function sensitivity(comparison: Comparison, orders: readonly Order[]): Promise<Sensitivity> {
  const result: Sensitivity = { spoilt: 0, noticed: 0, passed: new Map() };
  for (const order of orders) {
    const [ours, theirs] = [comparison.ours(order), await comparison.theirs(order)];
    if (!('fields' in ours) || !('fields' in theirs)) continue;
    for (const [path, value] of Object.entries(ours.fields)) {
      if (JSON.stringify(value) !== JSON.stringify(theirs.fields[path])) continue;
      for (const spoilt of [{ [path]: spoil(value) }, {}, ...unhashed(path, value)]) {
        const [difference] = compare(order, spoilt, { [path]: theirs.fields[path] }).differences;
        if (difference === undefined) continue;
        result.spoilt += 1;
        const entry = comparison.allowances.find(
          ({ fields, when }: Allowance) => fields.includes(difference.field) && when(difference),
        );
        if (entry === undefined) {
          result.noticed += 1;
        } else {
          const name = `${difference.field}: ${entry.title}`;
          result.passed.set(name, (result.passed.get(name) ?? 0) + 1);
        }
      }
    }
  }
  return result;
}
