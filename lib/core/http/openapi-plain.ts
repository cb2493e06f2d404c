// The document of a product that says failures plainly and takes keys in a header of their own.
import { ERRORS } from './errors.ts';
import { openApiDocument } from './openapi.ts';
import { CHOOSING_TEXT, type Dialect, type DocumentedProduct, ERROR_REF } from './openapi-dialect.ts';
import { plainText } from './plain-failures.ts';
import { ANY_SCOPE, type Route } from './route.ts';

type Json = Record<string, unknown>;

const PLAIN: Omit<Dialect, keyof DocumentedProduct> = {
  errors: ERRORS,
  securitySchemes: {
    apiKey: {
      type: 'apiKey',
      in: 'header',
      name: 'X-API-Key',
      description: 'API key with the scope named. Where one is sent, no other credential is looked at.',
    },
    bearerAuth: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: `Session token of a member whose role has the scope or right named. ${CHOOSING_TEXT}`,
    },
  },
  securityOf: ({ key, session }) => [
    ...(key === undefined ? [] : [{ apiKey: key === ANY_SCOPE ? [] : [key] }]),
    ...(session === undefined ? [] : [{ bearerAuth: [session === 'by_scope' ? (key ?? '') : session] }]),
  ],
  error: {
    type: 'object',
    description: 'The body of every answer from 400 on.',
    properties: { error: { type: 'string', description: 'A sentence for people.' } },
    required: ['error'],
    additionalProperties: false,
  },
  failureSchema: () => ERROR_REF,
  failureText: (route, code) => `${plainText(code, {}, route, ERRORS)}.`.replace(/\.\.$/, '.'),
};

/** As `openApiDocument`, for routes of one part. `url`: where the product is served, if known. */
export const plainOpenApiDocument = (
  routes: readonly Route[],
  product: DocumentedProduct,
  url?: string,
): Json =>
  openApiDocument(routes, { ...PLAIN, ...product }, url === undefined ? {} : { [product.part]: url });
