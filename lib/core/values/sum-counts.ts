// Counts of two steps together, name by name.

export function sumCounts<C extends Readonly<Record<keyof C, number>>>(a: C, b: C): C {
  const names = Object.keys(a) as (keyof C)[];
  return Object.fromEntries(names.map((name) => [name, a[name] + b[name]])) as C;
}
