// Light, dark, or as the system says; remembered where storage is allowed.
import { readStored, writeStored } from '../parts/stored.ts';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const KEY = 'millrace.theme';

export function readTheme(): Theme {
  return THEMES.find((theme) => theme === readStored('localStorage', KEY)) ?? 'system';
}

export function applyTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

export function saveTheme(theme: Theme): void {
  applyTheme(theme);
  writeStored('localStorage', KEY, theme);
}
