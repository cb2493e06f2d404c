// What a platform asks for when it is connected, read from its credential schema.
import * as z from 'zod';
import type { Platform } from '../platforms/platform.ts';

export interface CredentialField {
  readonly name: string;
  readonly label: string;
  readonly help: string;
  readonly required: boolean;
  /** Never shown again once it is stored. */
  readonly secret: boolean;
}

const metaSchema = z.object({
  label: z.string(),
  help: z.string().default(''),
  secret: z.boolean().default(false),
});

/** In the order of the schema. Throws for a platform whose schema is not an object of labelled fields. */
export function credentialFields(platform: Platform): readonly CredentialField[] {
  const schema: unknown = platform.credentials;
  if (!(schema instanceof z.ZodObject))
    throw new TypeError(`credentials of ${platform.slug} are not an object`);
  const shape: Readonly<Record<string, z.ZodType>> = schema.shape;
  return Object.entries(shape).map(([name, field]) => ({
    name,
    ...metaSchema.parse(field.meta() ?? {}),
    required: !field.safeParse(undefined).success,
  }));
}
