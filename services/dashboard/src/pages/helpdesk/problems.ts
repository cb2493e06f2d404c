// What the helpdesk refuses of a form, at the field it is about: it says "url: only https is allowed", "tags.3: …".
import { type RefObject, useEffect, useRef } from 'react';

interface Problems {
  /** Of a field; undefined where nothing is wrong with it. */
  readonly of: (field: string) => string | undefined;
  /** What is about no field of the form. */
  readonly rest: unknown;
  /** Whose first field with a problem takes the focus. */
  readonly form: RefObject<HTMLFormElement | null>;
}

const NAMED = /^([a-z_]+)(?:\.[\w.]+)?: (.+)$/s;

export function namedProblem(error: unknown): readonly [field: string, words: string] | undefined {
  const said = error instanceof Error && 'status' in error && error.status === 400 ? error.message : '';
  const [, field, words] = NAMED.exec(said) ?? [];
  return field === undefined || words === undefined ? undefined : [field, words];
}

export function useProblems(error: unknown, fields: readonly string[]): Problems {
  const form = useRef<HTMLFormElement>(null);
  const [field, words] = namedProblem(error) ?? [];
  const isOfField = field !== undefined && fields.includes(field);
  useEffect(() => {
    if (error) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [error]);
  return {
    of: (name) => (isOfField && name === field ? words : undefined),
    rest: isOfField ? null : error,
    form,
  };
}
