// DynamoDB's expression language, as far as conditions, updates and key conditions of this repository go: parsed once per
// text. Refuses what it does not know, and names or values that are missing or not used, as DynamoDB does.

export type Path = readonly (string | number)[];

export type Operand =
  | { readonly kind: 'path'; readonly path: Path }
  | { readonly kind: 'value'; readonly name: string }
  | { readonly kind: 'call'; readonly name: string; readonly of: readonly Operand[] }
  | { readonly kind: 'sum'; readonly sign: 1 | -1; readonly left: Operand; readonly right: Operand };

export type Condition =
  | { readonly kind: 'and' | 'or'; readonly of: readonly Condition[] }
  | { readonly kind: 'not'; readonly of: Condition }
  | { readonly kind: 'compare'; readonly sign: string; readonly left: Operand; readonly right: Operand }
  | { readonly kind: 'between'; readonly value: Operand; readonly low: Operand; readonly high: Operand }
  | { readonly kind: 'in'; readonly value: Operand; readonly of: readonly Operand[] }
  | { readonly kind: 'call'; readonly name: string; readonly of: readonly Operand[] };

export interface Update {
  readonly set: readonly { readonly path: Path; readonly to: Operand }[];
  readonly remove: readonly Path[];
  readonly add: readonly { readonly path: Path; readonly by: Operand }[];
  /** Members that leave a set. */
  readonly leave: readonly { readonly path: Path; readonly by: Operand }[];
}

export class ExpressionError extends Error {}

const TOKEN = /\s*(?:([A-Za-z_][\w]*)|(#[\w]+)|(:[\w]+)|(\d+)|(<>|<=|>=|[=<>(),.[\]+-]))/y;
const COMPARISONS = new Set(['=', '<>', '<', '<=', '>', '>=']);
const CONDITION_CALLS = new Set(['attribute_exists', 'attribute_not_exists', 'begins_with', 'contains']);
const CLAUSES = new Set(['SET', 'REMOVE', 'ADD', 'DELETE']);

type Tokens = ReturnType<typeof tokensOf>;

function tokensOf(text: string) {
  const all: string[] = [];
  TOKEN.lastIndex = 0;
  const trimmed = text.trimEnd();
  while (TOKEN.lastIndex < trimmed.length) {
    const from = TOKEN.lastIndex;
    const match = TOKEN.exec(trimmed);
    if (match === null) throw new ExpressionError(`not understood: ${trimmed.slice(from)}`);
    all.push(match[0].trim());
  }
  let at = 0;
  const next = (): string => {
    const token = all[at++];
    if (token === undefined) throw new ExpressionError(`${text} ends too early`);
    return token;
  };
  return {
    peek: () => all[at],
    next,
    take: (wanted: string) => {
      const found = all[at]?.toUpperCase() === wanted;
      if (found) at += 1;
      return found;
    },
    expect: (wanted: string) => {
      const token = next();
      if (token.toUpperCase() !== wanted) throw new ExpressionError(`${wanted} was expected in ${text}`);
    },
  };
}

/** The condition of a write, a filter or a key condition. */
export const parseCondition = remembered((text: string): Condition => {
  const tokens = tokensOf(text);
  const condition = either(tokens);
  if (tokens.peek() !== undefined) throw new ExpressionError(`${text} goes on after its end`);
  return condition;
});

function either(tokens: Tokens): Condition {
  const of = [both(tokens)];
  while (tokens.take('OR')) of.push(both(tokens));
  return of.length === 1 ? (of[0] as Condition) : { kind: 'or', of };
}

function both(tokens: Tokens): Condition {
  const of = [single(tokens)];
  while (tokens.take('AND')) of.push(single(tokens));
  return of.length === 1 ? (of[0] as Condition) : { kind: 'and', of };
}

function single(tokens: Tokens): Condition {
  if (tokens.take('NOT')) return { kind: 'not', of: single(tokens) };
  if (tokens.take('(')) {
    const inner = either(tokens);
    tokens.expect(')');
    return inner;
  }
  const left = operand(tokens);
  if (left.kind === 'call' && CONDITION_CALLS.has(left.name))
    return { kind: 'call', name: left.name, of: left.of };
  if (tokens.take('BETWEEN')) {
    const low = operand(tokens);
    tokens.expect('AND');
    return { kind: 'between', value: left, low, high: operand(tokens) };
  }
  if (tokens.take('IN')) {
    tokens.expect('(');
    const of = [operand(tokens)];
    while (tokens.take(',')) of.push(operand(tokens));
    tokens.expect(')');
    return { kind: 'in', value: left, of };
  }
  const sign = tokens.next();
  if (!COMPARISONS.has(sign)) throw new ExpressionError(`${sign} compares nothing`);
  return { kind: 'compare', sign, left, right: operand(tokens) };
}

function operand(tokens: Tokens): Operand {
  const token = tokens.next();
  if (token.startsWith(':')) return { kind: 'value', name: token };
  if (!token.startsWith('#') && tokens.take('(')) {
    const of = [operand(tokens)];
    while (tokens.take(',')) of.push(operand(tokens));
    tokens.expect(')');
    return { kind: 'call', name: token, of };
  }
  return { kind: 'path', path: pathFrom(token, tokens) };
}

function pathFrom(first: string, tokens: Tokens): Path {
  if (!/^[#A-Za-z_]/.test(first)) throw new ExpressionError(`${first} is no name`);
  const path: (string | number)[] = [first];
  for (;;) {
    if (tokens.take('.')) path.push(tokens.next());
    else if (tokens.take('[')) {
      path.push(Number(tokens.next()));
      tokens.expect(']');
    } else return path;
  }
}

export const parseUpdate = remembered((text: string): Update => {
  const tokens = tokensOf(text);
  const set: { path: Path; to: Operand }[] = [];
  const remove: Path[] = [];
  const add: { path: Path; by: Operand }[] = [];
  const leave: { path: Path; by: Operand }[] = [];
  while (tokens.peek() !== undefined) {
    const clause = tokens.next().toUpperCase();
    if (!CLAUSES.has(clause)) throw new ExpressionError(`${clause} is not understood`);
    do {
      const path = pathFrom(tokens.next(), tokens);
      if (clause === 'REMOVE') remove.push(path);
      else if (clause === 'ADD') add.push({ path, by: operand(tokens) });
      else if (clause === 'DELETE') leave.push({ path, by: operand(tokens) });
      else {
        tokens.expect('=');
        set.push({ path, to: sum(tokens) });
      }
    } while (tokens.take(','));
  }
  return { set, remove, add, leave };
});

function sum(tokens: Tokens): Operand {
  const left = operand(tokens);
  if (tokens.take('+')) return { kind: 'sum', sign: 1, left, right: operand(tokens) };
  if (tokens.take('-')) return { kind: 'sum', sign: -1, left, right: operand(tokens) };
  return left;
}

/** Texts are few: they are written in code. */
function remembered<T>(parse: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const parsed = parse(text);
    known.set(text, parsed);
    return parsed;
  };
}
