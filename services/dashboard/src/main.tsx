// The first thing that runs: reads where people sign in, signs in or resumes, and draws the app.
import './look/look.css';
import { createRoot } from 'react-dom/client';
import { createApi } from './app/api.tsx';
import { App } from './app/app.tsx';
import { Edge } from './app/edge.tsx';
import { openTexts } from './app/kept-texts.ts';
import { BrowserSession, type Opened, type Session, type SignInConfig } from './app/session/session.ts';
import { claimTab, openTabStore } from './app/session/tab.ts';
import { openShop } from './app/shop.ts';
import { applyTheme, readTheme } from './app/theme.ts';

applyTheme(readTheme());
const place = document.getElementById('app');
if (place !== null) await start(createRoot(place));

async function start(root: ReturnType<typeof createRoot>): Promise<void> {
  const config = await readConfig();
  if (config === null) {
    root.render(<Edge kind="failed" reason="config.json could not be read." />);
    return;
  }
  const store = openTabStore(() => sessionStorage);
  await claimTab(store);
  const session = new BrowserSession(config, store);
  draw(root, session, await session.open());
}

function draw(root: ReturnType<typeof createRoot>, session: Session, opened: Opened): void {
  const again = (): void => {
    session.begin().then(
      (next) => draw(root, session, next),
      () => location.reload(),
    );
  };
  if (opened.kind === 'signed-in') {
    openTexts(session.person() ?? '');
    openShop(session.person() ?? '');
    root.render(<App api={createApi(session)} />);
  } else if (opened.kind === 'signed-out') root.render(<Edge kind="signed-out" signIn={again} />);
  else if (opened.kind === 'failed')
    root.render(<Edge kind="failed" reason={opened.reason} signIn={again} />);
}

async function readConfig(): Promise<SignInConfig | null> {
  try {
    const response = await fetch('/config.json', { cache: 'no-cache' });
    return (await response.json()) as SignInConfig;
  } catch {
    return null;
  }
}
