// The monitor UI: output, attempts, changes, review, follow-up (E4, E5, E6).
import { requirements, type Requirement } from '../requirement.ts';

export const uiOutput: Requirement[] = [
  ...requirements('ui-6', 'monitor-ui', {
    'ui-6.4.1': 'The output of a task is read before a number and from its end, in ascending order.',
    'ui-6.4.2': 'Every page of output names the line in which its first piece begins.',
    'ui-6.4.3': 'The line is stored with each piece, so that the end of a long log is read without the rest.',
    'ui-6.4.4': 'Output is read around a line, counted from 1 over all attempts and streams.',
    'ui-6.4.5': 'With run_id the output is that of one attempt.',
    'ui-6.4.6': 'With q the answer is the lines that hold a text, each with its number and piece.',
    'ui-6.4.7': 'Accept: text/plain streams the text of all pieces with X-Content-Type-Options: nosniff.',
    'ui-6.4.8': 'The events of a task are read after or before a number or from their end, of all types or of some.',
    'ui-6.4.9': 'The event of a message that was added to a task names who added it.',
    'ui-6.5.1':
      'The attempts of a task are listed for each claim, oldest first, with the status that ended it or lease_lost.',
    'ui-6.5.2': 'The changed files of a task are listed in the order of its diff; without one the list is empty.',
    'ui-6.5.3': 'Equal hunks have an equal hash; artifacts and changes of an earlier attempt are read by its run_id.',
    'ui-6.5.4': 'The patch of one file is text/x-diff: 400 without a path, 404 for a path that is not in the diff.',
    'ui-6.5.5': 'A diff that is damaged, hostile or in another encoding is divided without loss and in bounded time.',
    'ui-6.5.6': 'The command line lists the attempts of a task.',
    'ui-6.6.1': 'A caller has one draft of comments for a task, of at most 256 KiB, which nobody else sees.',
    'ui-6.6.2':
      'A follow-up is a task on the branch of the reviewed one, in its conversation, for the worker that holds it.',
    'ui-6.6.3': 'The prompt of a follow-up has each comment under its place; no quote can end its fence.',
    'ui-6.6.4':
      'Comments that are too long for a prompt reach the agent all the same, and are an artifact of the task.',
    'ui-6.6.5': 'A follow-up resumes the session of the agent where its worker has it.',
    'ui-6.6.6': 'A follow-up needs a message or a comment, and an Idempotency-Key makes it once.',
    'ui-6.6.7': 'A follow-up drops the draft of its caller.',
    'ui-6.6.8': 'The command line sends comments as path:line: text; a missing quote is filled in from the diff.',
    'ui-6.6.9': 'The agent of a follow-up works on top of the commit that was reviewed.',
  }),
];
