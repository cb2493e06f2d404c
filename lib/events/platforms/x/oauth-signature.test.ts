import { describe, expect, it } from 'vitest';
import { percentEncode, sign, signatureBase, signedHeader } from './oauth-signature.ts';

describe('the signature', () => {
  // https://docs.x.com/fundamentals/authentication/oauth-1-0a/creating-a-signature
  const parameters = [
    ['status', 'Hello Ladies + Gentlemen, a signed OAuth request!'],
    ['include_entities', 'true'],
    ['oauth_consumer_key', 'xvz1evFS4wEEPTGEFPHBog'],
    ['oauth_nonce', 'kYjzVBB8Y0ZFabxSWbWovY3uYSQ2pTgmZeNu2VS4cg'],
    ['oauth_signature_method', 'HMAC-SHA1'],
    ['oauth_timestamp', '1318622958'],
    ['oauth_token', '370773112-GmHxMAgYyLbNEtIKZeRNFsMKPR9EyMZeS9weJAEb'],
    ['oauth_version', '1.0'],
  ] as const;
  const secrets = [
    'kAcSOqF21Fu85e7zjz7ZN2U4ZRhfV3WpwPAoE3Z7kBw',
    'LswwdoUaIvS8ltyTt5jkRh4J50vUPVVHtR2YPi5kE',
  ] as const;

  it('is the one of the example of X, whatever order the parameters come in', () => {
    const url = 'https://api.x.com/1.1/statuses/update.json';
    const base = signatureBase('post', url, parameters);
    expect(base).toBe(
      'POST&https%3A%2F%2Fapi.x.com%2F1.1%2Fstatuses%2Fupdate.json&include_entities%3Dtrue%26oauth_consumer_key%3Dxvz1evFS4wEEPTGEFPHBog%26oauth_nonce%3DkYjzVBB8Y0ZFabxSWbWovY3uYSQ2pTgmZeNu2VS4cg%26oauth_signature_method%3DHMAC-SHA1%26oauth_timestamp%3D1318622958%26oauth_token%3D370773112-GmHxMAgYyLbNEtIKZeRNFsMKPR9EyMZeS9weJAEb%26oauth_version%3D1.0%26status%3DHello%2520Ladies%2520%252B%2520Gentlemen%252C%2520a%2520signed%2520OAuth%2520request%2521',
    );
    expect(sign(base, ...secrets)).toBe('Ls93hJiZbQ3akF3HF3x1Bz8/zU4=');
    expect(signatureBase('POST', url, parameters.toReversed())).toBe(base);
  });

  it('is the other one on that page for the address the request had in its days', () => {
    const base = signatureBase('POST', 'https://api.twitter.com/1/statuses/update.json', parameters);
    expect(sign(base, ...secrets)).toBe('tnnArxj06cWHq44gCs1OSKk/jLY=');
  });

  it('has the base string of RFC 5849, 3.4.1.1, with names that occur twice', () => {
    const base = signatureBase('POST', 'http://example.com/request', [
      ['b5', '=%3D'],
      ['a3', 'a'],
      ['c@', ''],
      ['a2', 'r b'],
      ['oauth_consumer_key', '9djdj82h48djs9d2'],
      ['oauth_token', 'kkk9d7dh3k39sjv7'],
      ['oauth_signature_method', 'HMAC-SHA1'],
      ['oauth_timestamp', '137131201'],
      ['oauth_nonce', '7d8f3e4a'],
      ['c2', ''],
      ['a3', '2 q'],
    ]);
    expect(base).toBe(
      'POST&http%3A%2F%2Fexample.com%2Frequest&a2%3Dr%2520b%26a3%3D2%2520q%26a3%3Da%26b5%3D%253D%25253D%26c%2540%3D%26c2%3D%26oauth_consumer_key%3D9djdj82h48djs9d2%26oauth_nonce%3D7d8f3e4a%26oauth_signature_method%3DHMAC-SHA1%26oauth_timestamp%3D137131201%26oauth_token%3Dkkk9d7dh3k39sjv7',
    );
  });

  it('escapes as RFC 3986 does', () => {
    expect(percentEncode("Ladies + Gentlemen!*'()~-._")).toBe('Ladies%20%2B%20Gentlemen%21%2A%27%28%29~-._');
    expect(percentEncode('☃')).toBe('%E2%98%83');
    expect(percentEncode('\ud800')).toBe('%EF%BF%BD');
  });

  it('goes into the header with everything it was made of but the secrets', () => {
    const keys = { consumerKey: 'ck', consumerSecret: 'top', token: 't', tokenSecret: 'secret' };
    const url = 'https://ads-api.x.com/12/measurement/conversions/oka17';
    const { authorization, signature } = signedHeader('POST', url, keys, { nonce: 'n&1', timestampSec: 7 });
    expect(authorization).toBe(
      `OAuth oauth_consumer_key="ck", oauth_nonce="n%261", oauth_signature="${percentEncode(signature)}", oauth_signature_method="HMAC-SHA1", oauth_timestamp="7", oauth_token="t", oauth_version="1.0"`,
    );
    const other = signedHeader('POST', url, { ...keys, tokenSecret: 'x' }, { nonce: 'n&1', timestampSec: 7 });
    expect(other.signature).not.toBe(signature);
  });
});
