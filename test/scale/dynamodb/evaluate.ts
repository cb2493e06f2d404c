// What an expression says of an item: whether a condition holds, and what an update makes of it. Items are never changed in
// place: a reader keeps what it read.
import { type Condition, ExpressionError, type Operand, type Path, type Update } from './expressions.ts';

export type Item = Readonly<Record<string, unknown>>;

/** Names and values of a request; each must be used, and none may be missing. */
export interface Bindings {
  readonly names: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, unknown>>;
  readonly used: Set<string>;
}

export function bindingsOf(input: Item): Bindings {
  return {
    names: (input.ExpressionAttributeNames ?? {}) as Record<string, string>,
    values: (input.ExpressionAttributeValues ?? {}) as Record<string, unknown>,
    used: new Set(),
  };
}

/** DynamoDB refuses a request that brings what its expressions do not mention; a condition that was cut short counts. */
export function refuseUnused({ names, values }: Bindings, texts: readonly (string | undefined)[]): void {
  const text = texts.filter((part) => part !== undefined).join(' ');
  const used = mentionedIn(text);
  for (const name of [...Object.keys(names), ...Object.keys(values)])
    if (!used.has(name)) throw new ExpressionError(`${name} is not used in any expression`);
}

/** Texts are few: they are written in code. */
const mentioned = new Map<string, ReadonlySet<string>>();
function mentionedIn(text: string): ReadonlySet<string> {
  const known = mentioned.get(text) ?? new Set(text.match(/[#:]\w+/g));
  mentioned.set(text, known);
  return known;
}

export function holds(condition: Condition, item: Item | undefined, bound: Bindings): boolean {
  switch (condition.kind) {
    case 'and':
      return condition.of.every((part) => holds(part, item, bound));
    case 'or':
      return condition.of.some((part) => holds(part, item, bound));
    case 'not':
      return !holds(condition.of, item, bound);
    case 'compare':
      return compares(
        condition.sign,
        operandValue(condition.left, item, bound),
        operandValue(condition.right, item, bound),
      );
    case 'between': {
      const value = operandValue(condition.value, item, bound);
      return (
        compares('>=', value, operandValue(condition.low, item, bound)) &&
        compares('<=', value, operandValue(condition.high, item, bound))
      );
    }
    case 'in': {
      const value = operandValue(condition.value, item, bound);
      return condition.of.some((other) => compares('=', value, operandValue(other, item, bound)));
    }
    case 'call':
      return callHolds(condition.name, condition.of, item, bound);
  }
}

function callHolds(name: string, of: readonly Operand[], item: Item | undefined, bound: Bindings): boolean {
  const [first, second] = of.map((operand) => operandValue(operand, item, bound));
  switch (name) {
    case 'attribute_exists':
      return first !== undefined;
    case 'attribute_not_exists':
      return first === undefined;
    case 'begins_with':
      return typeof first === 'string' && first.startsWith(String(second));
    case 'contains':
      if (first instanceof Set) return first.has(second);
      return typeof first === 'string'
        ? first.includes(String(second))
        : Array.isArray(first) && first.includes(second);
    default:
      throw new ExpressionError(`${name} is not understood`);
  }
}

function operandValue(operand: Operand, item: Item | undefined, bound: Bindings): unknown {
  switch (operand.kind) {
    case 'value': {
      if (!Object.hasOwn(bound.values, operand.name))
        throw new ExpressionError(`${operand.name} has no value`);
      return bound.values[operand.name];
    }
    case 'path':
      return at(item, named(operand.path, bound));
    case 'sum': {
      const [left, right] = [
        operandValue(operand.left, item, bound),
        operandValue(operand.right, item, bound),
      ];
      if (typeof left !== 'number' || typeof right !== 'number')
        throw new ExpressionError('only numbers can be added');
      return left + operand.sign * right;
    }
    case 'call': {
      const [first, second] = operand.of.map((part) => operandValue(part, item, bound));
      if (operand.name === 'if_not_exists') return first ?? second;
      if (operand.name === 'list_append') return [...(first as unknown[]), ...(second as unknown[])];
      if (operand.name === 'size' && first instanceof Set) return first.size;
      if (operand.name === 'size')
        return typeof first === 'string'
          ? Buffer.byteLength(first)
          : (first as { length: number } | undefined)?.length;
      throw new ExpressionError(`${operand.name} is not understood`);
    }
  }
}

function named(path: Path, { names }: Bindings): Path {
  return path.map((part) => {
    if (typeof part === 'number' || !part.startsWith('#')) return part;
    const name = names[part];
    if (name === undefined) throw new ExpressionError(`${part} has no name`);
    return name;
  });
}

function at(item: Item | undefined, path: Path): unknown {
  let value: unknown = item;
  for (const part of path) {
    if (value === null || typeof value !== 'object' || value instanceof Uint8Array) return undefined;
    value = Object.hasOwn(value, part) ? (value as Record<string | number, unknown>)[part] : undefined;
  }
  return value;
}

/** Values of different types are different, and neither is less. */
function compares(sign: string, left: unknown, right: unknown): boolean {
  if (left === undefined || right === undefined) return sign === '<>' && left !== right;
  const order = compareValues(left, right);
  switch (sign) {
    case '=':
      return order === 0;
    case '<>':
      return order !== 0;
    case '<':
      return order !== null && order < 0;
    case '<=':
      return order !== null && order <= 0;
    case '>':
      return order !== null && order > 0;
    default:
      return order !== null && order >= 0;
  }
}

/** Null where the two have no order and are not equal. */
export function compareValues(left: unknown, right: unknown): number | null {
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  if (typeof left === 'string' && typeof right === 'string') return left < right ? -1 : left > right ? 1 : 0;
  if (left instanceof Uint8Array && right instanceof Uint8Array) return Buffer.compare(left, right);
  if (left === right) return 0;
  const [a, b] = [JSON.stringify(left), JSON.stringify(right)];
  return typeof left === 'object' && typeof right === 'object' && a === b ? 0 : null;
}

/** What the update leaves; every value is taken from the item as it was before. */
export function updated(update: Update, item: Item, bound: Bindings): Item {
  let after: Item = { ...item };
  for (const { path, to } of update.set) {
    const value = operandValue(to, item, bound);
    if (value === undefined) throw new ExpressionError('an operand names an attribute that is not there');
    after = withValue(after, named(path, bound), value) as Item;
  }
  for (const { path, by } of update.add) {
    const wanted = named(path, bound);
    const added = operandValue(by, item, bound);
    if (added instanceof Set) {
      const members = new Set([...membersAt(item, wanted), ...added]);
      after = withValue(after, wanted, members) as Item;
      continue;
    }
    const before = at(item, wanted) ?? 0;
    if (typeof before !== 'number' || typeof added !== 'number')
      throw new ExpressionError('ADD takes numbers here');
    after = withValue(after, wanted, before + added) as Item;
  }
  for (const { path, by } of update.leave) {
    const gone = operandValue(by, item, bound) as ReadonlySet<unknown>;
    const left = membersAt(item, named(path, bound)).filter((member) => !gone.has(member));
    // There is no empty set.
    after = withValue(after, named(path, bound), left.length === 0 ? undefined : new Set(left)) as Item;
  }
  for (const path of update.remove) after = withValue(after, named(path, bound), undefined) as Item;
  return after;
}

const membersAt = (item: Item, path: Path): readonly unknown[] => [
  ...((at(item, path) ?? []) as Iterable<unknown>),
];

/** A copy with the value at the path; undefined takes it out. The way there must exist. */
function withValue(container: unknown, path: Path, value: unknown): unknown {
  const [first, ...rest] = path;
  if (first === undefined) return value;
  if (container === null || typeof container !== 'object' || container instanceof Uint8Array)
    throw new ExpressionError('the document path is not there');
  if (Array.isArray(container)) {
    const list = [...container];
    list[Number(first)] = withValue(list[Number(first)], rest, value);
    return list;
  }
  const map: Record<string, unknown> = { ...container };
  if (rest.length > 0 && !Object.hasOwn(map, first) && value === undefined) return map;
  const inner = rest.length === 0 ? value : withValue(map[first], rest, value);
  if (inner === undefined) delete map[first];
  else map[first] = inner;
  return map;
}
