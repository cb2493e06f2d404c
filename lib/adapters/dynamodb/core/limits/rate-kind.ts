// Kinds of the rates table, whose keys are digests: an item is known by its attributes, and ends by itself.
import { hash } from 'node:crypto';
import { defineKind, type ItemKind } from '#lib/core/record/define-kind.ts';

type RateKind<T> = Pick<ItemKind<T>, 'what' | 'marks' | 'schema' | 'personal' | 'whenUnreadable' | 'meaning'>;

export const defineRate = <T>(kind: RateKind<T>): ItemKind<T> =>
  defineKind<T>({ table: 'rates', key: { pk: '{sha256}' }, attribute: null, expires: 'expires', ...kind });

export const rateKey = (...parts: readonly (string | number)[]): { readonly pk: string } => ({
  pk: hash('sha256', parts.join('|'), 'hex'),
});
