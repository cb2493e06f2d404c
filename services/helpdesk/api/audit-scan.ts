// Reads the audit log newest first and keeps what is asked for. Guarantees: bounded, however many entries a filter leaves out;
// totals are exact up to TOTAL_MAX matches, as long as no more than SCANNED_MAX entries lie between the filter's times.
import type { HelpdeskAuditEntry } from '#lib/helpdesk/domain/audit/entry.ts';
import { type AuditTrail, TOTAL_MAX } from '#lib/helpdesk/ports/stores.ts';
import type { AuditFacet } from '#lib/helpdesk/routes/audit-log.ts';

/** Entries looked at for one answer that counts, and for one page that goes on. */
export const SCANNED_MAX = 20_000;
const READ_AT_ONCE = 1_000;

export interface AuditFilter {
  readonly action?: string | undefined;
  readonly actor_id?: string | undefined;
  readonly resource_type?: string | undefined;
  readonly resource_id?: string | undefined;
  readonly source?: 'server' | 'client' | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

export interface AuditPosition {
  readonly atMs: number;
  readonly id: string;
}

export interface AuditScan {
  readonly entries: readonly HelpdeskAuditEntry[];
  /** Of the last entry, where there are more behind it. */
  readonly next: AuditPosition | null;
  /** Matches that were counted; only of a scan that counts. */
  readonly total: number;
  /** There may be more. */
  readonly isCapped: boolean;
  readonly facets: Readonly<Partial<Record<AuditFacet, readonly Facet[]>>>;
}

export interface Facet {
  readonly value: string;
  readonly count: number;
}

export interface AuditPage {
  readonly skip: number;
  readonly limit: number;
  readonly before?: AuditPosition | undefined;
  readonly facets: readonly AuditFacet[];
  /** Goes on to the end for the total and the facets; else it ends with the page. */
  readonly counts: boolean;
}

export async function scanAudit(
  workspaceId: string,
  filter: AuditFilter,
  page: AuditPage,
  audit: Pick<AuditTrail, 'entries'>,
): Promise<AuditScan> {
  const found = new Found(page);
  const { from: fromMs, to: toMs } = filter;
  const range = { ...(fromMs === undefined ? {} : { fromMs }), ...(toMs === undefined ? {} : { toMs }) };
  let { before } = page;
  for (let scanned = 0; scanned < SCANNED_MAX; ) {
    const wanted = page.counts ? READ_AT_ONCE : Math.min(READ_AT_ONCE, page.limit + 1);
    const read = await audit.entries(
      workspaceId,
      before === undefined ? range : { ...range, before },
      wanted,
    );
    for (const entry of read) {
      before = { atMs: entry.atMs, id: entry.id };
      if (matches(entry, filter)) found.take(entry);
      if (found.isFull) return found.result(true, before);
    }
    scanned += read.length;
    if (read.length < wanted) return found.result(false, before);
  }
  return found.result(true, before);
}

class Found {
  readonly #page: AuditPage;
  readonly #entries: HelpdeskAuditEntry[] = [];
  readonly #counts = new Map<AuditFacet, Map<string, number>>();
  #total = 0;

  constructor(page: AuditPage) {
    this.#page = page;
    for (const name of page.facets) this.#counts.set(name, new Map());
  }

  /** Nothing more is needed, although there may be more. */
  get isFull(): boolean {
    const { counts, skip, limit } = this.#page;
    return this.#total >= (counts ? TOTAL_MAX : skip + limit + 1);
  }

  take(entry: HelpdeskAuditEntry): void {
    const { skip, limit } = this.#page;
    if (this.#total >= skip && this.#entries.length < limit) this.#entries.push(entry);
    this.#total++;
    for (const [name, counts] of this.#counts) {
      const value = facetValue(entry, name);
      if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1);
    }
  }

  /** `last`: the entry that was looked at last. */
  result(isCut: boolean, last: AuditPosition | undefined): AuditScan {
    const { skip, limit } = this.#page;
    const hasMore = this.#total > skip + this.#entries.length;
    const shown = this.#entries.at(-1);
    const isWhole = this.#entries.length === limit;
    const next = hasMore && isWhole && shown !== undefined ? { atMs: shown.atMs, id: shown.id } : null;
    // Where the scan ended before its page was full, the next one goes on behind what was looked at.
    const behind = isCut && !isWhole && last !== undefined ? last : null;
    const lastShown = isCut && isWhole && shown !== undefined ? { atMs: shown.atMs, id: shown.id } : null;
    return {
      entries: this.#entries,
      next: next ?? behind ?? lastShown,
      total: this.#total,
      isCapped: isCut,
      facets: Object.fromEntries([...this.#counts].map(([name, counts]) => [name, sorted(counts)])),
    };
  }
}

const matches = (entry: HelpdeskAuditEntry, filter: AuditFilter): boolean =>
  (filter.action === undefined || entry.action === filter.action) &&
  (filter.actor_id === undefined || entry.actor.id === filter.actor_id) &&
  (filter.resource_type === undefined || entry.resourceType === filter.resource_type) &&
  (filter.resource_id === undefined || entry.resourceId === filter.resource_id) &&
  (filter.source === undefined || entry.source === filter.source);

function facetValue({ action, actor, resourceType }: HelpdeskAuditEntry, name: AuditFacet): string | null {
  if (name === 'action') return action;
  return name === 'actor' ? actor.id : resourceType;
}

const sorted = (counts: ReadonlyMap<string, number>): readonly Facet[] =>
  [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
