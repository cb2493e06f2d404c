// Generated from the routes by `npm run generate`. A row: id, method, path, what it takes and gives, and the headers of its
// replies that a caller may read. What it takes and gives is a letter each:
//   i  of ingestion, not of the API
//   c  asks for a credential
//   p  takes params
//   q  takes a query
//   h  reads headers of the request
//   b  takes JSON
//   B  takes bytes
//   r  changes nothing: can be repeated
//   k  can be repeated with an Idempotency-Key
//   s  answers by server-sent events
//   t  answers with text
//   o  answers with bytes

export type RouteRow = readonly [
  id: string,
  method: string,
  path: string,
  takes: string,
  replyHeaders?: string,
];

export const ROUTE_TABLE: readonly RouteRow[] = [
  ['postEvents', 'POST', '/v1/events', 'icb'],
  ['postIngest', 'POST', '/v1/ingest', 'icb'],
  ['postBrowserEvents', 'POST', '/v1/browser/events', 'ib'],
  ['getPixel', 'GET', '/v1/pixel.js', 'irt'],
  ['postSegmentBatch', 'POST', '/v1/batch', 'icb'],
  ['postSegmentTrack', 'POST', '/v1/track', 'icb'],
  ['postSegmentPage', 'POST', '/v1/page', 'icb'],
  ['postSegmentScreen', 'POST', '/v1/screen', 'icb'],
  ['postSegmentIdentify', 'POST', '/v1/identify', 'icb'],
  ['postSegmentGroup', 'POST', '/v1/group', 'icb'],
  ['postSegmentAlias', 'POST', '/v1/alias', 'icb'],
  ['listEvents', 'GET', '/v1/events', 'cqr'],
  ['readEvent', 'GET', '/v1/events/:id', 'cpqr'],
  ['explainEvent', 'GET', '/v1/events/:id/explain', 'cpqr'],
  ['listDeliveries', 'GET', '/v1/deliveries', 'cqr'],
  ['listOrders', 'GET', '/v1/orders', 'cqr'],
  ['readOrder', 'GET', '/v1/orders/:id', 'cpr'],
  ['readPerson', 'GET', '/v1/people', 'cqr'],
  ['reportPerson', 'GET', '/v1/people/report', 'cqr'],
  ['getOverview', 'GET', '/v1/analytics/overview', 'cqr'],
  ['getVolume', 'GET', '/v1/analytics/volume', 'cqr'],
  ['getCoverage', 'GET', '/v1/analytics/coverage', 'cqr'],
  ['getQuality', 'GET', '/v1/analytics/quality', 'cqr'],
  ['getFunnel', 'GET', '/v1/analytics/funnel', 'cqr'],
  ['getRevenueAttribution', 'GET', '/v1/analytics/revenue-attribution', 'cqr'],
  ['verifyAnalytics', 'POST', '/v1/analytics/verify', 'cbr'],
  ['listPlatforms', 'GET', '/v1/platforms', 'cqr'],
  ['connectPlatform', 'POST', '/v1/platforms', 'cbk'],
  ['updatePlatform', 'PATCH', '/v1/platforms/:id', 'cphbk', 'etag'],
  ['disconnectPlatform', 'DELETE', '/v1/platforms/:id', 'cp'],
  ['listIncidents', 'GET', '/v1/incidents', 'cqr'],
  ['previewPlatform', 'POST', '/v1/platforms/preview', 'cbr'],
  ['testPlatform', 'POST', '/v1/platforms/:id/test', 'cp'],
  ['listRules', 'GET', '/v1/rules', 'cqr'],
  ['createRule', 'POST', '/v1/rules', 'cbk', 'etag'],
  ['updateRule', 'PATCH', '/v1/rules/:id', 'cphb', 'etag'],
  ['deleteRule', 'DELETE', '/v1/rules/:id', 'cph'],
  ['previewRule', 'POST', '/v1/rules/preview', 'cbr'],
  ['replayEvent', 'POST', '/v1/events/:id/replay', 'cphbk'],
  ['forwardEvent', 'POST', '/v1/events/:id/forward', 'cphbk'],
  ['retryFailed', 'POST', '/v1/events/:id/retry-failed', 'cpbk'],
  ['createReplay', 'POST', '/v1/replays', 'chbk'],
  ['listReplays', 'GET', '/v1/replays', 'cqr'],
  ['readReplay', 'GET', '/v1/replays/:id', 'cpr'],
  ['changeReplay', 'PATCH', '/v1/replays/:id', 'cpbk'],
  ['cancelReplay', 'DELETE', '/v1/replays/:id', 'cpk'],
  ['createReconciliation', 'POST', '/v1/reconciliations', 'cqhBk'],
  ['listReconciliations', 'GET', '/v1/reconciliations', 'cqr'],
  ['readReconciliation', 'GET', '/v1/reconciliations/:id', 'cpr'],
  ['listReconciledOrders', 'GET', '/v1/reconciliations/:id/orders', 'cpqr'],
  ['replayReconciliation', 'POST', '/v1/reconciliations/:id/replay', 'cphbk'],
  ['getAccount', 'GET', '/v1/account', 'cqr', 'etag'],
  ['updateAccount', 'PATCH', '/v1/account', 'chb', 'etag'],
  ['listExchangeRates', 'GET', '/v1/account/rates', 'cqr'],
  ['putExchangeRates', 'PUT', '/v1/account/rates', 'cb'],
  ['listApiKeys', 'GET', '/v1/api-keys', 'cqr'],
  ['createApiKey', 'POST', '/v1/api-keys', 'cbk'],
  ['revokeApiKey', 'DELETE', '/v1/api-keys/:id', 'cp'],
  ['listMembers', 'GET', '/v1/members', 'cqr'],
  ['inviteMember', 'POST', '/v1/members/invitations', 'cbk'],
  ['acceptInvitation', 'POST', '/v1/members/invitations/accept', 'cb'],
  ['withdrawInvitation', 'DELETE', '/v1/members/invitations/:id', 'cp'],
  ['changeMember', 'PATCH', '/v1/members/:id', 'cpb'],
  ['removeMember', 'DELETE', '/v1/members/:id', 'cp'],
  ['listAuditLog', 'GET', '/v1/audit-log', 'cqr'],
  ['aiChat', 'POST', '/v1/ai/chat', 'cbrs'],
  ['listBillingPlans', 'GET', '/v1/billing/plans', 'qr'],
  ['getBillingUsage', 'GET', '/v1/billing/usage', 'cqr'],
  ['openBillingCheckout', 'POST', '/v1/billing/checkout', 'cbk'],
  ['openBillingPortal', 'POST', '/v1/billing/portal', 'cbk'],
  ['takeBillingEvent', 'POST', '/v1/billing/webhook', 'hB'],
  ['createErasure', 'POST', '/v1/privacy/erasures', 'cb'],
  ['listErasures', 'GET', '/v1/privacy/erasures', 'cqr'],
  ['readErasure', 'GET', '/v1/privacy/erasures/:id', 'cpr'],
  ['getOpenApi', 'GET', '/openapi.json', 'r'],
  ['getDocs', 'GET', '/docs', 'rt', 'content-security-policy'],
  ['getDocsScript', 'GET', '/docs/swagger-ui.js', 'hro', 'cache-control content-encoding vary'],
  ['getDocsStart', 'GET', '/docs/start.js', 'rt'],
  ['getDocsStyle', 'GET', '/docs/swagger-ui.css', 'hro', 'cache-control content-encoding vary'],
];
