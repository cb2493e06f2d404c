// The helpdesk's OpenAPI document. Served and generated copies differ only in the address.
import { documentedRoutes } from '../../core/http/openapi.ts';
import { plainOpenApiDocument } from '../../core/http/openapi-plain.ts';
import type { RouteExamples } from '../../core/http/route.ts';
import { HELPDESK_DESCRIPTIONS } from './descriptions.ts';
import { HELPDESK_ROUTES } from './every-route.ts';
import recordedExamples from './recorded-examples.json' with { type: 'json' };

export const HELPDESK_EXAMPLES: Readonly<Record<string, RouteExamples>> = recordedExamples;

/** `url`: where the helpdesk is served, if known. `recorded`: instead of the examples that are stored. */
export const helpdeskDocument = (url?: string, recorded = HELPDESK_EXAMPLES): Record<string, unknown> =>
  plainOpenApiDocument(
    documentedRoutes(HELPDESK_ROUTES, { descriptions: HELPDESK_DESCRIPTIONS, recorded }),
    HELPDESK,
    url,
  );

const HELPDESK = {
  title: 'Millrace Helpdesk',
  version: '1.0.0',
  description: 'Tickets, conversations, contacts and knowledge of a support workspace. Times are UTC.',
  parts: { helpdesk: 'Tickets, contacts, articles and conversations.' },
  part: 'helpdesk',
};
