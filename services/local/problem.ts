/** Something only the person at the keyboard can mend: its message is one sentence for them, without a stack. */
export class LocalProblem extends Error {
  override readonly name = 'LocalProblem';
}

/** One sentence: what is wrong in the folder, and the ways out. */
export function unusable(folder: string, what: string): LocalProblem {
  return new LocalProblem(
    `Millrace cannot use ${folder}: ${what}. Put back what was there, or delete the folder to start anew, or set MILLRACE_DATA_DIR to another one.`,
  );
}
