// Goal: articles by both families of paths: what is answered is committed, found and unique, and no workspace sees another's.
import { describe, expect, it } from 'vitest';
import { type Desk, errorOf, MINE, openHelpdesk, THEIRS } from '#test/contract/helpdesk-host.ts';

interface Shown {
  readonly id: string;
  readonly title: string;
  readonly slug: string;
  readonly content: string;
  readonly content_truncated?: true;
  readonly status: string;
  readonly published_at: string | null;
}
const ingest = async (desk: Desk, body: object): Promise<Shown> => {
  const reply = await desk.ask('POST', '/api/knowledge/ingest', { body });
  expect(reply.status, reply.text).toBe(200);
  return (reply.body as { article: Shown }).article;
};
const list = async (desk: Desk, query = '', path = '/api/knowledge/articles'): Promise<readonly Shown[]> => {
  const reply = await desk.ask('GET', `${path}${query}`);
  expect(reply.status, reply.text).toBe(200);
  return (reply.body as { articles: readonly Shown[] }).articles;
};

describe('an article', () => {
  it('is ingested as a draft, or published, and leaves one entry in the log', async () => {
    const desk = await openHelpdesk();
    const draft = await ingest(desk, {
      title: 'Rückgabe & Umtausch',
      content: 'Within 30 days.',
      tags: ['a', 'a'],
    });
    expect(draft).toMatchObject({
      slug: 'rückgabe-umtausch',
      status: 'draft',
      published_at: null,
      tags: ['a'],
    });
    const published = await ingest(desk, { title: 'Hours', content: 'Nine to five.', status: 'published' });
    expect(published.published_at).toBe(new Date(desk.clock.now()).toISOString());
    const entries = desk.stores.audit.all();
    expect(entries.map(({ action, resourceId }) => [action, resourceId])).toEqual([
      ['article.ingested', draft.id],
      ['article.ingested', published.id],
    ]);
    expect(JSON.stringify(entries)).not.toContain('30 days');
  });

  it('has a slug of its own, however many of one title are made at once', async () => {
    const desk = await openHelpdesk();
    const made = await Promise.all(
      Array.from({ length: 24 }, () => ingest(desk, { title: 'Same title', content: 'x' })),
    );
    const slugs = made.map(({ slug }) => slug);
    expect(new Set(slugs).size).toBe(24);
    for (const slug of ['same-title', 'same-title-2', 'same-title-20']) expect(slugs).toContain(slug);
    const strange = await ingest(desk, { title: '🙂', content: 'x' });
    expect(strange.slug).toMatch(/^article-[0-9a-f]{8}$/);
    const theirs = await desk.keyFor(undefined, THEIRS);
    const other = await desk.call('/api/knowledge/ingest', {
      method: 'POST',
      key: theirs.key,
      body: { title: 'Same title', content: 'x' },
    });
    expect(other.body).toMatchObject({ article: { slug: 'same-title' } });
  });

  it('is changed under If-Match, archived, and keeps its slug', async () => {
    const desk = await openHelpdesk();
    const { id } = await ingest(desk, { title: 'Returns', content: 'x', status: 'published' });
    const url = `/api/v1/articles/${id}`;
    const first = await desk.ask('GET', url);
    const etag = String(first.headers.etag);
    const changed = await desk.ask('PATCH', url, {
      body: { title: 'Refunds' },
      headers: { 'if-match': etag },
    });
    expect(changed.body).toMatchObject({ title: 'Refunds', slug: 'returns' });
    const stale = await desk.ask('PATCH', url, { body: { title: 'X' }, headers: { 'if-match': etag } });
    expect(stale.status).toBe(412);
    const archived = await desk.ask('PATCH', `/api/knowledge/articles/${id}`, {
      body: { status: 'archived' },
    });
    expect(archived.body).toMatchObject({ success: true, article: { status: 'archived' } });
    expect(desk.stores.audit.all().at(-1)?.action).toBe('article.archived');
    const same = await desk.ask('PATCH', url, { body: { status: 'archived' } });
    expect(same.headers.etag).toBe(archived.headers.etag);
    expect(desk.stores.audit.all().length).toBe(3);
    const known = await desk.ask('GET', url, { headers: { 'if-none-match': String(same.headers.etag) } });
    expect([known.status, known.text]).toEqual([304, '']);
  });

  it('is created and listed under v1 by an owner who is signed in, and not by a member', async () => {
    const desk = await openHelpdesk();
    const body = { title: 'Returns', content: 'x' };
    const made = await desk.call('/api/v1/articles', { method: 'POST', token: desk.session('owner'), body });
    expect([made.status, made.headers.location]).toEqual([
      201,
      `/api/v1/articles/${(made.body as Shown).id}`,
    ]);
    const refused = await desk.call('/api/v1/articles', {
      method: 'POST',
      token: desk.session('member'),
      body,
    });
    expect([refused.status, errorOf(refused)]).toEqual([403, 'Missing required scope: write:knowledge']);
    const listed = await desk.call('/api/v1/articles', { token: desk.session('member') });
    expect(listed.body).toMatchObject({ total: 1, limit: 50, offset: 0 });
  });

  it('is made once for one Idempotency-Key', async () => {
    const desk = await openHelpdesk();
    const request = { body: { title: 'Once', content: 'x' }, headers: { 'idempotency-key': 'k1' } };
    const [one, two] = [
      await desk.ask('POST', '/api/knowledge/ingest', request),
      await desk.ask('POST', '/api/knowledge/ingest', request),
    ];
    expect(two?.text).toBe(one?.text);
    expect(desk.stores.articles.all(MINE).length).toBe(1);
  });
});

