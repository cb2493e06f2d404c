// A function's environment, read once at its start. Refuses, naming the variable, what is missing or has another form.
import type * as z from 'zod';

export type RawEnvironment = Readonly<Record<string, string | undefined>>;

/** The variables of one function, or an error that names what is missing. */
export function readEnvironment<T extends z.ZodType>(schema: T, env: RawEnvironment): z.output<T> {
  // Read once: generating a parser would take longer than parsing.
  const parsed = schema.safeParse(env, { jitless: true });
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  throw new Error(`environment: ${problems.join('; ')}`);
}
