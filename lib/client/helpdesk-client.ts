// The client of the helpdesk, made as that of events is (client.ts), from the helpdesk's own table. Its failures have words and
// no codes: an ApiError's `code` is `refused` where the helpdesk says why.
import type { HELPDESK_ROUTES } from '../helpdesk/routes/every-route.ts';
import type { ClientOf } from './calls.ts';
import { type ClientOptions, clientOf } from './client.ts';
import { HELPDESK_ROUTE_TABLE } from './helpdesk-route-table.ts';

export interface HelpdeskClientOptions extends Omit<ClientOptions, 'ingestionUrl' | 'apiUrl'> {
  /** Without trailing slash; empty for the page's own origin. */
  readonly helpdeskUrl: string;
}

export type HelpdeskClient = ClientOf<(typeof HELPDESK_ROUTES)[number]>;

export const createHelpdeskClient = ({ helpdeskUrl, ...options }: HelpdeskClientOptions): HelpdeskClient =>
  clientOf(HELPDESK_ROUTE_TABLE, {
    ...options,
    ingestionUrl: helpdeskUrl,
    apiUrl: helpdeskUrl,
  }) as HelpdeskClient;
