// All pages: path, name, shortcut key, required permission and code. Every link leads to a page of this list.
import type { ComponentType } from 'react';

export interface PageEntry {
  readonly path: string;
  readonly title: string;
  /** Of the navigation; absent: reached from another page. */
  readonly group?: string;
  /** Goes there, after `g`. */
  readonly key?: string;
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

/** Loaded on demand. */
const PAGE_CODE = {
  '/': () => import('../pages/events/overview/overview.tsx'),
  '/events': () => import('../pages/events/events/events.tsx'),
  '/event': () => import('../pages/events/event/event.tsx'),
  '/orders': () => import('../pages/events/orders/orders.tsx'),
  '/order': () => import('../pages/events/orders/order.tsx'),
  '/coverage': () => import('../pages/events/event-coverage/event-coverage.tsx'),
  '/quality': () => import('../pages/events/quality/quality.tsx'),
  '/funnel': () => import('../pages/events/funnel/funnel.tsx'),
  '/revenue': () => import('../pages/events/revenue/revenue.tsx'),
  '/replays': () => import('../pages/events/replays/replays.tsx'),
  '/reconcile': () => import('../pages/events/reconcile/reconcile.tsx'),
  '/assistant': () => import('../pages/events/assistant/assistant.tsx'),
  '/platforms': () => import('../pages/events/platforms/platforms.tsx'),
  '/connect': () => import('../pages/events/connect/connect.tsx'),
  '/rules': () => import('../pages/events/rules/rules.tsx'),
  '/keys': () => import('../pages/events/keys/keys.tsx'),
  '/members': () => import('../pages/events/members/members.tsx'),
  '/join': () => import('../pages/events/join/join.tsx'),
  '/privacy': () => import('../pages/events/privacy/privacy.tsx'),
  '/billing': () => import('../pages/events/billing/billing.tsx'),
  '/settings': () => import('../pages/events/settings/settings.tsx'),
  '/inbox': () => import('../pages/helpdesk/inbox/inbox.tsx'),
  '/set-aside': () => import('../pages/helpdesk/set-aside/set-aside.tsx'),
  '/contacts': () => import('../pages/helpdesk/contacts/contacts.tsx'),
  '/articles': () => import('../pages/helpdesk/articles/articles.tsx'),
  '/webhooks': () => import('../pages/helpdesk/webhooks/webhooks.tsx'),
  '/workspace': () => import('../pages/helpdesk/workspace/workspace.tsx'),
  '/audit-log': () => import('../pages/helpdesk/audit/audit.tsx'),
} as const satisfies Readonly<Record<string, PageEntry['load']>>;

type Listed = Omit<PageEntry, 'load'> & { readonly path: keyof typeof PAGE_CODE };

const EVENTS: readonly Listed[] = [
  { path: '/', title: 'Overview', group: 'Tracking', key: 'o', needs: 'getOverview' },
  { path: '/events', title: 'Events', group: 'Tracking', key: 'e', needs: 'listEvents' },
  { path: '/event', title: 'Event', needs: 'readEvent' },
  { path: '/orders', title: 'Orders', group: 'Tracking', key: 'd', needs: 'listOrders' },
  { path: '/order', title: 'Order', needs: 'readOrder' },
  { path: '/coverage', title: 'Coverage', group: 'Tracking', key: 'c', needs: 'getCoverage' },
  { path: '/quality', title: 'Match quality', group: 'Tracking', key: 'q', needs: 'getQuality' },
  { path: '/funnel', title: 'Funnel', group: 'Tracking', key: 'f', needs: 'getFunnel' },
  { path: '/revenue', title: 'Revenue', group: 'Tracking', key: 'v', needs: 'getRevenueAttribution' },
  { path: '/replays', title: 'Replays', group: 'Tracking', key: 'r', needs: 'listReplays' },
  { path: '/reconcile', title: 'Reconcile', group: 'Tracking', needs: 'listReconciliations' },
  { path: '/assistant', title: 'Assistant', group: 'Tracking', needs: 'aiChat' },
  { path: '/platforms', title: 'Platforms', group: 'Setup', key: 'p', needs: 'listPlatforms' },
  { path: '/connect', title: 'Connect a platform', needs: 'listPlatforms' },
  { path: '/rules', title: 'Rules', group: 'Setup', key: 'u', needs: 'listRules' },
  { path: '/keys', title: 'API keys', group: 'Setup', key: 'k', needs: 'listApiKeys' },
  { path: '/members', title: 'Members', group: 'Setup', key: 'm', needs: 'listMembers' },
  { path: '/join', title: 'Join a shop', needs: 'acceptInvitation', forAnyone: true },
  { path: '/privacy', title: 'Privacy', group: 'Setup', key: 'y', needs: 'listErasures' },
  { path: '/billing', title: 'Billing', group: 'Setup', key: 'b', needs: 'getBillingUsage' },
  { path: '/settings', title: 'Settings', group: 'Setup', key: 's', needs: 'getAccount' },
];

const HELPDESK: readonly Listed[] = [
  { path: '/inbox', title: 'Inbox', key: 'i', needs: 'listConversations', helpdesk: 'see' },
  { path: '/set-aside', title: 'Mail set aside', key: 'a', needs: 'listSetAsideMail', helpdesk: 'see' },
  { path: '/contacts', title: 'Contacts', key: 't', needs: 'listContacts', helpdesk: 'see' },
  { path: '/articles', title: 'Articles', key: 'n', needs: 'listArticles', helpdesk: 'see' },
  { path: '/webhooks', title: 'Webhooks', key: 'h', needs: 'listWebhooks', helpdesk: 'manage' },
  { path: '/workspace', title: 'Workspace', key: 'w', needs: 'getMe', helpdesk: 'see' },
  { path: '/audit-log', title: 'Audit log', key: 'l', needs: 'listAuditEntries', helpdesk: 'manage' },
];

/** In the order of the navigation. */
export const PAGES: readonly PageEntry[] = [
  ...EVENTS,
  ...HELPDESK.map((page) => ({ ...page, group: 'Helpdesk' })),
].map((page) => ({ ...page, load: PAGE_CODE[page.path] }));
