// The OpenAPI document of the event product. Served and generated copies differ only in the address.
import { documentedRoutes, openApiDocument } from '../../core/http/openapi.ts';
import { CHOOSING_TEXT, codedDialect } from '../../core/http/openapi-dialect.ts';
import type { Route, RouteExamples } from '../../core/http/route.ts';
import { EVENT_DESCRIPTIONS } from './descriptions.ts';
import { EVENTS_ERRORS } from './errors.ts';
import { ROUTES } from './every-route.ts';
import recordedExamples from './recorded-examples.json' with { type: 'json' };

export const EVENTS_DIALECT = codedDialect({
  title: 'Millrace',
  version: '1',
  description: 'Conversion events in, deliveries to advertising platforms out. Times are UTC.',
  parts: {
    ingestion: 'Accepts events from servers and browsers.',
    api: 'What the dashboard and integrations read and change.',
  },
  part: 'api',
  errors: EVENTS_ERRORS,
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
      description: `Session token of a member whose role has the right named. \`see:events\`: viewer, member, admin, owner. \`manage:events\`: admin, owner. \`own:merchant\`: owner. An agent has none of them. ${CHOOSING_TEXT}`,
    },
  },
});

export const EVENT_EXAMPLES: Readonly<Record<string, RouteExamples>> = recordedExamples;

/** `apiUrl`: where the API is served, if known. `recorded`: instead of the examples that are stored. */
export const eventsDocument = (
  routes: readonly Route[] = ROUTES,
  apiUrl?: string,
  recorded = EVENT_EXAMPLES,
): Record<string, unknown> =>
  openApiDocument(
    documentedRoutes(routes, { descriptions: EVENT_DESCRIPTIONS, recorded }),
    EVENTS_DIALECT,
    apiUrl === undefined ? {} : { api: apiUrl },
  );
