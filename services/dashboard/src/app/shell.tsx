// What is around every page: navigation, search, whose shop it is, keys. Below 900 px the navigation is a drawer.
import { type ReactNode, useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { Button } from '../parts/button.tsx';
import { Icon } from '../parts/icon.tsx';
import { lazily } from '../parts/lazily.tsx';
import { Navigation } from './navigation.tsx';
import { Person } from './person.tsx';
import { useShortcuts } from './shortcuts.ts';

const Palette = lazily(() => import('./palette.tsx'));

export type Overlay = 'palette' | 'keys' | null;

export function Shell({ banner, children }: { readonly banner: ReactNode; readonly children: ReactNode }) {
  const [overlay, setOverlay] = useState<Overlay>(null);
  const [isOpen, setOpen] = useState(false);
  const [path] = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page closes the drawer
  useEffect(() => setOpen(false), [path]);
  useShortcuts(setOverlay);
  return (
    <div className="min-h-screen md:beside">
      <a href="#content" className="sr-only rounded-sm bg-surface p-2 focus:not-sr-only focus:absolute">
        Skip to content
      </a>
      <div className="flex items-center gap-3 border-b border-line bg-surface px-4 py-2 md:hidden">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls="navigation"
          aria-label="Navigation"
          className="grid size-9 place-items-center rounded-sm border border-control"
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name={isOpen ? 'close' : 'menu'} size={18} />
        </button>
        <span className="text-lg font-bold">Millrace</span>
      </div>
      <div
        id="navigation"
        className={`${isOpen ? 'block' : 'hidden'} border-r border-line bg-surface px-3 py-4 md:sticky md:top-0 md:flex md:h-screen md:flex-col md:overflow-y-auto`}
      >
        <p className="mb-4 hidden px-2 text-lg font-bold md:block">Millrace</p>
        <Button className="mb-4 w-full" onClick={() => setOverlay('palette')}>
          <Icon name="search" size={14} />
          <span className="grow text-left">Find</span>
          <kbd className="text-sm text-dim">/</kbd>
        </Button>
        <Navigation />
        <Person showKeys={() => setOverlay('keys')} />
      </div>
      <main id="content" tabIndex={-1} className="mx-auto w-full max-w-320 min-w-0 p-4 outline-none md:p-8">
        {banner}
        {children}
      </main>
      {overlay !== null && <Palette overlay={overlay} close={() => setOverlay(null)} />}
    </div>
  );
}
