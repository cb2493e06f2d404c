// The shops of a person: one to choose from, and the dialog that switches.
import { useState } from 'react';
import { useLocation } from 'wouter';
import { lazily } from '../parts/lazily.tsx';
import { Notice } from '../parts/page.tsx';
import { useShops } from './account.ts';
import { useApi } from './api.tsx';
import { PAGES } from './pages.ts';
import { currentShop, switchShop } from './shop.ts';

const Dialog = lazily(async () => ({ default: (await import('../parts/dialog.tsx')).Dialog }));

/** A page that needs an id is left for the first one: the other shop does not have that id. */
const stayingAt = (path: string): string =>
  PAGES.some((page) => page.path === path && page.group !== undefined) ? path : '/';

function ShopList() {
  const { session } = useApi();
  const [path] = useLocation();
  return (
    <ul aria-label="Your shops" className="flex flex-col gap-2">
      {useShops().map(({ id, name, role, suspended }) => (
        <li key={id}>
          <button
            type="button"
            aria-current={id === currentShop() || undefined}
            className={`foreign min-h-9 w-full rounded-sm border border-control px-3 py-1 text-left hover:bg-hover ${id === currentShop() ? 'bg-tint font-bold' : ''}`}
            onClick={() => switchShop(session.person() ?? '', id, stayingAt(path))}
          >
            {name} <span className="text-sm font-normal text-dim">· {suspended ? 'suspended' : role}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Nothing for a person of one shop. */
export function ShopSwitch({ className }: { readonly className: string }) {
  const [isOpen, setOpen] = useState(false);
  if (useShops().length < 2) return null;
  return (
    <>
      <button type="button" aria-haspopup="dialog" className={className} onClick={() => setOpen(true)}>
        Switch shop
      </button>
      {isOpen && (
        <Dialog title="Switch shop" close={() => setOpen(false)}>
          <ShopList />
        </Dialog>
      )}
    </>
  );
}

/** The person is in some shop, and no longer in the one of this tab. */
export const isElsewhere = (shops: readonly { readonly id: string }[]): boolean =>
  currentShop() !== null && shops.length > 0 && shops.every(({ id }) => id !== currentShop());

/** For a person of several shops who is in none of them yet, or no longer in the one that this tab was of. */
export function ChooseShop() {
  return (
    <>
      <Notice tone="plain">
        {currentShop() === null
          ? 'You are in several shops. Which one do you want to see?'
          : 'You are no longer in the shop that was shown here. Choose another one.'}
      </Notice>
      <div className="mt-4 max-w-120">
        <ShopList />
      </div>
    </>
  );
}
