// A function URL as the origin of a distribution. Guarantees: an answer is waited for longer than any function may take.
import { Duration, Fn } from 'aws-cdk-lib';
import type { IOrigin } from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin, type HttpOriginProps } from 'aws-cdk-lib/aws-cloudfront-origins';
import type { HttpFunction } from './http-function.ts';

const ANSWER_MAX = Duration.seconds(30);

export function functionOrigin({ endpoint }: HttpFunction, props: HttpOriginProps = {}): IOrigin {
  // `https://<name>/`
  const name = Fn.select(2, Fn.split('/', endpoint.url));
  // The cast: the library is not written for `exactOptionalPropertyTypes`.
  return new HttpOrigin(name, { ...props, readTimeout: ANSWER_MAX }) as IOrigin;
}
