// Exchanges, for modules of the product, what reaches outside: AWS, platforms, the machine's clock, random and timers. To be
// imported before any of them. The handlers themselves, their wiring and everything below them are the product's own.
import { existsSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { EXCHANGED } from './exchanged.ts';

const ROOT = new URL('../../../', import.meta.url).href;

/** A module that moved would reach outside after all. */
for (const module of Object.keys(EXCHANGED))
  if (!existsSync(new URL(module, ROOT)))
    throw new Error(`${module} is exchanged for a stand-in, and is gone`);

const isProduct = (url: string | undefined): boolean =>
  url !== undefined && (url.startsWith(`${ROOT}lib/`) || url.startsWith(`${ROOT}services/`));

registerHooks({
  resolve(specifier, context, next) {
    if (isProduct(context.parentURL) && specifier === 'node:timers/promises')
      return { url: new URL('./timers.ts', import.meta.url).href, shortCircuit: true };
    const resolved = next(specifier, context);
    const standIn = EXCHANGED[resolved.url.slice(ROOT.length)];
    if (standIn === undefined || !isProduct(context.parentURL)) return resolved;
    return { ...resolved, url: new URL(`./${standIn}`, import.meta.url).href };
  },
});
