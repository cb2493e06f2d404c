// The helpdesk's OpenAPI document. Served and generated copies differ only in the address.
import { plainOpenApiDocument } from '../../core/http/openapi-plain.ts';
import { HELPDESK_ROUTES } from './every-route.ts';

/** `url`: where the helpdesk is served, if known. */
export const helpdeskDocument = (url?: string): Record<string, unknown> =>
  plainOpenApiDocument(HELPDESK_ROUTES, HELPDESK, url);

const HELPDESK = {
  title: 'Millrace Helpdesk',
  version: '1.0.0',
  description: 'Tickets, conversations, contacts and knowledge of a support workspace. Times are UTC.',
  parts: { helpdesk: 'Tickets, contacts, articles and conversations.' },
  part: 'helpdesk',
};
