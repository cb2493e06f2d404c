// One article, also a new one: a form if the person may change it, else its text.

import { useMe, useScopeRefusal } from '#dashboard/app/account.ts';
import { useKeyedChange } from '#dashboard/app/api.tsx';
import { useKept } from '#dashboard/app/kept.tsx';
import { Button, LinkButton } from '#dashboard/parts/button.tsx';
import { Form } from '#dashboard/parts/field.tsx';
import { Failure, Loaded, Page, Panel } from '#dashboard/parts/page.tsx';
import { useProblems } from '#dashboard/parts/problems.ts';
import { useVersioned } from '../versioned.ts';
import { FIELDS, LOOKS, type NewArticle, newOf, type Typed, typedOf } from './article.ts';
import { Editor } from './editor.tsx';
import { ArticleFields, ArticleText } from './shown.tsx';

export function OneArticle({ id, back }: { readonly id: string; readonly back: string }) {
  const me = useMe();
  const refused = useScopeRefusal('write:knowledge');
  const article = useVersioned(['getArticle', id], (helpdesk, options) =>
    helpdesk.getArticle({ params: { id } }, options),
  );
  return (
    <Page title={article.data?.title ?? 'Article'} actions={<LinkButton to={back}>← Articles</LinkButton>}>
      {me.data === undefined && <Failure error={me.error} retry={me.refetch} />}
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

export function MakeArticle({ back, made }: { readonly back: string; readonly made: (id: string) => void }) {
  const refused = useScopeRefusal('write:knowledge');
  const [kept, keep] = useKept<Typed>('article.new');
  const typed = kept ?? typedOf(undefined);
  const create = useKeyedChange(
    ({ helpdesk }, body: NewArticle, headers) => helpdesk.createArticle({ body, headers }),
    {
      refresh: ['listArticles'],
      done: ({ body }) => {
        keep(null);
        made(body.id);
      },
    },
  );
  const problems = useProblems(create.error, FIELDS);
  const save = (status: 'draft' | 'published'): void => {
    if (refused === undefined) create.send(newOf(typed, status));
  };
  return (
    <Page title="New article" actions={<LinkButton to={back}>← Articles</LinkButton>}>
      <Panel title="Draft">
        {refused && <p className="mb-3 text-dim">To write one: {refused}</p>}
        <Form ref={problems.form} send={() => save('draft')}>
          <ArticleFields typed={typed} change={keep} problems={problems} />
          <Failure error={problems.rest} />
          <div className="mt-4 flex flex-wrap gap-2">
            <Button busy={create.isPending} refused={refused} type="submit" kind="primary">
              Save as draft
            </Button>
            <Button busy={create.isPending} refused={refused} onClick={() => save('published')}>
              Publish
            </Button>
          </div>
        </Form>
      </Panel>
    </Page>
  );
}
