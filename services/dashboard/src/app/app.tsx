// The app for a signed-in person: the shell, and in it the page of the URL.
import { QueryClientProvider } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useEffect, useMemo, useState } from 'react';
import { Link, Redirect, Route, Switch } from 'wouter';
import { Failure, Notice, Page, Skeleton } from '../parts/page.tsx';
import { useMayMakeShop, useShops, useWho } from './account.ts';
import { type Api, ApiContext, createQueries } from './api.tsx';
import { Guard } from './guard.tsx';
import { isAllowed, PAGES, type PageEntry } from './pages.ts';
import { Shell } from './shell.tsx';
import { ChooseShop, isElsewhere } from './shops.tsx';

const NewShop = lazy(() => import('./new-shop.tsx'));
const ROUTED = PAGES.map((page) => ({ ...page, View: lazy(page.load) }));

export function App({ api }: { readonly api: Api }) {
  const queries = useMemo(createQueries, []);
  const [isEnded, setEnded] = useState(false);
  useEffect(() => api.session.onEnded(() => setEnded(true)), [api]);
  return (
    <QueryClientProvider client={queries}>
      <ApiContext value={api}>
        <Shell banner={isEnded && <Ended api={api} />}>
          <Switch>
            {ROUTED.map((page) => (
              <Route key={page.path} path={page.path}>
                <Guard key={page.path}>
                  <Allowed page={page}>
                    <Suspense fallback={<Skeleton rows={6} />}>
                      <page.View />
                    </Suspense>
                  </Allowed>
                </Guard>
              </Route>
            ))}
            <Route>
              <NotFound />
            </Route>
          </Switch>
        </Shell>
      </ApiContext>
    </QueryClientProvider>
  );
}

function Ended({ api }: { readonly api: Api }) {
  return (
    <Notice tone="wait">
      Your session has ended. What is on this page stays as it is.{' '}
      <button type="button" className="text-accent underline" onClick={() => void api.session.begin()}>
        Sign in again
      </button>
    </Notice>
  );
}

/** What the role does not allow is explained instead of requested. */
function Allowed({ page, children }: { readonly page: PageEntry; readonly children: ReactNode }) {
  const { caller, isStranger, mustChoose, isAsking, error, refetch } = useWho();
  const shops = useShops();
  if (isAsking && page.forAnyone !== true) return <Skeleton rows={6} />;
  if (error && page.forAnyone !== true)
    return (
      <Page title={page.title}>
        {mustChoose || (isStranger && isElsewhere(shops)) ? (
          <ChooseShop />
        ) : isStranger ? (
          <NoMembership />
        ) : (
          <Failure error={error} retry={refetch} />
        )}
      </Page>
    );
  if (caller === undefined || page.forAnyone === true || isAllowed(page, caller)) return children;
  // The first page there is for whom the helpdesk is all there is.
  if (page.path === '/' && caller.only === 'helpdesk') return <Redirect to="/inbox" replace />;
  return (
    <Page title={page.title}>
      <Notice tone="plain">
        Your role in this shop, {caller.role ?? 'none'}
        {caller.only === 'helpdesk' && ' of the helpdesk only'}, does not show this page. An owner or an admin
        can change your role under Members.
      </Notice>
    </Page>
  );
}

function NoMembership() {
  const mayMake = useMayMakeShop() === true;
  return (
    <>
      <Notice tone="plain">
        You are signed in, and a member of no shop. {mayMake ? 'Make one here, or ask' : 'Ask'} an owner or an
        admin to invite you; with the code of an invitation you can <Link href="/join">join</Link>.
      </Notice>
      {mayMake && (
        <Suspense fallback={<Skeleton rows={4} />}>
          <NewShop />
        </Suspense>
      )}
    </>
  );
}

function NotFound() {
  return (
    <Page title="No such page">
      <p>There is no page at this address. It may have been moved, or the link was cut.</p>
    </Page>
  );
}
