// What products say differently in their documents, and how the event product says it.
import type { ZodType } from 'zod';
import { ERRORS, type ErrorCode } from './errors.ts';
import type { Route } from './route.ts';

type Json = Record<string, unknown>;

export const ERROR_REF: Json = { $ref: '#/components/schemas/Error' };

export interface Dialect {
  readonly title: string;
  readonly version: string;
  readonly description: string;
  /** The part whose address is the document's. */
  readonly part: Route['part'];
  readonly securitySchemes: Json;
  /** What a route asks of its caller, by the names of the schemes. */
  securityOf(auth: Exclude<Route['auth'], 'public'>): readonly Json[];
  /** Schema `Error`. */
  readonly error: Json;
  /** The body of a failure with one of these codes, which have one status. */
  failureSchema(route: Route, codes: readonly ErrorCode[], convert: (schema: ZodType) => Json): Json;
  failureText(route: Route, code: ErrorCode): string;
}

const coded = (codes: readonly ErrorCode[]): Json => ({ properties: { code: { enum: codes } } });

export const EVENTS_DIALECT: Dialect = {
  title: 'Millrace',
  version: '1',
  description: 'Conversion events in, deliveries to advertising platforms out. Times are UTC.',
  part: 'api',
  securitySchemes: {
    apiKey: { type: 'http', scheme: 'bearer', description: 'API key `evk_…` with the scope named.' },
    basicKey: {
      type: 'http',
      scheme: 'basic',
      description: 'API key `evk_…` with the scope named as user name, without a password.',
    },
    session: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description:
        'Session token of a member whose role has the right named. `see:events`: viewer, member, admin, owner. `manage:events`: admin, owner. `own:merchant`: owner. An agent has none of them.',
    },
  },
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
      code: { type: 'string', enum: Object.keys(ERRORS), description: 'A stable word for programs.' },
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
    const extras = codes.filter((code) => route.failureExtras?.[code] !== undefined);
    const plain = codes.filter((code) => !extras.includes(code));
    const schemas = [
      ...(plain.length === 0 ? [] : [{ allOf: [ERROR_REF, coded(plain)], unevaluatedProperties: false }]),
      ...extras.map((code) => ({
        allOf: [ERROR_REF, coded([code]), convert(route.failureExtras?.[code] as ZodType)],
        unevaluatedProperties: false,
      })),
    ];
    const [only] = schemas;
    return schemas.length === 1 && only !== undefined ? only : { oneOf: schemas };
  },
  failureText: (route, code) => `\`${code}\`: ${route.texts?.[code] ?? ERRORS[code].text}`,
};
