// The contract as documents that the API serves itself, and whether it serves at all.
import { succeeds } from '#lib/core/routes/wire.ts';
import { defineRoute } from '../../core/http/route.ts';
import { documentRoutes } from '../../core/routes/documents.ts';

export const getHelpdeskHealth = defineRoute({
  part: 'helpdesk',
  method: 'GET',
  auth: 'public',
  errors: [],
  id: 'getHelpdeskHealth',
  path: '/healthz',
  summary: 'Answers where the process runs; asks nothing that it depends on',
  replies: succeeds({}),
});

export const HELPDESK_DOCUMENT_ROUTES = [
  getHelpdeskHealth,
  ...documentRoutes('helpdesk', 'Helpdesk'),
] as const;
