type Without<T> = {
  [Field in keyof T as undefined extends T[Field] ? never : Field]: T[Field];
} & { [Field in keyof T as undefined extends T[Field] ? Field : never]?: Exclude<T[Field], undefined> };

/** Leaves out the fields that are undefined; the others stay in their order. */
export function withoutUndefined<T extends object>(fields: T): Without<T> {
  const kept: Record<string, unknown> = {};
  for (const field in fields) if (fields[field] !== undefined) kept[field] = fields[field];
  return kept as Without<T>;
}
