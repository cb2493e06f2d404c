// One article, also a new one: a form if the person may change it, else its text.
import { useQueryClient } from '@tanstack/react-query';
import { useMe, useScopeRefusal } from '#dashboard/app/account.ts';
import { type Client, useAsk, useChange } from '#dashboard/app/api.tsx';
import { useKept } from '#dashboard/app/kept.ts';
import { Button, LinkButton } from '#dashboard/parts/button.tsx';
import { Page, Panel } from '#dashboard/parts/page.tsx';
import { Failure, Loaded } from '#dashboard/parts/states.tsx';
import { useProblems } from '../problems.ts';
import { useIdempotencyKey } from '../repeatable.ts';
import { type Article, FIELDS, LOOKS, newOf, type Typed, typedOf, versioned } from './article.ts';
import { ArticleText } from './article-text.tsx';
import { Editor } from './editor.tsx';
import { ArticleFields } from './fields.tsx';

interface OneArticleProps {
  readonly id: string;
  readonly back: string;
}

export function OneArticle({ id, back }: OneArticleProps) {
  const me = useMe();
  const refused = useScopeRefusal('write:knowledge');
  const article = useAsk<Article>(['articles', 'one', id], async (_client, signal, helpdesk) => {
    const answer = await helpdesk.getArticle({ params: { id } }, { signal });
    if (answer.status !== 200) throw new Error('a copy was not asked about');
    return { body: versioned(answer) };
  });
  return (
    <Page title={article.data?.title ?? 'Article'} actions={<LinkButton to={back}>← Articles</LinkButton>}>
      {me.error && me.data === undefined ? <Failure error={me.error} retry={me.refetch} /> : null}
      <Loaded query={article} rows={6}>
        {(data) =>
          me.data === undefined || refused !== undefined ? (
            <Panel title={LOOKS[data.status].name}>
              {refused && <p className="mb-3 text-dim">You can read it. To change it: {refused}</p>}
              <ArticleText article={data} />
            </Panel>
          ) : (
            <Editor article={data} reload={article.refetch} />
          )
        }
      </Loaded>
    </Page>
  );
}

interface MakeArticleProps {
  readonly back: string;
  readonly made: (id: string) => void;
}

export function MakeArticle({ back, made }: MakeArticleProps) {
  const queries = useQueryClient();
  const refused = useScopeRefusal('write:knowledge');
  const keyOf = useIdempotencyKey();
  const [kept, keep] = useKept<Typed>('article.new');
  const typed = kept ?? typedOf(undefined);
  const create = useChange((_client: Client, status: 'draft' | 'published', helpdesk) => {
    const body = newOf(typed, status);
    return helpdesk.createArticle({ body, headers: { 'idempotency-key': keyOf(body) } });
  });
  const problems = useProblems(create.error, FIELDS);
  const save = (status: 'draft' | 'published'): void => {
    if (refused !== undefined) return;
    create.send(status, ({ body }) => {
      keep(null);
      void queries.invalidateQueries({ queryKey: ['articles', 'list'] });
      made(body.id);
    });
  };
  return (
    <Page title="New article" actions={<LinkButton to={back}>← Articles</LinkButton>}>
      <Panel title="Draft">
        {refused && <p className="mb-3 text-dim">To write one: {refused}</p>}
        <form
          ref={problems.form}
          onSubmit={(event) => {
            event.preventDefault();
            save('draft');
          }}
        >
          <ArticleFields typed={typed} change={keep} problemOf={problems.of} />
          {problems.rest ? <Failure error={problems.rest} /> : null}
          <div className="mt-4 flex flex-wrap gap-2">
            <Button busy={create.isPending} refused={refused} type="submit" kind="primary">
              Save as draft
            </Button>
            <Button busy={create.isPending} refused={refused} onClick={() => save('published')}>
              Publish
            </Button>
          </div>
        </form>
      </Panel>
    </Page>
  );
}
