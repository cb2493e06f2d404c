// In which order a run takes its files. Vitest begins with those that took longest the last time, and where nothing is known, as
// in a fresh clone, with the largest. Some are a few lines that take minutes, and would keep one process busy at the end.
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const LONG =
  /\/test\/simulation\/|\/(?:matrix|overview|pages|privacy|troubles|twice|urls)\.pages\.test|\/(?:mutants|\w+-fuzz|reconciliation)\.slow\.test/;

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification): boolean => LONG.test(moduleId);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}
