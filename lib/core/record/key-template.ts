// The kinds that an item may be of, by its key and by the attributes that distinguish kinds with keys of the same form.
import type { DeclaredKind, KeyTemplate, TableName } from './define-kind.ts';
import type { Item } from './stored-item.ts';

const PLACEHOLDER = /\{[a-z0-9 ]+(\.\.\.)?\}/gi;

const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const patterns = new Map<string, RegExp>();

/** Of `M#{merchant}`. */
function patternOf(template: string): RegExp {
  const known = patterns.get(template);
  if (known !== undefined) return known;
  const parts: string[] = [];
  let at = 0;
  for (const found of template.matchAll(PLACEHOLDER)) {
    parts.push(literal(template.slice(at, found.index)), found[1] === undefined ? '[^#]+' : '.+');
    at = found.index + found[0].length;
  }
  parts.push(literal(template.slice(at)));
  const pattern = new RegExp(`^${parts.join('')}$`, 's');
  patterns.set(template, pattern);
  return pattern;
}

const fits = (template: string | undefined, value: unknown): boolean =>
  template === undefined ? value === undefined : typeof value === 'string' && patternOf(template).test(value);

const fitsKey = (template: KeyTemplate | undefined, { pk, sk }: Item): boolean =>
  template !== undefined && fits(template.pk, pk) && fits(template.sk, sk);

/** By its key alone. */
export const kindsOfKey = (
  kinds: readonly DeclaredKind[],
  table: TableName,
  item: Item,
): readonly DeclaredKind[] =>
  kinds.filter((kind) => kind.table === table && (fitsKey(kind.key, item) || fitsKey(kind.formerKey, item)));

/** Of kinds with some marks, and others with those and more, the latter. */
export function kindsOfItem(
  kinds: readonly DeclaredKind[],
  table: TableName,
  item: Item,
): readonly DeclaredKind[] {
  const marked = kindsOfKey(kinds, table, item).filter(({ marks = [] }) =>
    marks.every((mark) => item[mark] !== undefined),
  );
  const most = Math.max(...marked.map(({ marks = [] }) => marks.length));
  return marked.filter(({ marks = [] }) => marks.length === most);
}
