// The monitor UI: questions, options, last words of a task (E2, E3).
import { requirements, type Requirement } from '../requirement.ts';

export const uiQuestions: Requirement[] = [
  ...requirements('ui-6', 'monitor-ui', {
    'ui-6.2.1':
      'A task that needs input has its question: question_id, text, options and asked_at; options is an empty list where there are none, and question is null in every other state.',
    'ui-6.2.2': 'last_event_at is the time of the last event in the log of the task.',
    'ui-6.2.3':
      'last_output has the time and the last line of the output: one line of at most 200 characters, without control characters; null before the first output.',
    'ui-6.2.4': 'lease_expires_at is set while the task runs, moves with each heartbeat, and is null otherwise.',
    'ui-6.2.5':
      'paused_at is set when the worker says that a pause is delivered, null after a delivered resume and after the end of the attempt.',
    'ui-6.2.6':
      'changes has files, added and removed of the newest diff, whether a release or an event brought it, and is null without one.',
    'ui-6.2.7': 'follows is the task that a task follows up, and null for every other task.',
    'ui-6.2.8': 'Lists answer these fields as single tasks do, without a call for each task.',
    'ui-6.2.9': 'Output, progress and heartbeats cost no further write of the row of their task.',
    'ui-6.3.1':
      'A release with needs_input takes text, at most nine options with value and label, a kind and a context; the label is the value by default.',
    'ui-6.3.2': 'A context of more than 16 KiB, a tenth option or two options of one value are 400.',
    'ui-6.3.3': 'An answer is exactly one of message and option, else 400.',
    'ui-6.3.4': 'An answered option reaches the worker as a message with the label of the option.',
    'ui-6.3.5': 'An option that the question does not have is 400, and the task goes on asking.',
    'ui-6.3.6':
      'An answer that names another question than the task asks is 409 question_changed, with message and with option, and the task goes on asking.',
    'ui-6.3.7': 'Of two answers to one question one is taken, at any speed.',
    'ui-6.3.8': 'The built-in agent passes the options of its question on, to a service that knows options.',
    'ui-6.3.9': 'To a service of the first release a worker sends options as lines of the text.',
    'ui-6.3.10': 'switchyard task answer takes --option, and task show prints question and options.',
  }),
];
