// What an API refused, and what is wrong with the fields of a form. Guarantees: what is about no field that is shown is not
// lost: it is the rest.
import { useEffect, useRef } from 'react';
import { ApiError } from '#lib/client/api-error.ts';

export const apiErrorOf = (error: unknown): ApiError | undefined =>
  error instanceof ApiError ? error : undefined;

/** Of the answer; 0 without an answer, undefined where the error is not the client's. */
export const statusOf = (error: unknown): number | undefined => apiErrorOf(error)?.status;
export const codeOf = (error: unknown): string | undefined => apiErrorOf(error)?.code;

/** Another person changed it since it was read. */
export const isOvertaken = (error: unknown): boolean => statusOf(error) === 412;

type Detail = Pick<ApiError['details'][number], 'path' | 'message'>;

/** The helpdesk says it in its message: "url: only https is allowed", "tags.3: …". */
const NAMED = /^([a-z_]+)(?:\.[\w.]+)?: (.+)$/s;

export function detailsOf(error: unknown): readonly Detail[] {
  const refused = apiErrorOf(error);
  if (refused === undefined || refused.details.length > 0) return refused?.details ?? [];
  const [, path, message] = (refused.status === 400 && NAMED.exec(refused.message)) || [];
  return path === undefined || message === undefined ? [] : [{ path, message }];
}

export interface Problems {
  readonly at: (field: string) => string | undefined;
  /** The field itself, or one below it, is wrong. */
  readonly isWithin: (field: string) => boolean;
  /** The error where it, or a part of it, is about no field of the form; null where all stands at its field. */
  readonly rest: unknown;
}

/** `root` is what the paths of the API begin with. A list's lines are counted from 1. */
export function problemsOf(error: unknown, fields: readonly string[], root = ''): Problems {
  const found = new Map<string, string>();
  const details = detailsOf(error);
  let isAtFields = details.length > 0;
  for (const { path, message } of details) {
    const own = path.startsWith(root) ? path.slice(root.length) : path;
    const field = fields
      .filter((one) => own === one || own.startsWith(`${one}.`))
      .reduce((longest, one) => (one.length > longest.length ? one : longest), '');
    const line = own.slice(field.length + 1);
    if (field === '') isAtFields = false;
    else if (!found.has(field))
      found.set(field, /^\d+$/.test(line) ? `line ${Number(line) + 1}: ${message}` : message);
  }
  return {
    at: (field) => found.get(field),
    isWithin: (field) => [...found.keys()].some((one) => one === field || one.startsWith(`${field}.`)),
    rest: isAtFields ? null : error,
  };
}

/** With the form: after a refusal its first field that is wrong has the focus. */
export function useProblems(error: unknown, fields: readonly string[], root?: string) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (error) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [error]);
  return { ...problemsOf(error, fields, root), form };
}
