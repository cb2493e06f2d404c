// What products say differently in their documents, and how those say it whose failures have codes.
import * as z from 'zod';
import { type Errors, errorOf } from './errors.ts';
import type { Route } from './route.ts';

type Json = Record<string, unknown>;

/** Of sessions. */
export const CHOOSING_TEXT =
  'A member of several merchants names one by its id in the header `Millrace-Merchant`.';

export const ERROR_REF: Json = { $ref: '#/components/schemas/Error' };

/** What a product says of itself. */
export interface DocumentedProduct {
  readonly title: string;
  readonly version: string;
  readonly description: string;
  /** Part → what it is for, in the order of the tags. */
  readonly parts: Readonly<Record<string, string>>;
  /** The part whose address is the document's. */
  readonly part: string;
}

export interface Dialect extends DocumentedProduct {
  readonly errors: Errors;
  readonly securitySchemes: Json;
  /** What a route asks of its caller, by the names of the schemes. */
  securityOf(auth: Exclude<Route['auth'], 'public'>): readonly Json[];
  /** Schema `Error`. */
  readonly error: Json;
  /** The body of a failure with one of these codes, which have one status. */
  failureSchema(route: Route, codes: readonly string[], convert: (schema: z.ZodType) => Json): Json;
  failureText(route: Route, code: string): string;
}

/** What `merchant_required` says besides, at any route. */
const MERCHANTS = z
  .object({ merchants: z.array(z.object({ id: z.string(), name: z.string() })) })
  .meta({ id: 'MerchantsToChoose' });
const extraOf = (route: Route, code: string): z.ZodType | undefined =>
  code === 'merchant_required' ? MERCHANTS : route.failureExtras?.[code];

const coded = (codes: readonly string[]): Json => ({ properties: { code: { enum: codes } } });

/** Of a product whose failures have codes and whose keys come as bearer tokens. */
export const codedDialect = (
  product: DocumentedProduct & Pick<Dialect, 'errors' | 'securitySchemes'>,
): Dialect => ({
  ...product,
  securityOf: (auth) => [
    ...(auth.key === undefined ? [] : [{ apiKey: [auth.key] }]),
    ...(auth.key === undefined || auth.basic === undefined ? [] : [{ basicKey: [auth.key] }]),
    ...(auth.session === undefined ? [] : [{ session: [auth.session] }]),
  ],
  error: {
    type: 'object',
    description: 'The body of every answer from 400 on.',
    properties: {
      error: { type: 'string', description: 'A sentence for people.' },
      code: { type: 'string', enum: Object.keys(product.errors), description: 'A stable word for programs.' },
      details: {
        type: 'array',
        items: {
          type: 'object',
          properties: { path: { type: 'string' }, message: { type: 'string' } },
          required: ['path', 'message'],
        },
      },
    },
    required: ['error', 'code'],
  },
  /** The codes of this status at this route, each with what it says besides. */
  failureSchema(route, codes, convert) {
    const extras = codes.flatMap((code) => {
      const schema = extraOf(route, code);
      return schema === undefined ? [] : [{ code, schema }];
    });
    const plain = codes.filter((code) => extraOf(route, code) === undefined);
    const schemas = [
      ...(plain.length === 0 ? [] : [{ allOf: [ERROR_REF, coded(plain)], unevaluatedProperties: false }]),
      ...extras.map(({ code, schema }) => ({
        allOf: [ERROR_REF, coded([code]), convert(schema)],
        unevaluatedProperties: false,
      })),
    ];
    const [only] = schemas;
    return schemas.length === 1 && only !== undefined ? only : { oneOf: schemas };
  },
  failureText: (route, code) => `\`${code}\`: ${route.texts?.[code] ?? errorOf(product.errors, code).text}`,
});
