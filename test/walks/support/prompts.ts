// Shell lines of prompts for the agent `command`.

/** Waits for a file, at most ten minutes. */
export function untilThere(file: string): string {
  return `n=0; while [ ! -e '${file}' ] && [ $n -lt 6000 ]; do sleep 0.1; n=$((n + 1)); done`;
}

/** Leaves the ids of the shell and of a child that left its process group in a file, which appears at once. */
export function leavesProcesses(file: string): string[] {
  return ['setsid sleep 600 &', `echo "$$ $!" > '${file}.new'`, `mv '${file}.new' '${file}'`];
}

/** Asks in the first run; says the answer in the second, which has it on its standard input. */
export function requestsInput(question: string): string[] {
  return [
    'answer=$(cat)',
    `[ -n "$answer" ] || { echo 'SWITCHYARD_NEEDS_INPUT: ${question}'; exit 0; }`,
    'echo "$answer" > answer.txt',
    'echo "read $answer"',
  ];
}
