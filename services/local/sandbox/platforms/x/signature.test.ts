import { describe, expect, it } from 'vitest';
import { signatureOf } from './signature.ts';

describe('the signature that X expects', () => {
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
  ];
  const url = 'https://api.x.com/1.1/statuses/update.json';

  it('is the one of its example, in any order of the parameters', () => {
    expect(signatureOf('post', url, parameters, secrets)).toBe('Ls93hJiZbQ3akF3HF3x1Bz8/zU4=');
    expect(signatureOf('POST', url, parameters.toReversed(), secrets)).toBe('Ls93hJiZbQ3akF3HF3x1Bz8/zU4=');
  });

  it('is another one for another value, method, address or secret', () => {
    const all = [
      signatureOf('POST', url, parameters.slice(1), secrets),
      signatureOf('GET', url, parameters, secrets),
      signatureOf('POST', `${url}x`, parameters, secrets),
      signatureOf('POST', url, parameters, secrets.toReversed()),
    ];
    expect(new Set([...all, 'Ls93hJiZbQ3akF3HF3x1Bz8/zU4=']).size).toBe(5);
  });

  it('sorts a name before the name it begins', () => {
    const [one, other] = [
      ['a', '1'],
      ['a2', '0'],
    ] as const;
    expect(signatureOf('GET', url, [one, other], secrets)).toBe(
      signatureOf('GET', url, [other, one], secrets),
    );
  });
});
