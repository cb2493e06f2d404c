// Navigation links to the pages, by group. A page's code is fetched as soon as its link is hovered or focused.
import { Link, useLocation } from 'wouter';
import { useWho } from './account.ts';
import { isAllowed, PAGES, type PageEntry } from './pages.ts';

const isAt = (path: string, current: string): boolean =>
  path === current ||
  (path !== '/' && current.startsWith(`${path}/`)) ||
  (path === '/events' && current === '/event') ||
  (path === '/orders' && current === '/order');

export function Navigation() {
  const [current] = useLocation();
  const { caller } = useWho();
  const shown = PAGES.filter((page) => page.group && isAllowed(page, caller));
  const groups = Map.groupBy(shown, ({ group }) => group ?? '');
  return (
    <nav aria-label="Pages">
      {[...groups].map(([group, pages]) => (
        <div key={group} className="mb-4">
          <p className="px-2 pb-1 text-xs text-dim" aria-hidden>
            {group}
          </p>
          <ul aria-label={group}>
            {pages.map((page) => (
              <Entry key={page.path} page={page} isCurrent={isAt(page.path, current)} />
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

function Entry({ page, isCurrent }: { readonly page: PageEntry; readonly isCurrent: boolean }) {
  const prefetch = (): void => void page.load().catch(() => undefined);
  return (
    <li>
      <Link
        href={page.path}
        aria-current={isCurrent ? 'page' : undefined}
        onPointerEnter={prefetch}
        onFocus={prefetch}
        className={`flex min-h-8 items-center justify-between rounded-sm px-2 text-ink no-underline hover:bg-hover ${isCurrent ? 'bg-tint font-bold' : ''}`}
      >
        {page.title}
        {page.key && (
          <kbd className="text-xs font-normal text-dim" aria-hidden>
            g {page.key}
          </kbd>
        )}
      </Link>
    </li>
  );
}
