// All pages: path, name, shortcut key, required permission, and code, which is loaded on demand. Every link leads to a
// page of this list.
import type { ComponentType } from 'react';

export interface PageEntry {
  readonly path: string;
  readonly title: string;
  /** In the navigation; absent: reached from another page. */
  readonly nav?: { readonly group: string; readonly key?: string };
  /** The operation that the page cannot do without. */
  readonly needs: string;
  /** For helpdesk pages, whose operations an account does not list: what the page needs of a role. */
  readonly helpdesk?: 'see' | 'manage';
  /** Also for a person who is not a member of a shop yet. */
  readonly forAnyone?: true;
  readonly load: () => Promise<{ readonly default: ComponentType }>;
}

export interface Caller {
  readonly role: string | null;
  readonly operations: readonly string[];
  /** Set if the person may use this product only. */
  readonly only?: 'helpdesk';
}

/** True while the caller is not loaded yet: the API then refuses. */
export function isAllowed({ needs, helpdesk }: PageEntry, caller: Caller | undefined): boolean {
  if (caller === undefined) return true;
  if (helpdesk === undefined) return caller.operations.includes(needs);
  // Every role sees the helpdesk.
  return helpdesk === 'see' || caller.role === 'admin' || caller.role === 'owner';
}

export const PAGES: readonly PageEntry[] = [
  {
    path: '/',
    title: 'Overview',
    nav: { group: 'Tracking', key: 'o' },
    needs: 'getOverview',
    load: () => import('../pages/events/overview/overview.tsx'),
  },
  {
    path: '/events',
    title: 'Events',
    nav: { group: 'Tracking', key: 'e' },
    needs: 'listEvents',
    load: () => import('../pages/events/events/events.tsx'),
  },
  {
    path: '/event',
    title: 'Event',
    needs: 'readEvent',
    load: () => import('../pages/events/event/event.tsx'),
  },
  {
    path: '/coverage',
    title: 'Coverage',
    nav: { group: 'Tracking', key: 'c' },
    needs: 'getCoverage',
    load: () => import('../pages/events/event-coverage/event-coverage.tsx'),
  },
  {
    path: '/quality',
    title: 'Match quality',
    nav: { group: 'Tracking', key: 'q' },
    needs: 'getQuality',
    load: () => import('../pages/events/quality/quality.tsx'),
  },
  {
    path: '/funnel',
    title: 'Funnel',
    nav: { group: 'Tracking', key: 'f' },
    needs: 'getFunnel',
    load: () => import('../pages/events/funnel/funnel.tsx'),
  },
  {
    path: '/revenue',
    title: 'Revenue',
    nav: { group: 'Tracking', key: 'v' },
    needs: 'getRevenueAttribution',
    load: () => import('../pages/events/revenue/revenue.tsx'),
  },
  {
    path: '/replays',
    title: 'Replays',
    nav: { group: 'Tracking', key: 'r' },
    needs: 'listReplays',
    load: () => import('../pages/events/replays/replays.tsx'),
  },
  {
    path: '/reconcile',
    title: 'Reconcile',
    nav: { group: 'Tracking' },
    needs: 'listReconciliations',
    load: () => import('../pages/events/reconcile/reconcile.tsx'),
  },
  {
    path: '/assistant',
    title: 'Assistant',
    nav: { group: 'Tracking' },
    needs: 'aiChat',
    load: () => import('../pages/events/assistant/assistant.tsx'),
  },
  {
    path: '/platforms',
    title: 'Platforms',
    nav: { group: 'Setup', key: 'p' },
    needs: 'listPlatforms',
    load: () => import('../pages/events/platforms/platforms.tsx'),
  },
  {
    path: '/connect',
    title: 'Connect a platform',
    needs: 'listPlatforms',
    load: () => import('../pages/events/connect/connect.tsx'),
  },
  {
    path: '/rules',
    title: 'Rules',
    nav: { group: 'Setup', key: 'u' },
    needs: 'listRules',
    load: () => import('../pages/events/rules/rules.tsx'),
  },
  {
    path: '/keys',
    title: 'API keys',
    nav: { group: 'Setup', key: 'k' },
    needs: 'listApiKeys',
    load: () => import('../pages/events/keys/keys.tsx'),
  },
  {
    path: '/members',
    title: 'Members',
    nav: { group: 'Setup', key: 'm' },
    needs: 'listMembers',
    load: () => import('../pages/events/members/members.tsx'),
  },
  {
    path: '/join',
    title: 'Join a shop',
    needs: 'acceptInvitation',
    forAnyone: true,
    load: () => import('../pages/events/join/join.tsx'),
  },
  {
    path: '/privacy',
    title: 'Privacy',
    nav: { group: 'Setup', key: 'y' },
    needs: 'listErasures',
    load: () => import('../pages/events/privacy/privacy.tsx'),
  },
  {
    path: '/billing',
    title: 'Billing',
    nav: { group: 'Setup', key: 'b' },
    needs: 'getBillingUsage',
    load: () => import('../pages/events/billing/billing.tsx'),
  },
  {
    path: '/settings',
    title: 'Settings',
    nav: { group: 'Setup', key: 's' },
    needs: 'getAccount',
    load: () => import('../pages/events/settings/settings.tsx'),
  },
  {
    path: '/inbox',
    title: 'Inbox',
    nav: { group: 'Helpdesk', key: 'i' },
    needs: 'listConversations',
    helpdesk: 'see',
    load: () => import('../pages/helpdesk/inbox/inbox.tsx'),
  },
  {
    path: '/contacts',
    title: 'Contacts',
    nav: { group: 'Helpdesk', key: 't' },
    needs: 'listContacts',
    helpdesk: 'see',
    load: () => import('../pages/helpdesk/contacts/contacts.tsx'),
  },
  {
    path: '/articles',
    title: 'Articles',
    nav: { group: 'Helpdesk', key: 'n' },
    needs: 'listArticles',
    helpdesk: 'see',
    load: () => import('../pages/helpdesk/articles/articles.tsx'),
  },
  {
    path: '/webhooks',
    title: 'Webhooks',
    nav: { group: 'Helpdesk', key: 'h' },
    needs: 'listWebhooks',
    helpdesk: 'manage',
    load: () => import('../pages/helpdesk/webhooks/webhooks.tsx'),
  },
  {
    path: '/workspace',
    title: 'Workspace',
    nav: { group: 'Helpdesk', key: 'w' },
    needs: 'getMe',
    helpdesk: 'see',
    load: () => import('../pages/helpdesk/workspace/workspace.tsx'),
  },
  {
    path: '/audit-log',
    title: 'Audit log',
    nav: { group: 'Helpdesk', key: 'l' },
    needs: 'listAuditEntries',
    helpdesk: 'manage',
    load: () => import('../pages/helpdesk/audit/audit.tsx'),
  },
];
