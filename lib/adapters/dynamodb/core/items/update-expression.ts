/** `SET` assignments for a flat set of attributes, with placeholder names so that no reserved word can collide. */
export function assignments(attributes: Readonly<Record<string, unknown>>): {
  readonly expression: string;
  readonly names: Record<string, string>;
  readonly values: Record<string, unknown>;
} {
  const names: Record<string, string> = {};
  const values: Record<string, unknown> = {};
  const parts = Object.entries(attributes).map(([name, value], i) => {
    names[`#s${i}`] = name;
    values[`:s${i}`] = value;
    return `#s${i} = :s${i}`;
  });
  return { expression: parts.join(', '), names, values };
}
