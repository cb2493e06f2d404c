// Metrics as fields of a log line, in CloudWatch's embedded metric format: no call is made for them.
// https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
// A metric costs $0.30 a month for each set of dimensions, in the hours in which it is written: there are few, without dimensions
// but for the platform where the setting asks for it, and none is written while nothing happens.
import { metricNamespace } from '../../core/topology.ts';

export const METRICS = {
  Delivered: 'Count',
  Retried: 'Count',
  NotDelivered: 'Count',
  DeliveryLatency: 'Milliseconds',
  OldestDue: 'Seconds',
  OldestUnfinished: 'Seconds',
  MailBounces: 'Count',
} as const;
export type MetricName = keyof typeof METRICS;

export const METRIC_SETS = ['none', 'few', 'by-platform'] as const;
export type MetricSet = (typeof METRIC_SETS)[number];

/** A list has at most so many: the logger cuts longer ones. */
export const METRIC_VALUES_MAX = 50;

/** What a line carries beside its other fields; nothing where no value is given. `dimensions`: of bounded values. */
export function metricFields(
  values: Readonly<Partial<Record<MetricName, number | readonly number[]>>>,
  nowMs: number,
  dimensions: Readonly<Record<string, string>> = {},
  namespace = metricNamespace(),
): Readonly<Record<string, unknown>> {
  const names = Object.keys(values) as MetricName[];
  if (names.length === 0) return {};
  return {
    ...values,
    ...dimensions,
    _aws: {
      Timestamp: nowMs,
      CloudWatchMetrics: [
        {
          Namespace: namespace,
          Dimensions: [Object.keys(dimensions)],
          Metrics: names.map((Name) => ({ Name, Unit: METRICS[Name] })),
        },
      ],
    },
  };
}
