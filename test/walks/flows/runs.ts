// Flows of tools-2.2 and tools-3: autonomous runs, from their document to the commits of their stories.
import { acrossReplicas, everywhere, flows, type Flow } from './flow.ts';

export const runs: readonly Flow[] = [
  ...flows('tools-2.2', everywhere, {
    'run-stories':
      'A run implements its stories one after the other, learns from what failed, and leaves one commit for each.',
  }),
  ...flows('tools-3', acrossReplicas, {
    'run-model': 'A run works with the built-in agent, each step in a fresh session.',
    'run-program': 'A run works with the agent programs that people install, each attempt in a fresh session.',
    'run-exhausted': 'A story that never passes ends its run after the iterations that it has.',
    'run-cancel': 'A cancelled run ends its processes at once and keeps what has landed.',
    'run-pause': 'A run that is paused and resumed repeats its step and loses no iteration.',
    'run-question': 'A run asks a person and goes on with the answer.',
    'run-judge': 'A reviewer passes a criterion that no command shows by quoting the files.',
    'run-example': 'The example document of the package finishes in a fresh repository.',
  }),
];
