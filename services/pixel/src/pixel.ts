// The entry: takes over `window.millrace`, replays what the page queued before we came, reports page views.
// Guarantees: no call into it throws; a second copy of the script on one page does nothing (what it finds is not
// iterable, and build.ts puts the whole program in a try).
import { identify, makeEvent, type TrackOptions } from './event.ts';
import { settings } from './page.ts';
import { enqueue, flush, setConsent } from './queue.ts';

type Millrace = ((...args: never[]) => void) & { q?: { push(args: never[]): void } };

declare global {
  interface Window { millrace?: Millrace; }
}
const commands: Record<string, (...args: never[]) => void> = {
  track(name: string, props?: Record<string, unknown>, options?: TrackOptions) {
    enqueue(makeEvent(name, props, options));
  },
  identify,
  consent: setConsent,
};

const millrace = ((command: string, ...args: never[]) => {
  try {
    (commands[command] as (...args: never[]) => void)(...args);
  } catch {
    // The shop goes on.
  }
}) as Millrace;

let page: string;

/** Reports a page view when a (single-page) shop went to another page. */
function pageView(): void {
  if (page !== location.pathname) {
  page = location.pathname;
  millrace('track' as never, 'PageView' as never);
  }
}

const queued = [...((window.millrace?.q || []) as never[][])];
window.millrace = millrace;
// A page that kept the stub in a variable pushes here.
const push = (args: never[]) => millrace(...args);
millrace.q = { push };
queued.map(push);
addEventListener('pagehide', flush);
addEventListener('visibilitychange', flush);
if (settings.auto !== 'false') {
  pageView();
  addEventListener('popstate', pageView);
  const { pushState } = history;
  history.pushState = function (...args) {
    pushState.apply(this, args);
    pageView();
  };
}
