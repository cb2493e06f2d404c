// What was typed for a platform, by field. Secrets stay in memory; the rest is kept for this tab, so that Back, a reload or a
// sign-in in between loses nothing.
import { useEffect } from 'react';
import { ofShop } from '#dashboard/app/shop.ts';
import { detailsOf } from '#dashboard/parts/problems.ts';
import { readStored, writeStored } from '#dashboard/parts/stored.ts';
import type { AvailablePlatform } from '../platform-list.ts';

export type Value = string | boolean | Readonly<Record<string, string>>;
export type Values = Readonly<Record<string, Value | undefined>>;
/** Field → what is wrong with it. */
export type Problems = Readonly<Record<string, string | undefined>>;

const keyOf = ({ platform }: AvailablePlatform): string => ofShop(`millrace.connect.${platform}`);

export function readDraft(platform: AvailablePlatform): Values {
  try {
    const stored: unknown = JSON.parse(readStored('sessionStorage', keyOf(platform)) ?? '{}');
    return typeof stored === 'object' && stored !== null ? (stored as Values) : {};
  } catch {
    return {};
  }
}

export function writeDraft(platform: AvailablePlatform, values: Values): void {
  const open = platform.fields.filter(({ secret }) => !secret).map(({ name }) => [name, values[name]]);
  writeStored('sessionStorage', keyOf(platform), JSON.stringify(Object.fromEntries(open)));
}

export const forgetDraft = (platform: AvailablePlatform): void =>
  writeStored('sessionStorage', keyOf(platform), null);

/** What the API is given: fields that were filled. */
export function credentialsOf(values: Values): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(values).filter(
      ([, value]) =>
        value !== undefined && value !== '' && (typeof value !== 'object' || Object.keys(value).length > 0),
    ),
  );
}

/** Calls `refused` with what a refusal says of `credentials.<field>`, by field. */
export function useRefusedFields(error: unknown, refused: (problems: Problems) => void): void {
  useEffect(() => {
    const found = detailsOf(error).flatMap(({ path, message }) => {
      const field = /^credentials\.([^.]+)/.exec(path)?.[1];
      return field === undefined ? [] : [[field, message] as const];
    });
    if (found.length > 0) refused(Object.fromEntries(found));
  }, [error, refused]);
}
