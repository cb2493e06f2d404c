// Step 1: the platforms there are.
import { Link } from 'wouter';
import { withQuery } from '#dashboard/parts/url-state.ts';
import { duration } from '#dashboard/parts/written.tsx';
import type { PlatformList } from '../platform-list.ts';

export function ChoosePlatform({ list }: { readonly list: PlatformList }) {
  return (
    <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
      {list.available.map(({ platform, label, experimental, acceptance_window_sec }) => {
        const connected = list.platforms.filter((one) => one.platform === platform).length;
        return (
          <li key={platform}>
            <Link
              href={withQuery('/connect', { platform, step: 'credentials' })}
              className="block h-full rounded-md border border-control bg-surface p-4 text-ink no-underline hover:bg-hover"
            >
              <span className="foreign block text-lg font-bold">{label}</span>
              <span className="block text-sm text-dim">
                {connected === 0 ? 'not connected' : '✔ connected: new credentials replace the old'}
              </span>
              <span className="block text-sm text-dim">
                takes events up to {duration(acceptance_window_sec * 1_000)} old
                {experimental && ' · experimental'}
              </span>
            </Link>
          </li>
        );
      })}
    </ul>
  );
}
