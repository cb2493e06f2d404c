import { describe, expect, it } from 'vitest';
import type { OutboxEntry } from '../outbox.ts';
import type { Article } from './article.ts';
import { articleOutbox, articleView, changedArticle, newArticle } from './change.ts';

const KEY = { id: 'a1', workspaceId: 'w1', slug: 'refunds' };
const BY = {
  caller: { kind: 'key', keyId: 'k1', merchantId: 'w1', grant: { opens: [] } },
  requestId: 'r1',
} as const;
const draft = newArticle(KEY, { title: 'Refunds', content: 'Send it back', tags: ['b', 'a', 'b'] }, 1_000);

function outboxOf(before: Article | null, after: Article): readonly OutboxEntry[] {
  let ids = 0;
  return articleOutbox(before, after, BY, { version: 3, atMs: 2_000, newId: () => `id${++ids}` });
}
const actionIn = (outbox: readonly OutboxEntry[]) =>
  outbox.flatMap((one) => (one.kind === 'audit' ? [one.entry.action] : []));
const eventsIn = (outbox: readonly OutboxEntry[]) =>
  outbox.flatMap((one) => (one.kind === 'event' ? [one.event.type] : []));

describe('an article', () => {
  it('is a draft at first, with each tag once', () => {
    expect(articleView(draft)).toEqual({
      id: 'a1',
      title: 'Refunds',
      slug: 'refunds',
      content: 'Send it back',
      excerpt: null,
      tags: ['b', 'a'],
      status: 'draft',
      published_at: null,
      created_at: '1970-01-01T00:00:01.000Z',
      updated_at: '1970-01-01T00:00:01.000Z',
    });
  });

  it('is published when it enters that status, and keeps since when while it is archived', () => {
    const published = changedArticle(draft, { status: 'published' }, 2_000);
    const changed = changedArticle(published, { title: 'Refund' }, 3_000);
    const archived = changedArticle(changed, { status: 'archived' }, 4_000);
    const again = changedArticle(archived, { status: 'published' }, 5_000);
    const times = [published, changed, archived, again].map(({ publishedAtMs }) => publishedAtMs);
    expect(times).toEqual([2_000, 2_000, 2_000, 5_000]);
    expect(new Set([published, changed, archived, again].map(({ slug }) => slug))).toEqual(
      new Set(['refunds']),
    );
  });

  it('is the same where nothing differs, and loses an excerpt by null only', () => {
    expect(changedArticle(draft, { title: 'Refunds', tags: ['b', 'a', 'b'] }, 9)).toBe(draft);
    expect(changedArticle(draft, {}, 9)).toBe(draft);
    const with1 = changedArticle(draft, { excerpt: 'e' }, 9);
    expect(changedArticle(with1, { excerpt: undefined }, 9)).toBe(with1);
    expect(changedArticle(with1, { excerpt: null }, 9).excerpt).toBeNull();
  });
});

describe('what follows', () => {
  it('tells of birth and publication, once each', () => {
    const published = newArticle(KEY, { title: 't', content: 'c', status: 'published' }, 1);
    expect(eventsIn(outboxOf(null, draft))).toEqual(['article.created']);
    expect(eventsIn(outboxOf(null, published))).toEqual(['article.created', 'article.published']);
    expect(eventsIn(outboxOf(published, { ...published, title: 'u' }))).toEqual([]);
    expect(eventsIn(outboxOf(draft, { ...draft, status: 'published' }))).toEqual(['article.published']);
  });

  it('names in the log what was done, and shows no content there or in events', () => {
    const archived = changedArticle(draft, { status: 'archived', content: 'secret words' }, 2);
    const outbox = outboxOf(draft, archived);
    expect(actionIn(outbox)).toEqual(['article.archived']);
    expect(actionIn(outboxOf(null, draft))).toEqual(['article.ingested']);
    expect(actionIn(outboxOf(draft, { ...draft, title: 'x' }))).toEqual(['article.updated']);
    const told = JSON.stringify(outbox.filter(({ kind }) => kind !== 'search'));
    expect(told).not.toContain('secret words');
    expect(told).toContain('[hidden]');
  });

  it('moves its tokens, the one of its status among them', () => {
    const archived = changedArticle(draft, { status: 'archived', title: 'Returns' }, 2);
    expect(outboxOf(draft, archived).find(({ kind }) => kind === 'search')).toEqual({
      kind: 'search',
      type: 'article',
      recordId: 'a1',
      version: 3,
      add: ['status:archived', 'returns'],
      remove: ['status:draft', 'refunds'],
    });
  });
});
