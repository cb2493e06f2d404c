// The pages there are, out of the dashboard's own list: a page that is added there is tested as soon as it is there.
import { fileURLToPath } from 'node:url';

/** What is read here of an entry. */
export interface ListedPage {
  readonly path: string;
  readonly title: string;
  readonly key?: string;
  readonly needs: string;
}

const LIST = fileURLToPath(new URL('../../../services/dashboard/src/app/pages.ts', import.meta.url));
/** By a path that compilers do not follow: what the list loads is written for browsers. */
const list = (await import(/* @vite-ignore */ LIST)) as { readonly PAGES: readonly ListedPage[] };

export const PAGES = list.PAGES;

/** For file names: `/` is `overview`. */
export const nameOf = ({ path, title }: ListedPage): string =>
  path === '/' ? title.toLowerCase() : path.slice(1).replaceAll('/', '-');
