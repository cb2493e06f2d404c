// What a preview or a test has to say beside its result: a code for programs, a sentence for people.

export interface Notice {
  readonly code: string;
  /** Dotted wire name of what it is about. */
  readonly field?: string | undefined;
  readonly message: string;
}

/** Without fields that are undefined; of several about the same only the first. */
export function distinct(notices: readonly Notice[]): { code: string; field?: string; message: string }[] {
  const seen = new Map<string, { code: string; field?: string; message: string }>();
  for (const { code, field, message } of notices) {
    const id = `${code}/${field ?? ''}`;
    if (!seen.has(id)) seen.set(id, { code, ...(field === undefined ? {} : { field }), message });
  }
  return [...seen.values()];
}
