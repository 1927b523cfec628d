// Flows of the service core.
import { acrossReplicas, everywhere, flows, type Flow } from './flow.ts';

export const serviceCore: readonly Flow[] = [
  ...flows('core-1.2', everywhere, {
    'task-to-a-worker': 'A task is queued and handed to a worker, which executes it against a registered codebase.',
    'acknowledged-is-kept': 'A task that was acknowledged survives the death of the service that took it.',
  }),
  ...flows('core-1.2', ['local'], {
    'local-first-task':
      'The service and a local worker run with one command, and a first task for the folder completes.',
    'local-again':
      'After Ctrl-C the same command on the same data runs tasks for codebases that were registered before.',
  }),
  ...flows('core-2.4, core-4.6', acrossReplicas, {
    'automation-create':
      'A script creates a task, gets task_id, run_id and queued, and reads its result when it is finished.',
    'automation-list': 'The list of automation tasks is narrowed by status.',
    'automation-cancel': 'DELETE cancels a task, and its agent is ended.',
    'automation-question': 'A task that needs input says so, and goes on when the script has answered.',
    'automation-me': 'The credential is verified and its owner is answered.',
  }),
  ...flows('core-2.5, core-4.4', everywhere, {
    'task-create': 'POST /v1/agent/tasks creates a task for the codebase in its body.',
    'task-poll': 'A task is polled for its status and listed with the others.',
  }),
  ...flows('core-2.5, core-4.4', acrossReplicas, {
    'task-in-codebase': 'POST /v1/agent/codebases/{id}/tasks creates a task for the codebase in its path.',
    'task-priority': 'Of waiting tasks the one with the higher priority runs first.',
    'task-trigger': 'POST /v1/agent/codebases/{id}/trigger starts an agent, whose task is polled until it is done.',
    'task-without-codebase': 'A task for no codebase is taken by no worker, and says why it waits.',
  }),
  ...flows('core-4.5', acrossReplicas, {
    'task-review':
      'The changes of a task are reviewed line by line, and its agent does what the comments ask on top of its branch.',
  }),
  ...flows('core-2.6, core-3.4', acrossReplicas, {
    'codebase-for-worker': 'A codebase registered with a worker_id goes to that worker, whoever registered it.',
    'codebase-at-once': 'A task submitted right behind the registration of its codebase runs.',
    'codebase-by-path':
      'A registration by path is a task that any worker may claim; the one that has the path binds it.',
    'codebase-no-such-path': 'A path that no worker has ends its registration with path_not_found.',
    'codebase-not-served':
      'A folder that the worker does not serve is refused by the service and by the worker itself.',
    'codebase-no-workers':
      'A registration by path without workers is answered with the message that none are available.',
    'codebase-global':
      'A task for global goes to any worker with a global codebase, which also gets its regular tasks.',
    'codebase-shared': 'Several workers hold one codebase, each at its own path, and each works in its own.',
    'codebase-exclusive': 'Of two workers only the one that a codebase was registered for gets its tasks.',
    'codebase-commands': 'The command line registers, lists and removes codebases.',
  }),
  ...flows('core-2.7', everywhere, {
    'worker-returns': 'A worker that was silent for hours comes back, and gets tasks again.',
    'worker-replaced': 'A worker killed and started under the same name has its codebases and ends its task once.',
  }),
  ...flows('core-2.7', acrossReplicas, {
    'worker-listed': 'The monitor lists workers with status, last heartbeat, codebases and completed tasks.',
    'worker-stops': 'A worker that is asked to stop gives back what it runs, and another one takes it.',
    'session-sync': 'Workers push the history of sessions: title, times, summaries, tools used.',
    'session-resume': 'A session is resumed with a prompt, in the same conversation and codebase.',
  }),
  ...flows('core-2.7', ['replicas'], {
    'worker-moves':
      'Workers, codebases and running tasks persist in the database, so that a worker may change the replica.',
  }),
  ...flows('core-2.8, core-4.7', everywhere, {
    'audit-entry': 'What was done is found in the audit by actor, action and time, and the log proves itself whole.',
  }),
  ...flows('core-2.9, core-4.8, core-5.10', acrossReplicas, {
    'signed-tool':
      'A signed tool is registered and runs in a sandbox; one whose signature or content differs is rejected.',
  }),
  ...flows('core-2.10, core-6.1', acrossReplicas, {
    'webhook-completed': 'A finished task sends one signed webhook with its result.',
    'webhook-failed': 'A failed and a cancelled task send the same event with another status.',
    'webhook-retried': 'A webhook that is not taken is sent again, three times at most, and can be sent anew.',
  }),
  ...flows('core-3.1', everywhere, {
    'task-cancel-running': 'A running task is cancelled, and what its agent started is ended.',
    'task-question': 'An agent asks, a person answers, and the agent goes on with the answer.',
    'task-follow': 'A task is followed live, and the stream is resumed after a cut, at any replica.',
  }),
  ...flows('core-3.1', acrossReplicas, {
    'task-fails': 'A task whose execution fails is failed, and can be retried.',
    'task-cancel-pending': 'A waiting task is cancelled.',
    'task-deadline': 'A task that has not ended by its deadline fails.',
    'task-commands':
      'The command line creates, follows, shows and cancels tasks, and reports the outcome by its exit code.',
  }),
  ...flows('core-2.1, core-2.3, core-4.2', everywhere, {
    'a2a-legacy': 'message/send on POST / in the legacy form is answered with the legacy wrapper.',
    'a2a-send': 'Clients of both protocol versions and bindings send a message and get the task’s outcome.',
  }),
  ...flows('core-2.1, core-2.3, core-4.2', acrossReplicas, {
    'a2a-get': 'tasks/get answers the state and the message of a task.',
    'a2a-cancel': 'tasks/cancel cancels a task, which is canceled then.',
    'a2a-list': 'tasks/list lists tasks.',
    'a2a-stream': 'message/stream sends the updates of a task until its end.',
    'a2a-resubscribe': 'A client that was cut off subscribes again, at any replica, and misses nothing.',
    'a2a-question': 'A task asks (input-required) and the next message in it answers.',
  }),
  ...flows('core-2.2, core-4.1', everywhere, {
    'a2a-card': 'The agent card is served to who has a bearer, and to nobody else.',
    'a2a-push':
      'Updates of a task are pushed to the address of a client, with its token (the card’s pushNotifications).',
    health: 'GET /health needs no authentication and answers liveness and readiness.',
  }),
  ...flows('core-4.3', acrossReplicas, {
    'a2a-rest': 'The REST binding sends, streams, gets and cancels as the document writes it.',
    'a2a-extensions': 'A message names its codebase, capability, priority, agent and conversation.',
  }),
  ...flows('core-4.5', acrossReplicas, {
    'intervene-pause': 'A running agent is paused and resumed.',
    'intervene-message': 'A running agent gets a message, and takes it into account.',
    'intervene-cancel': 'An intervention cancels a running task.',
  }),
  ...flows('core-4.10', everywhere, {
    'background-loops': 'The service answers the state of its background loops.',
  }),
  ...flows('core-4.10', acrossReplicas, {
    'okr-run': 'Agents work on the key results of an objective and report how far they are.',
    'cron-run': 'A cron job makes a task at each due time.',
  }),
  ...flows('core-5', everywhere, {
    'refused-without-token': 'Every endpoint but /health answers 401 in JSON without a valid bearer.',
    'api-key-scopes': 'An API key does what its scopes allow and nothing more, and nothing when it is revoked.',
    'tenant-isolation': 'What belongs to another tenant is not found, and its workers get none of our tasks.',
    'policy-decides':
      'Each call is decided by the policy, in this process or by a policy server, and both decide alike.',
  }),
  ...flows('core-4.9', acrossReplicas, {
    'cluster-heals':
      'A crashed pod of the service is restarted once by the background reconcile, and the audit says so.',
    'cluster-scales': 'The service shows, scales and restarts the Deployment that it runs as.',
  }),
  ...flows('core-5', acrossReplicas, {
    'role-refused': 'A role without the permission is answered 403.',
    'identity-provider': 'A token that the identity provider issued for client credentials is accepted.',
  }),
  ...flows('core-5.3', ['local'], {
    'token-generated': 'Without a configured token the service makes one, prints it once, and takes it.',
  }),
  ...flows('core-6.3', everywhere, {
    'delivered-by-poll': 'A worker without a channel polls every poll_interval seconds.',
    'delivered-by-push': 'A worker gets tasks through the server-push channel.',
    'delivered-by-broker': 'With a broker, workers pick up tasks almost immediately.',
    'broker-gone': 'Without the broker tasks still arrive, and its return is noticed.',
  }),
  ...flows('core-8', acrossReplicas, {
    idempotency: 'A repeated POST with the same Idempotency-Key makes no second task.',
    'rate-limit': 'The automation API answers 60 requests a minute, with its headers, and then 429.',
  }),
];
