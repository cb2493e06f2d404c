// The page of the dashboard that shows what a query asked for, with its filters; undefined where there is none.
import { withQuery } from '#dashboard/parts/url-state.ts';
import type { Source } from './conversation.ts';

type Values = Readonly<Record<string, string>>;

/** Path, and which parameter of the query's path the page takes under which name. */
const PAGES: Readonly<Record<string, readonly [path: string, title: string, id?: string]>> = {
  getOverview: ['/', 'Overview'],
  getVolume: ['/', 'Overview'],
  listEvents: ['/events', 'Events'],
  readEvent: ['/event', 'the event', 'id'],
  explainEvent: ['/event', 'the event', 'id'],
  getCoverage: ['/coverage', 'Coverage'],
  getQuality: ['/quality', 'Match quality'],
  getFunnel: ['/funnel', 'Funnel'],
  getRevenueAttribution: ['/revenue', 'Revenue'],
  listReplays: ['/replays', 'Replays'],
  readReplay: ['/replays', 'Replays'],
  listReconciliations: ['/reconcile', 'Reconcile'],
  readReconciliation: ['/reconcile', 'the comparison', 'id'],
  listReconciledOrders: ['/reconcile', 'the comparison', 'id'],
  listPlatforms: ['/platforms', 'Platforms'],
  listIncidents: ['/', 'Overview'],
  listApiKeys: ['/keys', 'API keys'],
  getAccount: ['/settings', 'Settings'],
};

const valuesOf = (given: unknown): Values =>
  typeof given === 'object' && given !== null
    ? Object.fromEntries(
        Object.entries(given).flatMap(([name, value]) =>
          typeof value === 'string' || typeof value === 'number' ? [[name, String(value)]] : [],
        ),
      )
    : {};

export function pageOf({
  operation,
  input,
}: Source): { readonly to: string; readonly title: string } | undefined {
  const page = PAGES[operation];
  if (page === undefined) return undefined;
  const [path, title, id] = page;
  const { query, params } = (input ?? {}) as { readonly query?: unknown; readonly params?: unknown };
  // How many rows a model wanted is its own business.
  const { limit: _, cursor: __, ...filters } = valuesOf(query);
  const named = id === undefined ? {} : { [id]: valuesOf(params)[id] };
  return { to: withQuery(path, { ...filters, ...named }), title };
}

/** As a request would name it. */
export function addressOf({ path, input }: Pick<Source, 'path' | 'input'>): string {
  const { query, params } = (input ?? {}) as { readonly query?: unknown; readonly params?: unknown };
  const values = valuesOf(params);
  const filled = path.replaceAll(/:(\w+)/g, (whole, name: string) =>
    values[name] === undefined ? whole : encodeURIComponent(values[name]),
  );
  return withQuery(filled, valuesOf(query));
}
