// What meters write down: usage under a label and a place (a table, a queue), added up field by field.

/** Numbers, and calls by name. A field whose name says `Max` keeps the largest. */
type Usage<U> = { readonly [Field in keyof U]: number | Readonly<Record<string, number>> };

export interface Books<U> {
  book(label: string, place: string, entry: Partial<U>): void;
  /** Everything, or what one label, one place, or both have cost so far. */
  usage(of?: { readonly label?: string | undefined; readonly place?: string | undefined }): U;
}

export function openBooks<U extends Usage<U>>(empty: U): Books<U> {
  const books = new Map<string, { label: string; place: string; usage: U }>();
  return {
    book(label, place, entry) {
      const id = `${label}\n${place}`;
      const known = books.get(id)?.usage ?? empty;
      books.set(id, { label, place, usage: addUsage(known, { ...empty, ...entry }) });
    },
    usage: ({ label, place } = {}) =>
      [...books.values()]
        .filter((one) => (label ?? one.label) === one.label && (place ?? one.place) === one.place)
        .reduce((sum, { usage }) => addUsage(sum, usage), empty),
  };
}

function addUsage<U extends Usage<U>>(a: U, b: U): U {
  const fields = (Object.keys(a) as (keyof U & string)[]).map((field) => {
    const [left, right] = [a[field], b[field]];
    if (typeof left === 'number' && typeof right === 'number')
      return [field, field.includes('Max') ? Math.max(left, right) : left + right];
    const calls: Record<string, number> = { ...(left as object) };
    for (const [name, count] of Object.entries(right)) calls[name] = (calls[name] ?? 0) + count;
    return [field, calls];
  });
  return Object.fromEntries(fields) as U;
}
