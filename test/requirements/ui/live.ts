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
  }),
];
