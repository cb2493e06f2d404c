// One alarm of CloudWatch by its query API: its client would be one more package. One alarm in an answer, so that each element is its.
// https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_DescribeAlarms.html
import { awsProblem } from '../aws-problem.ts';
import { signed } from '../signed-request.ts';
import type { AlarmSeen } from './deployed.ts';

export async function alarmNow(name: string, region: string): Promise<AlarmSeen['now']> {
  const url = new URL(process.env.AWS_ENDPOINT_URL ?? `https://monitoring.${region}.amazonaws.com/`);
  const asked = { Action: 'DescribeAlarms', Version: '2010-08-01', 'AlarmNames.member.1': name };
  const body = new URLSearchParams(asked).toString();
  const what = `the alarm ${name} was not read`;
  const answer = await answerOf(url, body, region).catch((error: unknown) => {
    const { cause } = error as Error;
    throw awsProblem(cause instanceof Error ? cause : error, what);
  });
  const text = (element: string): string | undefined =>
    new RegExp(`<${element}>([^<]*)</${element}>`).exec(answer.text)?.[1];
  if (!answer.ok)
    throw awsProblem(
      Object.assign(new Error(text('Message')), { name: text('Code') ?? `HTTP ${answer.status}` }),
      what,
    );
  if (text('AlarmName') === undefined) return null;
  return {
    state: text('StateValue') ?? '',
    isOn: text('ActionsEnabled') === 'true',
    acts: /<AlarmActions>\s*<member>/.test(answer.text),
  };
}

async function answerOf(url: URL, body: string, region: string) {
  const headers = await signed(url, body, {
    service: 'monitoring',
    region,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  const answer = await fetch(url, { method: 'POST', headers, body });
  return { ok: answer.ok, status: answer.status, text: await answer.text() };
}
