// Keys of every page: `/` and Ctrl K find, `?` keys, `g` and a letter go. Keys without Ctrl rest while a text is typed, and can
// be switched off for good (WCAG 2.1.4).
import { useEffect } from 'react';
import { useLocation } from 'wouter';
import { PAGES } from './pages.ts';
import { isSingleKey } from './single-keys.ts';

/** From `g` to its letter. */
const SECOND_MS = 1_500;

export function useShortcuts(open: (overlay: 'palette' | 'keys') => void): void {
  const [, navigate] = useLocation();
  useEffect(() => {
    let goUntilMs = 0;
    const press = (event: KeyboardEvent): void => {
      if (event.defaultPrevented) return;
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        open('palette');
        return;
      }
      if (!isSingleKey(event) || document.querySelector('[role=dialog]') !== null) return;
      const isSecond = event.timeStamp < goUntilMs;
      goUntilMs = event.key === 'g' && !isSecond ? event.timeStamp + SECOND_MS : 0;
      const page = isSecond ? PAGES.find(({ key }) => key === event.key) : undefined;
      if (page !== undefined) navigate(page.path);
      else if (event.key === '/') open('palette');
      else if (event.key === '?') open('keys');
      else return;
      event.preventDefault();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [navigate, open]);
}
