// People who make shops themselves, where the operator lets them.
import * as z from 'zod';
import { readTextBy } from '../../core/record/read-by-schema.ts';

/** In which a distribution of ours names the visitor. */
export const VISITOR_HEADER = 'x-viewer-address';

const count = z.int().min(1);
const rules = z.object({
  /** Of one person. */
  shops: count,
  /** Shops made from one address in a UTC day. */
  perAddress: count,
  /** What such a shop may have until the operator says otherwise: `merchant.ts`. */
  serverEventsPerDay: count,
  browserEventsPerMinute: count,
});
export type SignUpRules = z.output<typeof rules>;

export const signUpEnvironment = z.object({
  SIGN_UP: z
    .string()
    .transform((text, context) => {
      const parsed = readTextBy(rules, text);
      if (parsed !== null) return parsed;
      context.addIssue({ code: 'custom', message: 'must be a JSON object of the rules of sign-ups' });
      return z.NEVER;
    })
    .optional()
    .meta({ description: 'Settings `signUp…`, as JSON.' }),
});
