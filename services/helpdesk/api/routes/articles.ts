// Knowledge articles, by their older paths and by v1. Guarantees: a slug belongs to one article; what is answered is
// committed, and found by search from then on; an archived article is no source of drafts.
import { meetsIfMatch } from '#lib/core/http/etag.ts';
import type { Handlers } from '#lib/core/http/handler.ts';
import { idOfRequest } from '#lib/helpdesk/domain/account/derived-id.ts';
import type { Article } from '#lib/helpdesk/domain/articles/article.ts';
import {
  type ArticleFacts,
  articleOutbox,
  articleView,
  changedArticle,
  newArticle,
} from '#lib/helpdesk/domain/articles/change.ts';
import { slugCandidates } from '#lib/helpdesk/domain/articles/slug.ts';
import type { Stored } from '#lib/helpdesk/domain/outbox.ts';
import type { ARTICLE_ROUTES } from '#lib/helpdesk/routes/articles.ts';
import { change } from '#lib/helpdesk/work/commit.ts';
import { answered, answeredUnlessKnown, listed, NOT_FOUND, type Refusal, shown } from '../answers.ts';
import { findArticlesOf } from '../find-articles.ts';
import type { HelpdeskApiPorts } from '../ports.ts';
import type { Asked } from '../tickets/act-on-ticket.ts';

type Articles = Handlers<(typeof ARTICLE_ROUTES)[number]>;
type BodyOf<Id extends keyof Articles> = Parameters<Articles[Id]>[0]['body'];

export function articleHandlers(ports: HelpdeskApiPorts): Articles {
  return {
    async findArticles({ caller, query }) {
      const found = await findArticlesOf(caller.merchantId, { ...query, offset: 0 }, ports);
      return listed({ articles: [...found.articles] }, found);
    },
    async listArticles({ caller, query }) {
      const { limit, offset } = query;
      const found = await findArticlesOf(caller.merchantId, query, ports);
      const articles = [...found.articles];
      return listed({ articles, total: found.total, limit, offset }, found);
    },
    async ingestArticle(call) {
      const { record, etag } = shown(await addArticle(call, ports));
      return { status: 200, body: wrapped(record), headers: { etag } };
    },
    async createArticle(call) {
      const { record, etag } = shown(await addArticle(call, ports));
      const headers = { etag, location: `/api/v1/articles/${record.id}` };
      return { status: 201, body: articleView(record), headers };
    },
    async readArticle({ caller, params, headers }) {
      const stored = await ports.stores.articles.read(caller.merchantId, params.id);
      return stored === null ? NOT_FOUND : answeredUnlessKnown(shown(stored), headers, wrapped);
    },
    async getArticle({ caller, params, headers }) {
      const stored = await ports.stores.articles.read(caller.merchantId, params.id);
      return stored === null ? NOT_FOUND : answeredUnlessKnown(shown(stored), headers, articleView);
    },
    async changeArticle(call) {
      const changed = await changeOne(call, ports);
      return 'failure' in changed ? changed : answered(shown(changed), wrapped);
    },
    async updateArticle(call) {
      const changed = await changeOne(call, ports);
      return 'failure' in changed ? changed : answered(shown(changed), articleView);
    },
  };
}

/** As the older paths answer with one. */
const wrapped = (article: Article) => ({ success: true, article: articleView(article) }) as const;

async function addArticle(
  call: Asked & { readonly body: BodyOf<'createArticle'> },
  ports: HelpdeskApiPorts,
): Promise<Stored<Article>> {
  const { clock, random, stores } = ports;
  const { merchantId: workspaceId } = call.caller;
  const atMs = clock.now();
  const id = idOfRequest(call.idRoot, 'article', () => random.uuidv7(atMs));
  const slug = await claimSlug(workspaceId, call.body.title, id, ports);
  const article = newArticle({ id, workspaceId, slug }, call.body, atMs);
  return await change<Article, Stored<Article>>(
    stores.articles,
    { workspaceId, id },
    // If it exists, an earlier attempt of this request made it.
    (stored) => (stored === null ? committed(null, article, call, ports) : { result: stored }),
    ports,
  );
}

/** The slug of an article that was never written stays claimed: its write may still be on its way. */
async function claimSlug(
  workspaceId: string,
  title: string,
  id: string,
  { stores }: HelpdeskApiPorts,
): Promise<string> {
  for (const slug of slugCandidates(title, id))
    if (await stores.slugs.claim(workspaceId, slug, id)) return slug;
  throw new Error('the slug of an article’s own id is taken');
}

async function changeOne(
  call: Asked & {
    readonly params: { readonly id: string };
    readonly body: ArticleFacts;
    readonly headers: { readonly 'if-match'?: string | undefined };
  },
  ports: HelpdeskApiPorts,
): Promise<Stored<Article> | Refusal> {
  const { merchantId: workspaceId } = call.caller;
  return await change<Article, Stored<Article> | Refusal>(
    ports.stores.articles,
    { workspaceId, id: call.params.id },
    (stored) => {
      if (stored === null) return { result: NOT_FOUND };
      if (!meetsIfMatch(call.headers['if-match'], shown(stored).etag))
        return { result: { failure: 'precondition_failed' } };
      const next = changedArticle(stored.record, call.body, ports.clock.now());
      return next === stored.record ? { result: stored } : committed(stored, next, call, ports);
    },
    ports,
  );
}

function committed(before: Stored<Article> | null, record: Article, by: Asked, ports: HelpdeskApiPorts) {
  const atMs = record.updatedAtMs;
  const version = (before?.version ?? 0) + 1;
  const newId = () => ports.random.uuidv7(atMs);
  const outbox = articleOutbox(before?.record ?? null, record, by, { version, atMs, newId });
  return { record, outbox, result: { record, version, outbox: [], dueAtMs: null } };
}
