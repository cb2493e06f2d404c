// What a platform asks for when it is connected, read from its credential schema.
import * as z from 'zod';
import type { Platform } from '../../platforms/platform.ts';

export interface CredentialField {
  readonly name: string;
  readonly label: string;
  readonly help: string;
  readonly required: boolean;
  /** Never shown again once it is stored. */
  readonly secret: boolean;
  /** It names, alone or with others, where events go: another value is another destination. */
  readonly destination: boolean;
  /** What is entered: a line, yes or no, one of `options`, or a value for some of `names`, each of `options` if there are any. */
  readonly kind: CredentialKind;
  readonly options?: string[];
  readonly names?: string[];
}

export const CREDENTIAL_KINDS = ['text', 'flag', 'choice', 'map'] as const;
export type CredentialKind = (typeof CREDENTIAL_KINDS)[number];

const ACCOUNT_MAX_CHARS = 200;

const metaSchema = z.object({
  label: z.string(),
  help: z.string().default(''),
  secret: z.boolean().default(false),
  destination: z.boolean().default(false),
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
    ...entered(field),
  }));
}

/**
 * True where both credentials are for one pixel, account or data set. Where ids are entered for events, one in common is
 * enough. A platform that names its destination by a secret alone cannot be told: only equal credentials are for the same.
 */
export function isSameDestination(
  platform: Platform,
  a: Readonly<Record<string, unknown>>,
  b: Readonly<Record<string, unknown>>,
): boolean {
  const fields = credentialFields(platform);
  const named = fields.filter(({ destination }) => destination);
  return (named.length === 0 ? fields : named).every(({ name }) => isAlike(a[name], b[name]));
}

/** What names the destination and is no secret, such as the id of a pixel; undefined where there is nothing of the kind. */
export function accountOf(
  platform: Platform,
  credentials: Readonly<Record<string, unknown>>,
): string | undefined {
  const named = credentialFields(platform).filter(({ destination, secret }) => destination && !secret);
  const values = named.flatMap(({ name }) => {
    const value = credentials[name] ?? [];
    return typeof value === 'object' ? Object.values(value) : [String(value)];
  });
  return values.length === 0 ? undefined : [...new Set(values)].join(', ').slice(0, ACCOUNT_MAX_CHARS);
}

function isAlike(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  const ids = new Set(Object.values(a));
  return Object.values(b).some((id) => ids.has(id));
}

function entered(field: z.ZodType): Pick<CredentialField, 'kind' | 'options' | 'names'> {
  if (field instanceof z.ZodOptional || field instanceof z.ZodDefault || field instanceof z.ZodNullable)
    return entered(field.unwrap() as z.ZodType);
  if (field instanceof z.ZodBoolean) return { kind: 'flag' };
  if (field instanceof z.ZodEnum) return { kind: 'choice', options: field.options.map(String) };
  if (!(field instanceof z.ZodRecord)) return { kind: 'text' };
  const { keyType, valueType } = field;
  return {
    kind: 'map',
    ...(keyType instanceof z.ZodEnum ? { names: keyType.options.map(String) } : {}),
    ...(valueType instanceof z.ZodEnum ? { options: valueType.options.map(String) } : {}),
  };
}
