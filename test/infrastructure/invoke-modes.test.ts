// Promise: the API streams where Lambda does, and nowhere else.
import { expect, it } from 'vitest';
import { MERCHANT_PRODUCTS } from '../../cdk/products.ts';
import { resourcesOf, synthesized } from './synthesized.ts';

const modesOf = (ephemeral: boolean): unknown[] =>
  resourcesOf(synthesized({ ephemeral, products: MERCHANT_PRODUCTS }), 'AWS::Lambda::Url').map(
    ({ Properties }) => Properties?.InvokeMode,
  );

it('streams the API alone in AWS', () => {
  expect(modesOf(false).sort()).toEqual(['BUFFERED', 'BUFFERED', 'BUFFERED', 'RESPONSE_STREAM']);
});

it('streams nothing on emulators, which would hand on what carries an answer', () => {
  expect(modesOf(true)).toEqual(['BUFFERED', 'BUFFERED', 'BUFFERED', 'BUFFERED']);
});
