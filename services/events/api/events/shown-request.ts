// A request as the API shows it. Guarantees: neither what the platform calls secret nor any secret of the credentials
// survives in address, headers or body, however it is written.

import type { Success } from '#lib/core/http/handler.ts';
import { maskSecrets } from '#lib/events/platforms/mask.ts';
import type { HttpRequest, Platform } from '#lib/events/platforms/platform.ts';
import { credentialFields } from '#lib/events/routes/platforms/credential-form.ts';
import type { previewPlatform } from '#lib/events/routes/platforms/platform-checks.ts';

export type ShownRequest = NonNullable<Success<typeof previewPlatform>['body']['request']>;

export function shownRequest(request: HttpRequest, secrets: readonly string[]): ShownRequest {
  const { method, url, headers, body } = maskSecrets({
    ...request,
    secrets: [...request.secrets, ...secrets],
  });
  return { method, url, headers, body, body_json: parsed(body) };
}

/** Values of the fields that the platform's form marks as secret. */
export function secretsOf(platform: Platform, credentials: unknown): readonly string[] {
  const values = credentials as Readonly<Record<string, unknown>>;
  return credentialFields(platform)
    .filter(({ secret }) => secret)
    .flatMap(({ name }) => {
      const value = values[name];
      return typeof value === 'string' ? [value] : [];
    });
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}
