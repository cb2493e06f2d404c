// Which operations the assistant may use for whom it answers, and why not the others. Whoever adds an operation decides: a test
// fails for one that stands in neither list. What changes something runs only after the person's confirmation.

export const ASSISTANT_OPERATIONS: ReadonlySet<string> = new Set([
  'listEvents',
  'readEvent',
  'explainEvent',
  'listDeliveries',
  'listOrders',
  'readOrder',
  'getOverview',
  'getVolume',
  'getCoverage',
  'getQuality',
  'getFunnel',
  'getRevenueAttribution',
  'verifyAnalytics',
  'listPlatforms',
  'disconnectPlatform',
  'testPlatform',
  'listRules',
  'createRule',
  'updateRule',
  'deleteRule',
  'previewRule',
  'replayEvent',
  'forwardEvent',
  'retryFailed',
  'createReplay',
  'listReplays',
  'readReplay',
  'changeReplay',
  'cancelReplay',
  'listReconciliations',
  'readReconciliation',
  'listReconciledOrders',
  'replayReconciliation',
  'getAccount',
  'updateAccount',
  'listApiKeys',
  'listAuditLog',
  'listErasures',
  'readErasure',
]);

const SECRETS = 'Takes or answers secrets, which do not belong into a conversation.';
const PEOPLE = 'Who may act for a merchant is for people to decide, and shows e-mail addresses.';
const PERSON = 'Names a person: that does not belong into a conversation.';
const PAYMENTS = 'What is paid is between the owner and who is paid: keys never reach it, and no model does.';
const PUBLIC = 'A document, not data.';

/** Reasons by operationId. */
export const NOT_FOR_ASSISTANT: Readonly<Record<string, string>> = {
  connectPlatform: SECRETS,
  updatePlatform: SECRETS,
  previewPlatform: SECRETS,
  createErasure: 'Erases for good, and names a person: that does not belong into a conversation.',
  readPerson: PERSON,
  createReconciliation: 'Takes a file, which does not fit into a conversation.',
  createApiKey: SECRETS,
  revokeApiKey: 'Ends the access of a system at once and for good.',
  listMembers: PEOPLE,
  inviteMember: PEOPLE,
  acceptInvitation: PEOPLE,
  withdrawInvitation: PEOPLE,
  changeMember: PEOPLE,
  removeMember: PEOPLE,
  listBillingPlans: PAYMENTS,
  getBillingUsage: PAYMENTS,
  openBillingCheckout: PAYMENTS,
  openBillingPortal: PAYMENTS,
  takeBillingEvent: PAYMENTS,
  getOpenApi: PUBLIC,
  getDocs: PUBLIC,
  getDocsScript: PUBLIC,
  getDocsStart: PUBLIC,
  getDocsStyle: PUBLIC,
  aiChat: 'It would ask itself.',
};
