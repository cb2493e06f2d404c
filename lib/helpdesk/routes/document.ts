// The helpdesk's OpenAPI document: the same whoever serves or generates it, but for the address.
import { plainOpenApiDocument } from '../../core/http/openapi-plain.ts';
import { HELPDESK_ROUTES } from './every-route.ts';

/** `url`: where the helpdesk is served, where that is known. */
export const helpdeskDocument = (url?: string): Record<string, unknown> =>
  plainOpenApiDocument(HELPDESK_ROUTES, {
    title: 'Millrace Helpdesk',
    version: '1.0.0',
    description: 'Tickets, conversations, contacts and knowledge of a support workspace. Times are UTC.',
    part: 'helpdesk',
    ...(url === undefined ? {} : { url }),
  });
