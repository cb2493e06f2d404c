// How the pages are built, and their development server: `npm run dashboard`, against a host that runs (`npm start`).
// Guarantees: files of a build are named by their content; nothing is inlined, because the pages' policy lets nothing inline
// run. Refuses: to develop against a host that has not said where it is.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { developmentPort } from '../local/dashboard/development.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** Browsers of 2024 and later: they know `light-dark()` and nested rules. */
const TARGET = ['chrome123', 'firefox120', 'safari17.5'];

/**
 * One script for what every page stands on, instead of one for each module that two pages share: a first visit waits for each
 * of them. Dialogs, charts and the palette come with libraries or rarely, and stay apart until they are wanted.
 */
const EVERYWHERE = [
  'dashboard/src/(?:main|look/|app/(?!palette)|parts/(?!charts|dialog|keys))',
  'lib/client/',
  'node_modules/(?:react|react-dom|scheduler|wouter|@tanstack|oauth4webapi)/',
];

interface RunningHost {
  readonly origin_url: string;
}

function runningHost(): RunningHost {
  const file = `${process.env.MILLRACE_DATA_DIR ?? `${ROOT}.local`}/session.json`;
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as RunningHost;
  } catch {
    throw new Error(`There is no ${file}: start the host first (npm start).`);
  }
}

function developmentServer() {
  const { origin_url } = runningHost();
  return {
    host: '127.0.0.1',
    port: developmentPort(origin_url),
    strictPort: true,
    proxy: { '/v1/': origin_url, '/api/': origin_url, '/config.json': origin_url },
  };
}

export default defineConfig(({ command }) => ({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [react(), tailwindcss()],
  ...(command === 'serve' ? { server: developmentServer() } : {}),
  build: {
    target: TARGET,
    cssTarget: TARGET,
    outDir: process.env.MILLRACE_DASHBOARD_OUT ?? `${ROOT}.local/dashboard/build`,
    emptyOutDir: true,
    manifest: true,
    sourcemap: false,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      output: { codeSplitting: { groups: [{ name: 'app', test: new RegExp(EVERYWHERE.join('|')) }] } },
    },
  },
}));