describe('what is found', () => {
  it('is what was just written, by words of title, tags, excerpt and content, and by status', async () => {
    const desk = await openHelpdesk();
    const one = await ingest(desk, {
      title: 'Rücksendung',
      content: 'Pack the kettle well',
      tags: ['Versand'],
      excerpt: 'Short words',
    });
    const two = await ingest(desk, { title: 'Kettle care', content: 'Descale it', status: 'published' });
    const ids = async (query: string) => (await list(desk, query)).map(({ id }) => id);
    expect(await ids('?search=kettle')).toEqual([two.id, one.id]);
    expect(await ids('?search=KETTLE%20car')).toEqual([two.id]);
    expect(await ids('?search=ruckse')).toEqual([one.id]);
    expect(await ids('?search=versand')).toEqual([one.id]);
    expect(await ids('?search=kettle&status=draft')).toEqual([one.id]);
    expect(await ids('?status=published')).toEqual([two.id]);
    expect(await ids('?search=%20')).toEqual([two.id, one.id]);
    expect(await ids('?search=status:draft')).toEqual([]);
    expect(await ids('?search=%F0%9F%99%82')).toEqual([]);
    await desk.ask('PATCH', `/api/v1/articles/${one.id}`, {
      body: { title: 'Versand', status: 'published', content: 'x' },
    });
    expect(await ids('?search=kettle')).toEqual([two.id]);
    expect(await ids('?search=versand&status=published')).toEqual([one.id]);
  });

  it('comes in pages, newest first', async () => {
    const desk = await openHelpdesk();
    for (let i = 0; i < 5; i++) {
      await ingest(desk, { title: `Kettle ${i}`, content: 'x' });
      desk.clock.advance(1);
    }
    const page = await desk.ask('GET', '/api/v1/articles?limit=2&offset=2');
    expect(page.body).toMatchObject({ total: 5, articles: [{ title: 'Kettle 2' }, { title: 'Kettle 1' }] });
    const found = await desk.ask('GET', '/api/v1/articles?limit=2&offset=4&search=kettle');
    expect(found.body).toMatchObject({ total: 5, articles: [{ title: 'Kettle 0' }] });
    expect((await list(desk, '?limit=2')).map(({ title }) => title)).toEqual(['Kettle 4', 'Kettle 3']);
  });

  it('stays within what can be answered', async () => {
    const desk = await openHelpdesk();
    for (let i = 0; i < 15; i++) await ingest(desk, { title: `Long ${i}`, content: 'é'.repeat(150_000) });
    const articles = await list(desk, '?limit=100');
    const cut = articles.filter((article) => article.content_truncated === true);
    expect([articles.length, cut.length]).toEqual([15, 2]);
    expect(cut.every(({ content }) => content.length === 1_000)).toBe(true);
  });
});

describe('what is refused', () => {
  it.each<[string, object, string]>([
    ['no title', { content: 'x' }, 'title'],
    ['a blank title', { title: ' ', content: 'x' }, 'title'],
    ['a title of two lines', { title: 'a\nb', content: 'x' }, 'title'],
    ['no content', { title: 'x' }, 'content'],
    ['content of 300,001 bytes', { title: 'x', content: 'x'.repeat(300_001) }, 'content'],
    ['content of 300,002 bytes in fewer characters', { title: 'x', content: 'é'.repeat(150_001) }, 'content'],
    ['51 tags', { title: 'x', content: 'x', tags: Array.from({ length: 51 }, (_, i) => `t${i}`) }, 'tags'],
    ['a long tag', { title: 'x', content: 'x', tags: ['x'.repeat(65)] }, 'tags.0'],
    ['a status that cannot be ingested', { title: 'x', content: 'x', status: 'archived' }, 'status'],
  ])('%s', async (_name, body, field) => {
    const desk = await openHelpdesk();
    const reply = await desk.ask('POST', '/api/knowledge/ingest', { body });
    expect([reply.status, errorOf(reply).startsWith(field)]).toEqual([400, true]);
    expect(desk.stores.articles.all()).toEqual([]);
  });
});
