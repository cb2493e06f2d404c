// Goal: a template's references come out as the values this host gives them, and what it cannot give is refused by name.
import { describe, expect, it } from 'vitest';
import { type References, resolve } from './intrinsics.ts';

const references: References = {
  ref: (id) => ({ Queue: 'http://q/1', 'AWS::Region': 'here-1' })[id],
  attribute: (id, name) => (id === 'Queue' && name === 'Arn' ? 'arn:q' : undefined),
};

describe('resolve', () => {
  it.each([
    ['plain values', { a: [1, 'b', null, true] }, { a: [1, 'b', null, true] }],
    ['Ref', { Ref: 'Queue' }, 'http://q/1'],
    ['Fn::GetAtt as list', { 'Fn::GetAtt': ['Queue', 'Arn'] }, 'arn:q'],
    ['Fn::GetAtt as text', { 'Fn::GetAtt': 'Queue.Arn' }, 'arn:q'],
    ['Fn::Join', { 'Fn::Join': ['-', ['a', { Ref: 'AWS::Region' }, 'b']] }, 'a-here-1-b'],
    ['Fn::Split in Fn::Select', { 'Fn::Select': [1, { 'Fn::Split': ['/', 'a/b/c'] }] }, 'b'],
    ['Fn::Sub', { 'Fn::Sub': `\${Queue}|\${Queue.Arn}|\${!Queue}` }, `http://q/1|arn:q|\${Queue}`],
    [
      'Fn::Sub with variables',
      { 'Fn::Sub': [`\${X}\${AWS::Region}`, { X: { Ref: 'Queue' } }] },
      'http://q/1here-1',
    ],
    ['objects with several keys', { Ref: 'Queue', other: 1 }, { Ref: 'Queue', other: 1 }],
  ])('%s', (_name, node, expected) => {
    expect(resolve(node, references)).toEqual(expected);
  });

  it.each([
    [{ Ref: 'Bucket' }, 'Bucket'],
    [{ 'Fn::GetAtt': ['Queue', 'QueueName'] }, 'Queue.QueueName'],
    [{ 'Fn::Sub': `x\${Bucket}` }, 'Bucket'],
    [{ deep: [{ 'Fn::ImportValue': 'x' }] }, 'Fn::ImportValue'],
  ])('refuses %j', (node, named) => {
    expect(() => resolve(node, references)).toThrow(named);
  });
});
