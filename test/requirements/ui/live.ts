// The monitor UI: stream, threads, attention (E17, E18, E19).
import { requirements, type Requirement } from '../requirement.ts';

export const uiLive: Requirement[] = [
  ...requirements('ui-3', 'monitor-ui', {
    'ui-3.3.1':
      'One follower of event streams serves pages and the command line; it resumes by Last-Event-ID, kept in memory.',
    'ui-3.3.2': 'A stream without a frame or comment for 30 seconds is dead, and is opened again.',
    'ui-3.3.3':
      'The follower waits 0.25 to 15 seconds before it reconnects, with jitter, and at least what Retry-After says.',
    'ui-3.3.4': 'The follower ends with the problem of a 401, 403 or 404.',
    'ui-3.3.5': 'A reason that the caller names, as the event online of a browser, ends a wait at once.',
    'ui-3.3.6': 'The follower tells live, reconnecting, and stale with the time since when.',
    'ui-3.3.7': 'The follower runs unchanged in a browser.',
  }),
  ...requirements('ui-6', 'monitor-ui', {
    'ui-6.17.1': 'The monitor stream has frames worker with worker_id, name and status.',
    'ui-6.17.2': 'The monitor stream has frames run for each new run and each change of its status.',
    'ui-6.17.3': 'A frame status has question_id and attempt.',
    'ui-6.17.4': 'The query types is a comma list of types of frames, and an unknown one is 400 with its path.',
    'ui-6.17.5': 'The query only=mine leaves frames of what the caller created.',
    'ui-6.17.6':
      'Frames of workers, runs and attention reach every replica, and are resumed by Last-Event-ID without gaps or duplicates.',
    'ui-6.18.1':
      'The list of conversations has id, title, participants, last_message with text and at, and open_tasks, newest word first.',
    'ui-6.18.2': 'The list of conversations is paged by cursor, and each conversation is there once.',
    'ui-6.18.3':
      'A page of conversations reads a bounded number of rows beside a conversation of 10,000 messages and many other tasks.',
    'ui-6.19.1':
      'The list of what waits for a person has kind, id, title, text, options, asked_at and link, newest first, paged by cursor.',
    'ui-6.19.2': 'A question of a task or run is listed until it is answered or moot.',
    'ui-6.19.3':
      'A dead delivery is listed until it is sent again, a failed run until it is retried, a lost worker until it is back or deleted.',
    'ui-6.19.4': 'What does not ask is forgotten after seven days.',
    'ui-6.19.5':
      'What does not ask is dismissed by a caller with monitor:read and the permission for its remedy; what asks is not.',
    'ui-6.19.6': 'A frame attention tells at every replica that something began or ceased to wait.',
    'ui-6.19.7': 'The command line lists what waits for a person, and dismisses it.',
    'ui-6.19.8': 'The list of what waits for a person takes a comma list of kinds.',
  }),
];
