// A function URL behind a distribution. Guarantees: an answer is waited for longer than any function may take.
import { Duration, Fn } from 'aws-cdk-lib';
import {
  AllowedMethods,
  type BehaviorOptions,
  CachePolicy,
  type IOrigin,
  OriginRequestPolicy,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin, type HttpOriginProps } from 'aws-cdk-lib/aws-cloudfront-origins';
import type { HttpFunction } from './http-function.ts';

const ANSWER_MAX = Duration.seconds(30);

export function functionOrigin({ endpoint }: HttpFunction, props: HttpOriginProps = {}): IOrigin {
  // `https://<name>/`
  const name = Fn.select(2, Fn.split('/', endpoint.url));
  // The cast: the library is not written for `exactOptionalPropertyTypes`.
  return new HttpOrigin(name, { ...props, readTimeout: ANSWER_MAX }) as IOrigin;
}

/** Hands a request on to the function, and its answer back as it is. */
export function functionBehavior(origin: IOrigin): BehaviorOptions {
  return {
    origin,
    // What a path does not take, its function says.
    allowedMethods: AllowedMethods.ALLOW_ALL,
    viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
    cachePolicy: CachePolicy.CACHING_DISABLED,
    // A function URL answers to its own name only.
    originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
    compress: false,
  };
}
