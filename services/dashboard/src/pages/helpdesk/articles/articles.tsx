// Articles: what the AI may cite and agents look up. The list's status and search, and the open article, are in the URL.
import { Link } from 'wouter';
import { useMe } from '#dashboard/app/account.ts';
import { useApi, useRequest } from '#dashboard/app/api.tsx';
import { Button, LinkButton } from '#dashboard/parts/button.tsx';
import { Empty, LoadedPanel, Page } from '#dashboard/parts/page.tsx';
import { Cell, Row, Table } from '#dashboard/parts/table.tsx';
import { type UrlProps, useUrlState, withQuery } from '#dashboard/parts/url-state.ts';
import { count, counted, Time } from '#dashboard/parts/written.tsx';
import { Find, PAGE_ROWS, Pager } from '../find.tsx';
import { Tab } from '../tab.tsx';
import { LOOKS, STATUSES, type Status } from './article.ts';
import { MakeArticle, OneArticle } from './one-article.tsx';
import { StatusSign } from './shown.tsx';

/** Instead of an id: one that is being written. */
const NEW = 'new';

export default function ArticlesPage() {
  const [state, change] = useUrlState();
  const back = withQuery('/articles', { ...state, id: '' });
  if (state.id === NEW) return <MakeArticle back={back} made={(id) => change({ id }, true)} />;
  if (state.id) return <OneArticle key={state.id} id={state.id} back={back} />;
  return <AllArticles state={state} change={change} />;
}

function AllArticles({ state, change }: UrlProps) {
  const { search = '', status = '', offset = '' } = state;
  const { data: me } = useMe();
  const { helpdesk } = useApi();
  const articles = useRequest(
    ['listArticles', status, search, offset],
    async (signal) => {
      const query = {
        limit: PAGE_ROWS,
        status: (status as Status) || undefined,
        search: search || undefined,
        offset: offset || undefined,
      };
      const { body, headers } = await helpdesk.listArticles({ query }, { signal });
      return { body: { ...body, isCapped: headers?.['x-total-capped'] === 'true' } };
    },
    { keep: true },
  );
  const isFiltered = search !== '' || status !== '';
  const showAll = (): void => change({ search: '', status: '', offset: '' });
  return (
    <Page
      title="Articles"
      about="What agents look up. Drafts by AI are drawn from published ones, and from no others."
      actions={
        me?.caller.scopes.includes('write:knowledge') && (
          <LinkButton kind="primary" to={withQuery('/articles', { id: NEW })}>
            New article
          </LinkButton>
        )
      }
    >
      <div className="mb-4 flex flex-wrap items-end justify-between gap-3">
        <StatusTabs state={state} />
        <Find
          key={search}
          search={search}
          placeholder="Title, text, tags"
          find={(text) => change({ search: text, offset: '' })}
        />
      </div>
      <LoadedPanel title={titleOf(articles.data)} busy={articles.isPlaceholderData} query={articles} rows={8}>
        {({ articles: rows, total }) =>
          rows.length === 0 ? (
            <Empty title={isFiltered ? 'No article fits' : 'There is no article yet'}>
              {isFiltered ? (
                <Button onClick={showAll}>Show all articles</Button>
              ) : (
                'Write down what customers ask often: from then on a draft can be drawn from it.'
              )}
            </Empty>
          ) : (
            <>
              <Table name="Articles" head={['Title', 'Status', 'Tags', 'Changed']}>
                {rows.map((row) => (
                  <Row key={row.id}>
                    <Cell className="min-w-40">
                      <Link
                        href={withQuery('/articles', { ...state, id: row.id })}
                        className="foreign clipped"
                      >
                        {row.title}
                      </Link>
                      {row.excerpt && <span className="foreign clipped text-sm text-dim">{row.excerpt}</span>}
                    </Cell>
                    <Cell className="whitespace-nowrap">
                      <StatusSign status={row.status} />
                    </Cell>
                    <Cell className="min-w-32">
                      <span className="foreign clipped">{row.tags.join(', ')}</span>
                    </Cell>
                    <Cell className="whitespace-nowrap">
                      <Time at={row.updated_at} as="ago" />
                    </Cell>
                  </Row>
                ))}
              </Table>
              <Pager offset={offset} total={total} go={(to) => change({ offset: to })} />
            </>
          )
        }
      </LoadedPanel>
    </Page>
  );
}

function titleOf(data: { readonly total: number; readonly isCapped: boolean } | undefined): string {
  if (data === undefined) return 'Articles';
  return data.isCapped ? `${count(data.total)} articles or more` : counted(data.total, 'article');
}

function StatusTabs({ state }: Pick<UrlProps, 'state'>) {
  const current = state.status ?? '';
  const to = (status: string): string => withQuery('/articles', { ...state, status, offset: '' });
  return (
    <nav aria-label="Status" className="flex flex-wrap gap-1">
      <Tab to={to('')} isCurrent={current === ''}>
        All
      </Tab>
      {STATUSES.map((status) => (
        <Tab key={status} to={to(status)} isCurrent={current === status}>
          <span aria-hidden>{LOOKS[status].sign}</span> {LOOKS[status].name}
        </Tab>
      ))}
    </nav>
  );
}
