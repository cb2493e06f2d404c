// What the API refused of a form, by the fields of the form. Guarantees: what is about no field that is shown is not lost: it is
// among the rest.
import { type RefObject, useEffect } from 'react';

interface Detail {
  readonly path: string;
  readonly message: string;
}

export interface Problems {
  readonly at: (field: string) => string | undefined;
  /** The field itself, or one below it, is wrong. */
  readonly isWithin: (field: string) => boolean;
  /** About no field of the form. */
  readonly rest: readonly Detail[];
}

/** `root` is what the paths of the API begin with. A list's lines are counted from 1. */
export function problemsOf(error: unknown, fields: readonly string[], root = ''): Problems {
  const found = new Map<string, string>();
  const rest: Detail[] = [];
  for (const { path, message } of detailsOf(error)) {
    const own = path.startsWith(root) ? path.slice(root.length) : path;
    const field = fields
      .filter((one) => own === one || own.startsWith(`${one}.`))
      .reduce((longest, one) => (one.length > longest.length ? one : longest), '');
    const line = own.slice(field.length + 1);
    if (field === '') rest.push({ path, message });
    else if (!found.has(field))
      found.set(field, /^\d+$/.test(line) ? `line ${Number(line) + 1}: ${message}` : message);
  }
  return {
    at: (field) => found.get(field),
    isWithin: (field) => [...found.keys()].some((one) => one === field || one.startsWith(`${field}.`)),
    rest,
  };
}

const detailsOf = (error: unknown): readonly Detail[] =>
  error !== null && typeof error === 'object' && 'details' in error
    ? (error.details as readonly Detail[])
    : [];

/** True where all that is wrong stands at its field. */
export const isToldAtFields = (error: unknown, { rest }: Problems): boolean =>
  rest.length === 0 && detailsOf(error).length > 0;

/** After a refusal the first field that is wrong has the focus. */
export function useFirstProblem(form: RefObject<HTMLElement | null>, error: unknown): void {
  useEffect(() => {
    if (error) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [form, error]);
}
