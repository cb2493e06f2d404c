// What a table does to a value: whoever wrote it cannot change what is stored, and nobody who reads it can either.
// Refuses: values that would not survive the way to a table and back (functions, NaN, dates, class instances).

/** A deep, frozen copy without `undefined` properties. Throws TypeError on what is not plain data. */
export function frozenCopy<T>(value: T): T {
  return copy(value, '$') as T;
}

function copy(value: unknown, path: string): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new TypeError(`${path} is ${value}`);
    return value;
  }
  if (Array.isArray(value)) return Object.freeze(value.map((item, index) => copy(item, `${path}[${index}]`)));
  if (typeof value === 'object' && isPlain(value)) {
    const entries = Object.entries(value).filter(([, item]) => item !== undefined);
    return Object.freeze(
      Object.fromEntries(entries.map(([key, item]) => [key, copy(item, `${path}.${key}`)])),
    );
  }
  throw new TypeError(`${path} is not plain data`);
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
