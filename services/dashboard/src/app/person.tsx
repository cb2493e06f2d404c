// Who is signed in, where, how it looks, and the way out.
import { useState } from 'react';
import { useWho } from './account.ts';
import { useApi } from './api.tsx';
import { forgetTexts } from './kept-texts.ts';
import { forgetShop } from './shop.ts';
import { ShopSwitch } from './shops.tsx';
import { readTheme, saveTheme, THEMES, type Theme } from './theme.ts';

const LINK = 'min-h-6 text-left text-sm text-accent hover:underline';

export function Person({ showKeys }: { readonly showKeys: () => void }) {
  const { session } = useApi();
  const { caller, name } = useWho();
  const [theme, setTheme] = useState<Theme>(readTheme);
  return (
    <section aria-label="You" className="mt-auto flex flex-col gap-1 border-t border-line px-2 pt-3">
      <p className="foreign text-sm font-bold">{name ?? ' '}</p>
      <p className="foreign text-sm text-dim">
        {session.person()}
        {caller?.role && <> · {caller.role}</>}
      </p>
      <ShopSwitch className={LINK} />
      <label className="mt-1 flex items-center justify-between gap-2 text-sm">
        Theme
        <select
          className="min-h-7 rounded-sm border border-control bg-surface px-1"
          value={theme}
          onChange={({ target }) => {
            const chosen = THEMES.find((one) => one === target.value) ?? 'system';
            setTheme(chosen);
            saveTheme(chosen);
          }}
        >
          {THEMES.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </label>
      <button type="button" className={LINK} onClick={showKeys}>
        Keys
      </button>
      <button
        type="button"
        className={LINK}
        onClick={() => {
          forgetTexts();
          forgetShop();
          void session.signOut();
        }}
      >
        Sign out
      </button>
    </section>
  );
}
