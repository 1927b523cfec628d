// Types of every call of the REST families: generated from the service's OpenAPI document by `npm run docs`.
export interface paths {
    "/v1/agent/tasks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List tasks, newest first or by another order.
         * @description Every sort is descending. A page of rare tasks may be short and still have a next_cursor: tasks are searched in steps. Needs tasks:read.
         */
        get: operations["tasks.list"];
        put?: never;
        /**
         * Create a task.
         * @description Without a codebase_id it stays pending with the reason no_codebase. Needs tasks:write.
         */
        post: operations["tasks.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agent/codebases/{id}/tasks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a task for a codebase.
         * @description Needs tasks:write.
         */
        post: operations["tasks.create_in_codebase"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agent/tasks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a task.
         * @description Needs tasks:read.
         */
        get: operations["tasks.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change priority, deadline or title of a pending task.
         * @description Needs tasks:write.
         */
        patch: operations["tasks.update"];
        trace?: never;
    };
    "/v1/agent/tasks/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel an unfinished task.
         * @description Kills the agent that runs it. Needs tasks:write.
         */
        post: operations["tasks.cancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agent/tasks/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Retry a finished task as a new task.
         * @description The new task names the finished one in retry_of. Needs tasks:write.
         */
        post: operations["tasks.retry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agent/tasks/{id}/input": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answer the question of a task that needs input.
         * @description Takes a message, or the value of one of the options of the question. Needs tasks:write.
         */
        post: operations["tasks.input"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agent/tasks/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List or stream the events of a task.
         * @description One of after, before and tail chooses the events, types narrows them. Streams with Accept: text/event-stream, resumable by Last-Event-ID. Needs tasks:read.
         */
        get: operations["tasks.events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agent/tasks/{id}/artifacts/{artifact_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an artifact with its content.
         * @description Needs tasks:read.
         */
        get: operations["tasks.artifact"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agent/tasks/{id}/why": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Explain why a task waits, worker by worker.
         * @description The reasons come from the rule that assigns tasks. Each remedy names a command. Needs tasks:read.
         */
        get: operations["tasks.why"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agent/tasks/why": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Explain whether a worker could take a new task.
         * @description Takes the fields of a creation, all optional, and creates nothing. Needs tasks:read.
         */
        post: operations["tasks.why_draft"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agent/tasks/bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel, retry or prioritize many tasks.
         * @description Each task is permitted and audited as by its own call. One call changes at most 2,000 tasks; next_cursor names the rest of a filter. Needs tasks:write.
         */
        post: operations["tasks.bulk"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agent/tasks/{id}/output": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the output that the agent printed.
         * @description One of after, before, tail and line chooses the pieces; q finds lines. With Accept: text/plain the text of all pieces is streamed, or that of the last ones. Needs tasks:read.
         */
        get: operations["tasks.output"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agent/tasks/{id}/attempts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the attempts of a task, oldest first.
         * @description There is one for each claim. The outcome is the status that ended it, or lease_lost. Needs tasks:read.
         */
        get: operations["tasks.attempts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agent/tasks/{id}/artifacts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the artifacts of a task, oldest first.
         * @description run_id limits the list to one attempt. Needs tasks:read.
         */
        get: operations["tasks.artifacts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agent/tasks/{id}/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the files that a task changed.
         * @description Files follow the order of the newest diff; without a diff the list is empty. Equal changes have an equal hash. Needs tasks:read.
         */
        get: operations["tasks.changes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agent/tasks/{id}/changes/file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the patch of one file that a task changed.
         * @description Needs tasks:read.
         */
        get: operations["tasks.file_change"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agent/tasks/{id}/review": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get your draft of a review of a task.
         * @description Before you save one, it is empty. Nobody else sees it. Needs tasks:read.
         */
        get: operations["tasks.get_review"];
        /**
         * Save your draft of a review of a task.
         * @description It replaces the earlier draft and has at most 256 KiB. A follow-up drops it. Needs tasks:write.
         */
        put: operations["tasks.save_review"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agent/tasks/{id}/follow-up": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send the comments of a review to the agent.
         * @description Creates a task on the branch of the reviewed one, in its conversation, with the agent’s session where it can be resumed. It needs a message or a comment. Needs tasks:write.
         */
        post: operations["tasks.follow_up"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agent/codebases": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List codebases.
         * @description Needs codebases:read.
         */
        get: operations["codebases.list"];
        put?: never;
        /**
         * Register a codebase.
         * @description With a worker_id the codebase is registered at once. Without one the answer is 202 with a task, in which workers search for the path. Needs codebases:write.
         */
        post: operations["codebases.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agent/codebases/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a codebase.
         * @description Needs codebases:read.
         */
        get: operations["codebases.get"];
        put?: never;
        post?: never;
        /**
         * Unregister a codebase.
         * @description Deletes no files. Needs codebases:delete.
         */
        delete: operations["codebases.delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agent/codebases/{id}/trigger": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start an agent in a codebase.
         * @description Needs tasks:write.
         */
        post: operations["codebases.trigger"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agent/codebases/{id}/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the agent sessions in a codebase.
         * @description Needs sessions:read.
         */
        get: operations["sessions.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agent/codebases/{id}/sessions/{sid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a session.
         * @description Needs sessions:read.
         */
        get: operations["sessions.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agent/codebases/{id}/sessions/{sid}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the message summaries of a session.
         * @description Needs sessions:read.
         */
        get: operations["sessions.messages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agent/codebases/{id}/sessions/{sid}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume a session in a new task.
         * @description The task joins the session’s conversation unless the request names another. Needs tasks:write.
         */
        post: operations["sessions.resume"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agent/workers/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Register a worker and its codebases.
         * @description Idempotent per name and credential. Needs workers:write.
         */
        post: operations["workers.register"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agent/workers/{id}/heartbeat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Renew all leases of a worker.
         * @description Returns the leases that were lost or cancelled, and pending interventions. Needs workers:write.
         */
        post: operations["workers.heartbeat"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agent/workers/{id}/unregister": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Unregister a worker.
         * @description Its tasks are requeued for other workers. Needs workers:write.
         */
        post: operations["workers.unregister"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agent/workers/{id}/drain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Drain a worker: give it no more tasks.
         * @description It keeps what it runs, and takes tasks again when it registers anew. Needs workers:write.
         */
        post: operations["workers.drain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/worker/tasks/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Open the push channel of a worker.
         * @description Needs workers:write.
         */
        get: operations["workers.stream"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/worker/tasks/claim": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Claim pending tasks under leases.
         * @description Needs tasks:execute.
         */
        post: operations["workers.claim"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/worker/tasks/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report events of an attempt, under its lease.
         * @description Needs tasks:execute.
         */
        post: operations["workers.events"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/worker/tasks/{id}/release": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Release a task: end its attempt.
         * @description Needs tasks:execute.
         */
        post: operations["workers.release"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agent/workers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List registered workers.
         * @description Needs workers:read.
         */
        get: operations["workers.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agent/workers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a worker.
         * @description Needs workers:read.
         */
        get: operations["workers.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agent/codebases/{id}/sessions/sync": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Synchronize the agent sessions of a worker.
         * @description Needs sessions:write.
         */
        post: operations["sessions.sync"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agent/codebases/{id}/sessions/{sid}/messages/sync": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Synchronize the messages of a session.
         * @description Needs sessions:write.
         */
        post: operations["sessions.sync_messages"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/monitor/workers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List registered workers in short form.
         * @description Needs monitor:read.
         */
        get: operations["monitor.workers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/monitor/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count tasks, workers and codebases.
         * @description Needs monitor:read.
         */
        get: operations["monitor.stats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/monitor/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get usage of finished tasks by day or group.
         * @description A task counts on the day in UTC on which it ended. Usage is kept for 400 days. Needs monitor:read.
         */
        get: operations["monitor.usage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/monitor/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the queue over time, in steps.
         * @description Samples are taken every five minutes and kept for 90 days. Needs monitor:read.
         */
        get: operations["monitor.history"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/monitor/service-health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the health of every part, with reasons.
         * @description Each part has two seconds to answer. A part that is not configured is off. Needs monitor:read.
         */
        get: operations["monitor.service_health"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/restore/release": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Release the sends that wait since a restore.
         * @description After a restore mails, conversions and publish steps of runs wait, because it is not known what was sent after the backup. This concerns the whole installation. Needs monitor:write.
         */
        post: operations["restore.release"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/monitor/counts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count tasks by status, with the filters of their list.
         * @description Counts each status up to 10,000; capped is true where a count is a lower bound. Needs monitor:read.
         */
        get: operations["monitor.counts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/monitor/waiting": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the routes of pending tasks, with reason and remedy.
         * @description Tasks of one route wait for the same workers. Includes steps of runs. Needs monitor:read.
         */
        get: operations["monitor.waiting"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/monitor/intervene": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Intervene in a running agent: message, pause, resume or cancel.
         * @description Needs monitor:write.
         */
        post: operations["monitor.intervene"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/monitor/interventions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List interventions and their delivery status.
         * @description Needs monitor:read.
         */
        get: operations["monitor.interventions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/monitor/interventions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an intervention.
         * @description Needs monitor:read.
         */
        get: operations["monitor.intervention"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/monitor/attention": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List items that wait for a person, newest first.
         * @description An item with a question disappears when it is answered. Others disappear with their cause, when dismissed, or after seven days. Needs monitor:read.
         */
        get: operations["monitor.attention"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/monitor/attention/{id}/dismiss": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Dismiss an item that waits for a person.
         * @description Requires the permission for its remedy, too: automation:write for a dead delivery, ralph:write for a failed run, workers:write for a lost worker. Open questions cannot be dismissed. Needs monitor:read.
         */
        post: operations["monitor.dismiss"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/cognition/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the background loops and the replicas that run them.
         * @description Needs monitor:read.
         */
        get: operations["cognition.status"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/monitor/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List agents by name.
         * @description Includes agents of workers and agents that registered themselves. Needs monitor:read.
         */
        get: operations["monitor.agents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/monitor/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the messages of all conversations, newest first.
         * @description The query q searches their text. Needs monitor:read.
         */
        get: operations["monitor.messages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/monitor/threads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List conversations by latest message, newest first.
         * @description A task without a conversation is a conversation of its own. Needs monitor:read.
         */
        get: operations["monitor.threads"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/monitor/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stream changes of tasks, workers, runs and attention items.
         * @description Resumable by Last-Event-ID. After a frame `resync`, read the lists again. Needs monitor:read.
         */
        get: operations["monitor.stream"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/monitor/export.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export messages, tasks or agents as JSON.
         * @description The answer is one object, produced while it is read. Needs monitor:read.
         */
        get: operations["monitor.export_json"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/monitor/export.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export messages, tasks or agents as CSV.
         * @description No cell is a formula. The answer is produced while it is read. Needs monitor:read.
         */
        get: operations["monitor.export_csv"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get metrics in the text format of Prometheus.
         * @description Covers this replica and the queue of the caller’s tenant. Needs monitor:read.
         */
        get: operations["monitor.metrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audit/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the audit entries of the caller’s tenant, newest first.
         * @description Needs audit:read.
         */
        get: operations["audit.events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audit/query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Search the audit entries of the caller’s tenant, newest first.
         * @description Returns the entries that match every filter. Needs audit:read.
         */
        post: operations["audit.query"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audit/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Verify every audit chain.
         * @description Reports whether each chain is unchanged, and the first bad entry of a chain that is not. Needs audit:read.
         */
        get: operations["audit.verify"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the identity of this credential.
         * @description Needs any valid credential.
         */
        get: operations["auth.me"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/permissions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the permissions of each role.
         * @description Needs any valid credential.
         */
        get: operations["auth.permissions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the access configuration: credential kinds, policy, row-level security.
         * @description Needs any valid credential.
         */
        get: operations["auth.status"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List API keys, newest first.
         * @description Callers see their own keys. Admins may list the keys of a user, or all keys. Needs api_keys:read.
         */
        get: operations["api_keys.list"];
        put?: never;
        /**
         * Create an API key.
         * @description The key is returned only in this answer. Needs api_keys:write.
         */
        post: operations["api_keys.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/api-keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an API key.
         * @description Within a second every replica rejects the key and the sessions created with it. Needs api_keys:delete.
         */
        delete: operations["api_keys.revoke"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List active sign-in sessions, newest first.
         * @description Callers see their own sessions. Admins see those of all users with all=true. Needs any valid credential.
         */
        get: operations["sign_in_sessions.list"];
        put?: never;
        /**
         * Create a sign-in session for this credential.
         * @description The session opens pages in a browser. Its token is returned only in this answer. A sign-in code is accepted as the bearer token, once. Needs any valid credential.
         */
        post: operations["sign_in_sessions.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/sign-in-codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a one-time code that signs a browser in.
         * @description The code creates one session within two minutes, with the permissions of this credential, and opens nothing else. The session ends no later than this credential. Needs any valid credential.
         */
        post: operations["sign_in_codes.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End a sign-in session.
         * @description Within a second every replica rejects it. Needs any valid credential.
         */
        delete: operations["sign_in_sessions.end"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List users, by id.
         * @description Needs users:read.
         */
        get: operations["users.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a user.
         * @description Needs users:read.
         */
        get: operations["users.get"];
        /**
         * Create or update a user: name, roles, status.
         * @description Changes apply to existing keys and sessions immediately. Needs users:write.
         */
        put: operations["users.put"];
        post?: never;
        /**
         * Delete a user, with its keys and sessions.
         * @description Needs users:delete.
         */
        delete: operations["users.delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/tenants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the tenants of this service, by id.
         * @description Needs tenants:read.
         */
        get: operations["tenants.list"];
        put?: never;
        /**
         * Create a tenant.
         * @description Needs tenants:write.
         */
        post: operations["tenants.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/automation/tasks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List tasks, newest first.
         * @description Needs automation:read.
         */
        get: operations["automation.list"];
        put?: never;
        /**
         * Create a task.
         * @description Without a codebase_id the task runs in the codebase global. Needs automation:write.
         */
        post: operations["automation.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/automation/tasks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a task with its status, result or question.
         * @description Needs automation:read.
         */
        get: operations["automation.get"];
        put?: never;
        post?: never;
        /**
         * Cancel an unfinished task.
         * @description Cancelling the task of another caller also needs automation:delete. Needs automation:write.
         */
        delete: operations["automation.cancel"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/automation/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the models that a task may name.
         * @description Needs automation:read.
         */
        get: operations["automation.models"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/automation/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the identity of this credential.
         * @description Needs any valid credential.
         */
        get: operations["automation.me"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/automation/tasks/{id}/input": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answer the question of a task that needs input.
         * @description Needs automation:write.
         */
        post: operations["automation.input"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tools/manifests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List every version of every tool.
         * @description Needs tools:read.
         */
        get: operations["tools.list"];
        put?: never;
        /**
         * Register a tool manifest signed by a trusted key.
         * @description Needs tools:write.
         */
        post: operations["tools.register"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tools/manifests/{tool_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a tool.
         * @description Returns the requested version, or the version that a run would use, and the list of all versions. Needs tools:read.
         */
        get: operations["tools.get"];
        put?: never;
        post?: never;
        /**
         * Revoke a version of a tool, or all its versions.
         * @description A revoked version never runs again. Needs tools:delete.
         */
        delete: operations["tools.revoke"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tools/{tool_id}/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Upload the content of a tool.
         * @description The SHA-256 of the content must be the one in the manifest. Needs tools:write.
         */
        put: operations["tools.put_content"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tools/{tool_id}/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run a tool in the sandbox.
         * @description Its signature and content are verified before each run. Needs tools:execute.
         */
        post: operations["tools.run"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/automation/tasks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the deliveries of a task, oldest first, with their attempts.
         * @description Needs automation:read.
         */
        get: operations["deliveries.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/automation/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the dead deliveries of all tasks, newest first.
         * @description Needs automation:read.
         */
        get: operations["deliveries.list_dead"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/automation/tasks/{id}/deliveries/{delivery_id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a dead or delivered webhook again.
         * @description The same bytes are sent under the same id. Needs automation:write.
         */
        post: operations["deliveries.redeliver"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/tenants/{id}/webhook-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count the secrets that sign a tenant’s webhooks.
         * @description The secrets are never shown. With 0, the secrets of the installation apply. Needs tenants:read.
         */
        get: operations["tenants.webhook_secret_count"];
        /**
         * Set the secrets that sign a tenant’s webhooks.
         * @description The first secret makes the single signature, all secrets the multi-signature. Needs tenants:write.
         */
        put: operations["tenants.webhook_secret"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ralph/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List autonomous runs, newest first.
         * @description Needs ralph:read.
         */
        get: operations["ralph.list"];
        put?: never;
        /**
         * Create an autonomous run over the stories of a PRD.
         * @description The body may be YAML. Gates and set-up of the PRD are commands that a worker executes. Needs ralph:write and tasks:write.
         */
        post: operations["ralph.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ralph/runs/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Retry a finished run as a new run.
         * @description The new run begins at the head of the old one and takes over its passed stories. Needs ralph:write and tasks:write.
         */
        post: operations["ralph.retry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ralph/runs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an autonomous run.
         * @description Needs ralph:read.
         */
        get: operations["ralph.get"];
        put?: never;
        post?: never;
        /**
         * Delete a finished run.
         * @description Its branch and its commits stay. Needs ralph:delete.
         */
        delete: operations["ralph.delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ralph/runs/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a run.
         * @description Its agents are stopped; what has landed stays. Needs ralph:write.
         */
        post: operations["ralph.cancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ralph/runs/{id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pause a run.
         * @description With after_step its running steps end first; with now they are stopped and spend no iteration. Needs ralph:write.
         */
        post: operations["ralph.pause"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ralph/runs/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume a paused run.
         * @description Needs ralph:write.
         */
        post: operations["ralph.resume"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ralph/runs/{id}/answer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answer an open question of a run.
         * @description Needs ralph:write, and a person as the caller.
         */
        post: operations["ralph.answer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ralph/runs/{id}/commit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Put the commits of waiting stories on the branch.
         * @description For runs with RALPH_COMMIT_ON_PASS=0, finished ones too. Needs ralph:write, and a person as the caller.
         */
        post: operations["ralph.commit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ralph/runs/{id}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give guidance to a run.
         * @description It stands in all later prompts, and agents at work receive it at once. Needs ralph:write.
         */
        post: operations["ralph.message"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ralph/runs/{id}/stories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the stories of a run with evidence and steps.
         * @description Needs ralph:read.
         */
        get: operations["ralph.stories"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ralph/runs/{id}/stories/{story_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a story of a run.
         * @description Needs ralph:read.
         */
        get: operations["ralph.story"];
        put?: never;
        post?: never;
        /**
         * Take a pending story out of its run.
         * @description Needs ralph:write, and a person as the caller.
         */
        delete: operations["ralph.remove_story"];
        options?: never;
        head?: never;
        /**
         * Change a pending story.
         * @description Needs ralph:write and tasks:write, and a person as the caller.
         */
        patch: operations["ralph.change_story"];
        trace?: never;
    };
    "/v1/ralph/runs/{id}/stories/{story_id}/attempts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the attempts of a story, void tries included.
         * @description Needs ralph:read.
         */
        get: operations["ralph.attempts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ralph/runs/{id}/stories/{story_id}/attempts/{n}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the last try of an attempt.
         * @description Needs ralph:read.
         */
        get: operations["ralph.attempt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ralph/runs/{id}/learnings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what a run has learnt, newest first.
         * @description Needs ralph:read.
         */
        get: operations["ralph.learnings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ralph/runs/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List or stream the events of a run.
         * @description Streams with Accept: text/event-stream, resumable by Last-Event-ID. The stream ends with the run. Needs ralph:read.
         */
        get: operations["ralph.events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ralph/runs/{id}/progress.txt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get what a run has learnt as progress.txt.
         * @description Needs ralph:read.
         */
        get: operations["ralph.progress"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ralph/runs/{id}/prd": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the PRD of a run with passes and notes.
         * @description As YAML with Accept: application/yaml. Needs ralph:read.
         */
        get: operations["ralph.prd"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ralph/runs/{id}/diff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the diff of a run, or of one story.
         * @description Needs ralph:read.
         */
        get: operations["ralph.diff"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ralph/runs/{id}/bundle": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the commits of a run as a git bundle.
         * @description It exists after the last publish of the run. Needs ralph:read.
         */
        get: operations["ralph.bundle"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ralph/runs/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the webhooks of a run, oldest first.
         * @description Needs ralph:read.
         */
        get: operations["ralph.deliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ralph/runs/{id}/deliveries/{delivery_id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a webhook of a run again.
         * @description The same bytes are sent under the same id. Needs ralph:write.
         */
        post: operations["ralph.redeliver"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ralph/lint": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check a PRD for errors and weaknesses.
         * @description Answers 200 for any document. The field valid is true if a run can take it. Needs ralph:read.
         */
        post: operations["ralph.lint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ralph/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Convert the documents of another tool to a PRD.
         * @description Stores nothing. What has no place in a PRD is in dropped. Needs ralph:write.
         */
        post: operations["ralph.import"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/cronjobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List cron jobs, newest first.
         * @description Needs cronjobs:read.
         */
        get: operations["cronjobs.list"];
        put?: never;
        /**
         * Create a cron job.
         * @description At each due time it creates one task from task_template, over all replicas. Needs cronjobs:write and tasks:write.
         */
        post: operations["cronjobs.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/cronjobs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a cron job.
         * @description Needs cronjobs:read.
         */
        get: operations["cronjobs.get"];
        /**
         * Change a cron job.
         * @description Absent fields stay as they are. A new expression, zone or bound restarts the schedule from now, and so does enabling the job. Needs cronjobs:write and tasks:write.
         */
        put: operations["cronjobs.update"];
        post?: never;
        /**
         * Delete a cron job and its runs.
         * @description The tasks that it created stay. Needs cronjobs:delete.
         */
        delete: operations["cronjobs.delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/cronjobs/{id}/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the runs of a cron job, newest first.
         * @description Needs cronjobs:read.
         */
        get: operations["cronjobs.runs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/cronjobs/{id}/trigger": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run a cron job now.
         * @description Works for disabled jobs too. The overlap policy applies. Needs cronjobs:write and tasks:write.
         */
        post: operations["cronjobs.trigger"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/cronjobs/validate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Validate a cron expression; return its next five times.
         * @description Needs cronjobs:read.
         */
        post: operations["cronjobs.validate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/analytics/track": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Record an event of a visitor or user.
         * @description A repeated message_id within 48 hours stores nothing and is answered with the first event and 200. Needs analytics:write.
         */
        post: operations["analytics.track"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/analytics/page": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Record a page view of a visitor or user.
         * @description Stored as the event page_view. A repeated message_id is answered as by track. Needs analytics:write.
         */
        post: operations["analytics.page"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/analytics/identify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Identify a visitor as a user.
         * @description From its time on, events of the visitor belong to the user; earlier ones too, unless the visitor was another user then. Needs analytics:write.
         */
        post: operations["analytics.identify"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/analytics/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Record up to 500 events at once.
         * @description Each gets its own result, in order: a refused one does not stop the others. One audit entry for all. Needs analytics:write.
         */
        post: operations["analytics.batch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/analytics/funnels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the funnels.
         * @description The built-in funnel is first, then by id. Needs analytics:read.
         */
        get: operations["analytics.funnels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/analytics/funnel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count the people along a funnel.
         * @description People who took the first step in the last days, and how many of them took each further step within the window. Needs analytics:admin.
         */
        get: operations["analytics.funnel"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/analytics/funnels/{funnel_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Write a funnel, or replace it.
         * @description The id is yours to choose. Under the id default it replaces the built-in funnel. Needs analytics:admin.
         */
        put: operations["analytics.put_funnel"];
        post?: never;
        /**
         * Delete a funnel.
         * @description Events stay. When a replacement of the built-in funnel is deleted, the built-in one returns. Needs analytics:admin.
         */
        delete: operations["analytics.delete_funnel"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/analytics/attribution/{user_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the touches of a user and the credits of its conversions.
         * @description Needs analytics:read.
         */
        get: operations["analytics.attribution"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/analytics/users/{user_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Erase a user: its events, and the links to its visitors.
         * @description Anonymous events of its visitors are erased too. It cannot be undone. Needs analytics:admin.
         */
        delete: operations["analytics.erase"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/k8s/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the Deployment, its pods and the last check.
         * @description Outside a cluster: 503 not_in_cluster. The answer may be two seconds old. Needs k8s:read.
         */
        get: operations["k8s.status"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/k8s/scale": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Scale the Deployment.
         * @description Between CLUSTER_MIN_REPLICAS and CLUSTER_MAX_REPLICAS. Above 1 it needs a shared database, and no autoscaler may scale the Deployment. Needs k8s:write.
         */
        post: operations["k8s.scale"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/k8s/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check the pods now, and restart unhealthy ones.
         * @description Unhealthy pods are evicted one after the other, each once the successor of the one before is ready. {"restart": "all"} replaces all pods. Needs k8s:write.
         */
        post: operations["k8s.health"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/k8s/reconcile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Apply the manifest and check the pods now.
         * @description As the background loop does it. A pod that nothing owns gets a Deployment made from its own spec, where CLUSTER_MANIFEST_FILE is not set. Needs k8s:write.
         */
        post: operations["k8s.reconcile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/okr": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List objectives with their key results, newest first.
         * @description Needs okr:read.
         */
        get: operations["okr.list"];
        put?: never;
        /**
         * Create an objective as a draft.
         * @description It may bring up to 20 key results. A task template needs tasks:write too. Needs okr:write.
         */
        post: operations["okr.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/okr/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an objective with its key results.
         * @description Needs okr:read.
         */
        get: operations["okr.get"];
        /**
         * Change an objective, approve it, deny it or complete it.
         * @description Absent fields stay as they are. A draft becomes approved or denied, an approved one running or denied, a running one completed or denied. Denying a running one cancels its open run. Needs okr:write.
         */
        put: operations["okr.update"];
        post?: never;
        /**
         * Delete an objective with its key results and runs.
         * @description The tasks of its runs stay. One with an open run is not deleted. Needs okr:delete.
         */
        delete: operations["okr.delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/okr/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count objectives by status.
         * @description Needs okr:read.
         */
        get: operations["okr.stats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/okr/{id}/key-results": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the key results of an objective in their order.
         * @description Needs okr:read.
         */
        get: operations["okr.key_results"];
        put?: never;
        /**
         * Add a key result to an objective that is not running.
         * @description Needs okr:write.
         */
        post: operations["okr.add_key_result"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/okr/{id}/key-results/{key_result_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a key result.
         * @description Needs okr:read.
         */
        get: operations["okr.key_result"];
        /**
         * Change a key result, or report its progress.
         * @description Absent fields stay as they are. Once the objective is running, title, measure and weight are frozen. Progress 100 completes a key result, and the last one that is completed completes the objective. Needs okr:write.
         */
        put: operations["okr.change_key_result"];
        post?: never;
        /**
         * Remove a key result from an objective that is not running.
         * @description Needs okr:write.
         */
        delete: operations["okr.remove_key_result"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/okr/{id}/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the runs of an objective, newest first.
         * @description Needs okr:read.
         */
        get: operations["okr.runs"];
        put?: never;
        /**
         * Start a run: tasks for the open key results.
         * @description An approved objective becomes running. Each task reports by the artifact okr-progress, and its key result moves by that report alone. Needs okr:write and tasks:write.
         */
        post: operations["okr.run"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/okr/{id}/runs/{run_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a run of an objective.
         * @description Needs okr:read.
         */
        get: operations["okr.get_run"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/okr/{id}/runs/{run_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a run and its open tasks.
         * @description Needs okr:write.
         */
        post: operations["okr.cancel_run"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ralph/prd/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List PRD chats, newest first.
         * @description Needs ralph:read.
         */
        get: operations["prd.list"];
        put?: never;
        /**
         * Create a PRD chat.
         * @description Its first version is prd, or what import makes of the documents of another tool. Needs ralph:write.
         */
        post: operations["prd.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ralph/prd/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a PRD chat.
         * @description Needs ralph:read.
         */
        get: operations["prd.get"];
        put?: never;
        post?: never;
        /**
         * Delete a PRD chat with its versions.
         * @description Runs that started from it stay. Needs ralph:delete.
         */
        delete: operations["prd.delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ralph/prd/sessions/{id}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a message to the assistant of a PRD chat.
         * @description Waits 60 seconds for the answer, then answers 202. Streams the answer with Accept: text/event-stream. Needs ralph:write and tasks:write.
         */
        post: operations["prd.message"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ralph/prd/sessions/{id}/turns": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the turns of a PRD chat.
         * @description Needs ralph:read.
         */
        get: operations["prd.turns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ralph/prd/sessions/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stream the answers of a PRD chat.
         * @description Resumable by Last-Event-ID or after. The stream ends when no answer is under way. Needs ralph:read.
         */
        get: operations["prd.events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ralph/prd/sessions/{id}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the versions of a PRD, newest first.
         * @description Needs ralph:read.
         */
        get: operations["prd.versions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ralph/prd/sessions/{id}/versions/{n}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one version of a PRD.
         * @description Needs ralph:read.
         */
        get: operations["prd.version"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ralph/prd/sessions/{id}/prd": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Store a changed PRD as the next version.
         * @description Needs ralph:write.
         */
        put: operations["prd.put"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ralph/prd/sessions/{id}/versions/{n}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Store an earlier version of a PRD as the newest.
         * @description Needs ralph:write.
         */
        post: operations["prd.restore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ralph/prd/sessions/{id}/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start an autonomous run from a version of a PRD.
         * @description Needs ralph:write and tasks:write.
         */
        post: operations["prd.run"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/agent-card.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the agent card.
         * @description Needs any valid credential.
         */
        get: operations["a2a.card"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/agent.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the agent card.
         * @description Needs any valid credential.
         */
        get: operations["a2a.card_older"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mcp/tools/list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the tools that the caller may use.
         * @description Needs mcp:read or mcp:write.
         */
        get: operations["mcp.list_tools"];
        put?: never;
        /**
         * List the tools that the caller may use.
         * @description Needs mcp:read or mcp:write.
         */
        post: operations["mcp.list_tools_2"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mcp/tools/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Search tools by words, best first, like the tool search_tools.
         * @description Needs mcp:read or mcp:write.
         */
        post: operations["mcp.search_tools"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mcp/tools/schema": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the schemas of all tools, or of one with ?name=.
         * @description Needs mcp:read or mcp:write.
         */
        get: operations["mcp.tool_schema"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mcp/tools/call": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Call a tool; the result is the same as that of tools/call.
         * @description Needs mcp:write.
         */
        post: operations["mcp.call_tool"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/oauth-protected-resource": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the protected-resource metadata (RFC 9728).
         * @description Needs any valid credential.
         */
        get: operations["mcp.resource_metadata"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/oauth-protected-resource/mcp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the protected-resource metadata (RFC 9728).
         * @description Needs any valid credential.
         */
        get: operations["mcp.resource_metadata_2"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the OpenAPI 3.1 document of this service.
         * @description Needs any valid credential.
         */
        get: operations["docs.openapi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        ApiKey: {
            /** Format: uuid */
            id: string;
            name: string;
            prefix: string;
            scopes: string[];
            user_id: string;
            created_by: string;
            /** Format: date-time */
            created_at: string;
            expires_at: string | null;
            last_used_at: string | null;
            revoked_at: string | null;
        };
        Artifact: {
            artifact_id: string;
            name: string;
            mime_type: string;
            size: number;
            /** Format: date-time */
            created_at: string;
            text?: string;
            data?: unknown;
            bytes?: string;
            uri?: string;
        };
        ArtifactSummary: {
            artifact_id: string;
            name: string;
            mime_type: string;
            size: number;
            /** Format: date-time */
            created_at: string;
        };
        Assignment: {
            task: components["schemas"]["WorkerTask"];
            /** Format: uuid */
            lease_token: string;
            /** Format: date-time */
            lease_expires_at: string;
            codebase?: {
                codebase_id: string | "global";
                path: string;
                /** @enum {string} */
                workspace_mode: "worktree" | "in_place";
            };
            interventions?: {
                /** Format: uuid */
                id: string;
                /** Format: uuid */
                task_id: string;
                /** @enum {string} */
                action: "message" | "pause" | "resume" | "cancel";
                message?: string;
                message_id?: string;
            }[];
        };
        AttentionItem: {
            /** @enum {string} */
            kind: "task_question" | "run_question" | "approval" | "dead_delivery" | "run_failed" | "worker_gone" | "budget";
            id: string;
            title: string;
            about: {
                /** @enum {string} */
                kind: "task" | "run";
                id: string;
            } | null;
            text: string;
            options?: {
                value: string;
                label: string;
            }[];
            /** Format: date-time */
            asked_at: string;
            link: string;
        };
        AuditEvent: {
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            timestamp: string;
            actor: string;
            action: string;
            resource: string;
            /** @enum {string} */
            outcome: "success" | "failure" | "denied";
            metadata: {
                [key: string]: unknown;
            };
            ip: string | null;
            session_id: string | null;
            seq: number;
            tenant_id: string;
            prev_hash: string;
            hash: string;
        };
        AutomationTask: {
            /** Format: uuid */
            task_id: string;
            /** Format: uuid */
            run_id: string;
            /** @enum {string} */
            status: "queued" | "running" | "needs_input" | "completed" | "failed" | "cancelled";
            title: string;
            /** Format: date-time */
            created_at: string;
            /** @enum {string} */
            waiting_reason?: "no_codebase" | "no_worker_for_codebase" | "no_worker_with_capability" | "no_such_agent" | "no_such_worker" | "worker_offline" | "workers_busy" | "held_back" | "refused_by_worker" | "claimable";
            agent_type: string | null;
            model: string | null;
            priority: number;
            codebase_id: string | null;
            started_at: string | null;
            result_summary: string | null;
            runtime_seconds: number | null;
            completed_at: string | null;
            error: {
                code: string;
                message: string;
                /** Format: date-time */
                retry_at?: string;
            } | null;
        };
        Codebase: {
            codebase_id: string | "global";
            name: string;
            path: string;
            description: string;
            worker_id: string | null;
            /** @enum {string} */
            status: "active" | "unbound";
            /** @enum {string} */
            workspace_mode: "worktree" | "in_place";
            created_by: string;
            /** Format: date-time */
            created_at: string;
            bindings: {
                /** Format: uuid */
                worker_id: string;
                path: string;
            }[];
        };
        Delivery: {
            /** Format: uuid */
            delivery_id: string;
            /** @enum {string} */
            kind: "webhook" | "push";
            /** @enum {string} */
            status: "pending" | "delivered" | "dead";
            url: string;
            /** Format: date-time */
            created_at: string;
            attempts: {
                /** Format: date-time */
                at: string;
                status_code: number | null;
                error: string | null;
            }[];
        };
        Me: {
            subject: string;
            name: string;
            tenant_id: string;
            roles: ("admin" | "operator" | "editor" | "viewer" | "agent")[];
            scopes: string[] | null;
            /** @enum {string} */
            credential: "service_token" | "shared_token" | "api_key" | "session" | "access_token" | "service";
            permissions: string[];
            session: {
                /** Format: uuid */
                id: string;
                /** Format: date-time */
                expires_at: string;
            } | null;
        };
        MonitorAttention: {
            /** @enum {string} */
            kind: "task_question" | "run_question" | "approval" | "dead_delivery" | "run_failed" | "worker_gone" | "budget";
            id: string;
            /** @enum {string} */
            state: "open" | "closed";
            /** Format: date-time */
            at: string;
        };
        MonitorMessage: {
            /** Format: uuid */
            task_id: string;
            conversation_id: string | null;
            title: string;
            /** @enum {string} */
            role: "user" | "agent";
            seq: number;
            /** Format: date-time */
            at: string;
            text: string | null;
            truncated: boolean;
        };
        MonitorRun: {
            /** Format: uuid */
            run_id: string;
            project: string;
            /** @enum {string} */
            status: "pending" | "running" | "paused" | "needs_input" | "completed" | "failed" | "cancelled";
            /** Format: date-time */
            at: string;
        };
        MonitorStatus: {
            /** Format: uuid */
            task_id: string;
            conversation_id: string | null;
            codebase_id: string | null;
            title: string;
            /** @enum {string} */
            status: "pending" | "running" | "needs_input" | "completed" | "failed" | "cancelled";
            attempt: number;
            question_id: string | null;
            seq: number;
            /** Format: date-time */
            at: string;
            text: string | null;
            truncated: boolean;
        };
        MonitorWorker: {
            /** Format: uuid */
            worker_id: string;
            name: string;
            /** @enum {string} */
            status: "active" | "offline" | "unregistered";
            /** Format: date-time */
            at: string;
        };
        NewArtifact: {
            artifact_id?: string;
            name: string;
            /** @default text/plain */
            mime_type: string;
            text?: string;
            data?: unknown;
            bytes?: string;
            uri?: string;
            append?: boolean;
            last_chunk?: boolean;
        };
        Problem: {
            type: string;
            title: string;
            status: number;
            detail: string;
            code: string;
            request_id: string;
            errors?: {
                path: string;
                message: string;
            }[];
            expected?: number;
            /** Format: uuid */
            run_id?: string;
            /** Format: uuid */
            task_id?: string;
        };
        Session: {
            session_id: string;
            codebase_id: string | "global";
            worker_id: string | null;
            title: string;
            agent: string | null;
            started_at: string | null;
            /** Format: date-time */
            last_activity_at: string;
            message_count: number;
            tool_usage: {
                [key: string]: number;
            };
            metadata: {
                [key: string]: unknown;
            };
        };
        SessionMessage: {
            message_id: string;
            role: string;
            summary: string;
            /** Format: date-time */
            at: string;
            tool_usage: {
                [key: string]: number;
            };
        };
        SignInSession: {
            /** Format: uuid */
            session_id: string;
            user_id: string;
            name: string;
            created_by: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            expires_at: string;
            last_used_at: string | null;
            current: boolean;
        };
        Task: {
            /** Format: uuid */
            id: string;
            title: string;
            prompt: string;
            /** @enum {string} */
            status: "pending" | "running" | "needs_input" | "completed" | "failed" | "cancelled";
            /** @enum {string} */
            waiting_reason?: "no_codebase" | "no_worker_for_codebase" | "no_worker_with_capability" | "no_such_agent" | "no_such_worker" | "worker_offline" | "workers_busy" | "held_back" | "refused_by_worker" | "claimable";
            agent_type: string | null;
            model: string | null;
            priority: number;
            codebase_id: string | null;
            worker_id: string | null;
            target_agent: string | null;
            target_worker_id: string | null;
            required_capabilities: string[];
            conversation_id: string | null;
            created_by: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            started_at: string | null;
            completed_at: string | null;
            /** Format: uuid */
            run_id: string;
            attempt: number;
            max_attempts: number;
            deadline_at: string | null;
            webhook_url: string | null;
            result: string | null;
            error: {
                code: string;
                message: string;
                /** Format: date-time */
                retry_at?: string;
            } | null;
            usage: {
                input_tokens?: number;
                output_tokens?: number;
                cached_tokens?: number;
                cost_usd?: number;
                duration_ms?: number;
                /** @enum {string} */
                cost_source?: "agent" | "table" | "none";
            } | null;
            retry_of: string | null;
            metadata: {
                [key: string]: unknown;
            };
            step?: {
                /** Format: uuid */
                run_id: string;
                story_id: string | null;
                n: number;
                /** @enum {string} */
                kind: "prepare" | "implement" | "check" | "judge" | "land" | "resolve" | "diagnose" | "publish";
            };
            question: {
                question_id: string;
                /** @enum {string} */
                kind: "question" | "permission";
                text: string;
                options: {
                    value: string;
                    label: string;
                }[];
                context: {
                    [key: string]: unknown;
                } | null;
                /** Format: date-time */
                asked_at: string;
            } | null;
            /** Format: date-time */
            last_event_at: string;
            last_output: {
                /** Format: date-time */
                at: string;
                text: string;
            } | null;
            lease_expires_at: string | null;
            paused_at: string | null;
            changes: {
                files: number;
                added: number;
                removed: number;
            } | null;
            follows: string | null;
            trace_id?: string;
        };
        TaskEvent: {
            seq: number;
            /** Format: date-time */
            at: string;
            /** @constant */
            type: "status";
            data: {
                /** @enum {string} */
                status: "pending" | "running" | "needs_input" | "completed" | "failed" | "cancelled";
                final: boolean;
                /** Format: uuid */
                run_id?: string;
                /** Format: uuid */
                worker_id?: string;
                attempt?: number;
                reason?: string;
                result?: string | null;
                error?: {
                    code: string;
                    message: string;
                    /** Format: date-time */
                    retry_at?: string;
                } | null;
                usage?: {
                    input_tokens?: number;
                    output_tokens?: number;
                    cached_tokens?: number;
                    cost_usd?: number;
                    duration_ms?: number;
                    /** @enum {string} */
                    cost_source?: "agent" | "table" | "none";
                } | null;
                question?: string;
                question_id?: string;
            };
        } | {
            seq: number;
            /** Format: date-time */
            at: string;
            /** @constant */
            type: "output";
            data: {
                /** @enum {string} */
                stream: "stdout" | "stderr" | "agent";
                text: string;
            };
        } | {
            seq: number;
            /** Format: date-time */
            at: string;
            /** @constant */
            type: "progress";
            data: {
                percent?: number;
                message?: string;
            };
        } | {
            seq: number;
            /** Format: date-time */
            at: string;
            /** @constant */
            type: "message";
            data: {
                message_id: string;
                /** @enum {string} */
                role: "user" | "agent";
                parts: ({
                    text: string;
                    metadata?: {
                        [key: string]: unknown;
                    };
                } | {
                    data: unknown;
                    metadata?: {
                        [key: string]: unknown;
                    };
                } | {
                    file: {
                        name?: string;
                        mime_type?: string;
                        bytes?: string;
                        uri?: string;
                    };
                    metadata?: {
                        [key: string]: unknown;
                    };
                })[];
                by?: string;
            };
        } | {
            seq: number;
            /** Format: date-time */
            at: string;
            /** @constant */
            type: "artifact";
            data: {
                artifact_id: string;
                name: string;
                mime_type: string;
                text?: string;
                data?: unknown;
                bytes?: string;
                uri?: string;
                append?: boolean;
                last_chunk?: boolean;
            };
        } | {
            seq: number;
            /** Format: date-time */
            at: string;
            /** @constant */
            type: "checkpoint";
            data: {
                data: unknown;
            };
        } | {
            seq: number;
            /** Format: date-time */
            at: string;
            /** @constant */
            type: "intervention";
            data: {
                /** Format: uuid */
                intervention_id: string;
                /** @enum {string} */
                action: "message" | "pause" | "resume" | "cancel";
                /** @enum {string} */
                status: "delivered" | "failed";
                reason?: string;
            };
        };
        TaskMessage: {
            message_id: string;
            /** @enum {string} */
            role: "user" | "agent";
            parts: ({
                text: string;
                metadata?: {
                    [key: string]: unknown;
                };
            } | {
                data: unknown;
                metadata?: {
                    [key: string]: unknown;
                };
            } | {
                file: {
                    name?: string;
                    mime_type?: string;
                    bytes?: string;
                    uri?: string;
                };
                metadata?: {
                    [key: string]: unknown;
                };
            })[];
            /** Format: date-time */
            at: string;
        };
        Tenant: {
            tenant_id: string;
            name: string;
            /** Format: date-time */
            created_at: string;
        };
        Thread: {
            id: string;
            title: string;
            participants: string[];
            last_message: {
                text: string;
                /** Format: date-time */
                at: string;
            };
            open_tasks: number;
        };
        User: {
            user_id: string;
            name: string;
            roles: ("admin" | "operator" | "editor" | "viewer" | "agent")[];
            /** @enum {string} */
            status: "active" | "disabled";
            /** @enum {string} */
            source: "admin" | "provider";
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        Worker: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            worker_id: string;
            name: string;
            /** @enum {string} */
            status: "active" | "offline" | "unregistered";
            capabilities: string[];
            hostname: string;
            version: string;
            agents: string[];
            models: string[];
            slots: number;
            running: number;
            codebases: (string | "global")[];
            /** Format: date-time */
            registered_at: string;
            /** Format: date-time */
            last_heartbeat: string;
            tasks_completed: number;
            drained_at: string | null;
            agents_missing: {
                name: string;
                reason: string;
            }[];
            disk_free: number | null;
            os: string;
        };
        WorkerEvent: {
            /** @constant */
            type: "output";
            n: number;
            /** @enum {string} */
            stream: "stdout" | "stderr" | "agent";
            text: string;
        } | {
            /** @constant */
            type: "progress";
            n: number;
            percent?: number;
            message?: string;
        } | {
            /** @constant */
            type: "message";
            n: number;
            /** @constant */
            role: "agent";
            parts: ({
                text: string;
                metadata?: {
                    [key: string]: unknown;
                };
            } | {
                data: unknown;
                metadata?: {
                    [key: string]: unknown;
                };
            } | {
                file: {
                    name?: string;
                    mime_type?: string;
                    bytes?: string;
                    uri?: string;
                };
                metadata?: {
                    [key: string]: unknown;
                };
            })[];
        } | {
            /** @constant */
            type: "artifact";
            n: number;
            artifact_id?: string;
            name: string;
            /** @default text/plain */
            mime_type: string;
            text?: string;
            data?: unknown;
            bytes?: string;
            uri?: string;
            append?: boolean;
            last_chunk?: boolean;
        } | {
            /** @constant */
            type: "checkpoint";
            n: number;
            data: unknown;
        } | {
            /** @constant */
            type: "intervention";
            n: number;
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            action: "message" | "pause" | "resume" | "cancel";
            /** @enum {string} */
            status: "delivered" | "failed";
            reason?: string;
        };
        WorkerTask: {
            /** Format: uuid */
            id: string;
            title: string;
            prompt: string;
            /** @enum {string} */
            status: "pending" | "running" | "needs_input" | "completed" | "failed" | "cancelled";
            /** @enum {string} */
            waiting_reason?: "no_codebase" | "no_worker_for_codebase" | "no_worker_with_capability" | "no_such_agent" | "no_such_worker" | "worker_offline" | "workers_busy" | "held_back" | "refused_by_worker" | "claimable";
            agent_type: string | null;
            model: string | null;
            priority: number;
            codebase_id: string | null;
            worker_id: string | null;
            target_agent: string | null;
            target_worker_id: string | null;
            required_capabilities: string[];
            conversation_id: string | null;
            created_by: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            started_at: string | null;
            completed_at: string | null;
            /** Format: uuid */
            run_id: string;
            attempt: number;
            max_attempts: number;
            deadline_at: string | null;
            webhook_url: string | null;
            result: string | null;
            error: {
                code: string;
                message: string;
                /** Format: date-time */
                retry_at?: string;
            } | null;
            usage: {
                input_tokens?: number;
                output_tokens?: number;
                cached_tokens?: number;
                cost_usd?: number;
                duration_ms?: number;
                /** @enum {string} */
                cost_source?: "agent" | "table" | "none";
            } | null;
            retry_of: string | null;
            metadata: {
                [key: string]: unknown;
            };
            step?: {
                /** @enum {string} */
                kind: "prepare" | "implement" | "check" | "judge" | "land" | "resolve" | "diagnose" | "publish";
                /** Format: uuid */
                run_id: string;
                story_id: string | null;
                n: number;
                /** Format: date-time */
                created_at: string;
                base: string;
                run_base: string;
                branch: string;
                /** @enum {string} */
                branch_policy: "new" | "continue";
                fetch: ({
                    /** Format: uuid */
                    task_id: string;
                    artifact_id: string;
                    commit: string;
                } | {
                    /** Format: uuid */
                    run_id: string;
                    commit: string;
                })[];
                keep_ref: string;
                setup: string[] | null;
                copy: string[];
                gates: {
                    id: string;
                    command: string;
                    script: string | null;
                    /** @enum {string} */
                    source: "declared" | "detected";
                    required: boolean;
                    timeout_seconds: number | null;
                    network: boolean | null;
                }[] | null;
                checks: {
                    story_id: string;
                    criterion: number | null;
                    command: string;
                }[];
                hashes: {
                    [key: string]: string;
                };
                protect: string[];
                allow_test_changes: boolean | string[];
                strict: boolean;
                baseline: {
                    gate_id: string | null;
                    criterion: number | null;
                    command: string;
                    exit_code: number | null;
                    passed: boolean;
                    flaky: boolean;
                    timed_out: boolean;
                    seconds: number;
                    counts?: {
                        passed: number;
                        failed: number;
                        skipped: number;
                    };
                    tail: string;
                    /** @enum {string} */
                    before?: "failed" | "passed" | "unknown";
                }[];
                checks_before: {
                    story_id: string;
                    criterion: number | null;
                    command: string;
                    passed: boolean;
                }[];
                progress: string;
                commit_progress: boolean;
                timeout_seconds: number | null;
                bundle_max_bytes: number;
                candidate: string | null;
                head: string | null;
                old_head: string | null;
                commit: {
                    subject: string;
                    body: string;
                    run_id: string;
                    story_id: string;
                    iteration: number;
                    task_id: string;
                } | null;
                criteria: {
                    index: number;
                    text: string;
                }[];
                implementer: string | null;
                last: boolean;
                merge_into: string | null;
            };
            messages: components["schemas"]["TaskMessage"][];
            checkpoint?: {
                data: unknown;
                /** Format: date-time */
                at: string;
            };
            traceparent?: string;
        };
    };
    responses: {
        /** @description Bad Request */
        refused400: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Unauthorized */
        refused401: {
            headers: {
                /** @description How to authenticate. */
                "WWW-Authenticate"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Forbidden */
        refused403: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Not Found */
        refused404: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Conflict */
        refused409: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Payload Too Large */
        refused413: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Unsupported Media Type */
        refused415: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Unprocessable Entity */
        refused422: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Too Many Requests */
        refused429: {
            headers: {
                /** @description Seconds to wait. */
                "Retry-After"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Internal Server Error */
        refused500: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Service Unavailable */
        refused503: {
            headers: {
                /** @description Seconds to wait. */
                "Retry-After"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    "tasks.list": {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                status?: ("pending" | "running" | "needs_input" | "completed" | "failed" | "cancelled") | ("pending" | "running" | "needs_input" | "completed" | "failed" | "cancelled")[];
                ids?: string | string[];
                codebase_id?: string;
                worker_id?: string;
                agent_type?: string;
                target_agent?: string;
                conversation_id?: string;
                created_by?: string;
                error_code?: string;
                retry_of?: string;
                follows?: string;
                q?: string;
                created_after?: string;
                created_before?: string;
                ended_after?: string;
                ended_before?: string;
                deadline_before?: string;
                silent_since?: string;
                paused?: boolean;
                attempt_min?: number;
                steps?: boolean;
                ralph_run_id?: string;
                sort?: "created" | "updated" | "priority";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List tasks, newest first or by another order. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        tasks: components["schemas"]["Task"][];
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "tasks.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating a request with the same key creates no second task: the first answer is returned again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    title: string;
                    prompt: string;
                    codebase_id?: string;
                    /** @default 0 */
                    priority?: number;
                    agent_type?: string;
                    model?: string;
                    /** @default [] */
                    required_capabilities?: string[];
                    target_agent?: string;
                    /** Format: uuid */
                    target_worker_id?: string;
                    /** Format: date-time */
                    deadline_at?: string;
                    max_attempts?: number;
                    conversation_id?: string;
                    /** @default {} */
                    metadata?: {
                        [key: string]: unknown;
                    };
                    /** Format: uri */
                    webhook_url?: string;
                };
            };
        };
        responses: {
            /** @description Create a task. */
            201: {
                headers: {
                    /** @description true when the task was created by an earlier request. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        task: components["schemas"]["Task"];
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            409: components["responses"]["refused409"];
            413: components["responses"]["refused413"];
            415: components["responses"]["refused415"];
            422: components["responses"]["refused422"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "tasks.create_in_codebase": {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating a request with the same key creates no second task: the first answer is returned again. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string | "global";
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    title: string;
                    prompt: string;
                    /** @default 0 */
                    priority?: number;
                    agent_type?: string;
                    model?: string;
                    /** @default [] */
                    required_capabilities?: string[];
                    target_agent?: string;
                    /** Format: uuid */
                    target_worker_id?: string;
                    /** Format: date-time */
                    deadline_at?: string;
                    max_attempts?: number;
                    conversation_id?: string;
                    /** @default {} */
                    metadata?: {
                        [key: string]: unknown;
                    };
                    /** Format: uri */
                    webhook_url?: string;
                };
            };
        };
        responses: {
            /** @description Create a task for a codebase. */
            201: {
                headers: {
                    /** @description true when the task was created by an earlier request. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        task: components["schemas"]["Task"];
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            409: components["responses"]["refused409"];
            413: components["responses"]["refused413"];
            415: components["responses"]["refused415"];
            422: components["responses"]["refused422"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "tasks.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Get a task. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        task: components["schemas"]["Task"];
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "tasks.update": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    priority?: number;
                    deadline_at?: string | null;
                    title?: string;
                };
            };
        };
        responses: {
            /** @description Change priority, deadline or title of a pending task. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        task: components["schemas"]["Task"];
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            409: components["responses"]["refused409"];
            413: components["responses"]["refused413"];
            415: components["responses"]["refused415"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "tasks.cancel": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description Cancel an unfinished task. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        task: components["schemas"]["Task"];
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            409: components["responses"]["refused409"];
            413: components["responses"]["refused413"];
            415: components["responses"]["refused415"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "tasks.retry": {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating a request with the same key creates no second task: the first answer is returned again. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Retry a finished task as a new task. */
            201: {
                headers: {
                    /** @description true when the task was created by an earlier request. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        task: components["schemas"]["Task"];
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            409: components["responses"]["refused409"];
            413: components["responses"]["refused413"];
            415: components["responses"]["refused415"];
            422: components["responses"]["refused422"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "tasks.input": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    message?: string;
                    option?: string;
                    question_id?: string;
                };
            };
        };
        responses: {
            /** @description Answer the question of a task that needs input. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        task: components["schemas"]["Task"];
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            409: components["responses"]["refused409"];
            413: components["responses"]["refused413"];
            415: components["responses"]["refused415"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "tasks.events": {
        parameters: {
            query?: {
                after?: number;
                before?: number;
                tail?: number;
                types?: string;
                limit?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List or stream the events of a task. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        events: components["schemas"]["TaskEvent"][];
                        next: number;
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "tasks.artifact": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                artifact_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Get an artifact with its content. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        artifact: components["schemas"]["Artifact"];
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "tasks.why": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Explain why a task waits, worker by worker. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        reason: ("no_codebase" | "no_worker_for_codebase" | "no_worker_with_capability" | "no_such_agent" | "no_such_worker" | "worker_offline" | "workers_busy" | "held_back" | "refused_by_worker" | "claimable") | null;
                        ahead: number;
                        workers: {
                            /** Format: uuid */
                            worker_id: string;
                            name: string;
                            can: boolean;
                            because: ("not_targeted" | "no_codebase" | "no_capability" | "offline_since" | "slots_full" | "held_back_until") | null;
                            at: string | null;
                        }[];
                        remedy: string;
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "tasks.why_draft": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    title?: string;
                    prompt?: string;
                    codebase_id?: string;
                    /** @default 0 */
                    priority?: number;
                    agent_type?: string;
                    model?: string;
                    /** @default [] */
                    required_capabilities?: string[];
                    target_agent?: string;
                    /** Format: uuid */
                    target_worker_id?: string;
                    /** Format: date-time */
                    deadline_at?: string;
                    max_attempts?: number;
                    conversation_id?: string;
                    /** @default {} */
                    metadata?: {
                        [key: string]: unknown;
                    };
                    /** Format: uri */
                    webhook_url?: string;
                };
            };
        };
        responses: {
            /** @description Explain whether a worker could take a new task. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        reason: ("no_codebase" | "no_worker_for_codebase" | "no_worker_with_capability" | "no_such_agent" | "no_such_worker" | "worker_offline" | "workers_busy" | "held_back" | "refused_by_worker" | "claimable") | null;
                        ahead: number;
                        workers: {
                            /** Format: uuid */
                            worker_id: string;
                            name: string;
                            can: boolean;
                            because: ("not_targeted" | "no_codebase" | "no_capability" | "offline_since" | "slots_full" | "held_back_until") | null;
                            at: string | null;
                        }[];
                        remedy: string;
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            409: components["responses"]["refused409"];
            413: components["responses"]["refused413"];
            415: components["responses"]["refused415"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "tasks.bulk": {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating a request with the same key creates no second task: the first answer is returned again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    action: "cancel" | "retry" | "priority";
                    ids?: string[];
                    filter?: {
                        status?: string | string[];
                        ids?: string | string[];
                        codebase_id?: string;
                        /** Format: uuid */
                        worker_id?: string;
                        agent_type?: string;
                        target_agent?: string;
                        conversation_id?: string;
                        created_by?: string;
                        error_code?: string;
                        /** Format: uuid */
                        retry_of?: string;
                        /** Format: uuid */
                        follows?: string;
                        q?: string;
                        /** Format: date-time */
                        created_after?: string;
                        /** Format: date-time */
                        created_before?: string;
                        /** Format: date-time */
                        ended_after?: string;
                        /** Format: date-time */
                        ended_before?: string;
                        /** Format: date-time */
                        deadline_before?: string;
                        /** Format: date-time */
                        silent_since?: string;
                        paused?: boolean;
                        attempt_min?: number;
                        /** @default false */
                        steps?: boolean;
                        /** Format: uuid */
                        ralph_run_id?: string;
                    };
                    priority?: number;
                    /** @default false */
                    dry_run?: boolean;
                    cursor?: string;
                };
            };
        };
        responses: {
            /** @description Cancel, retry or prioritize many tasks. */
            200: {
                headers: {
                    /** @description true when the task was created by an earlier request. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        matched: number;
                        results: {
                            /** Format: uuid */
                            id: string;
                            ok: boolean;
                            code?: string;
                            /** Format: uuid */
                            task_id?: string;
                        }[];
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            409: components["responses"]["refused409"];
            413: components["responses"]["refused413"];
            415: components["responses"]["refused415"];
            422: components["responses"]["refused422"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "tasks.output": {
        parameters: {
            query?: {
                after?: number;
                before?: number;
                tail?: number;
                line?: number;
                q?: string;
                run_id?: string;
                limit?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Get the output that the agent printed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        task_id: string;
                        output: {
                            seq: number;
                            /** @enum {string} */
                            stream: "stdout" | "stderr" | "agent";
                            text: string;
                        }[];
                        next: number;
                        first_line: number;
                    } | {
                        /** Format: uuid */
                        task_id: string;
                        hits: {
                            seq: number;
                            line: number;
                            text: string;
                        }[];
                        next: number | null;
                        first_line: number;
                    } | string;
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "tasks.attempts": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the attempts of a task, oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        attempts: {
                            /** Format: uuid */
                            run_id: string;
                            attempt: number;
                            /** Format: uuid */
                            worker_id: string;
                            /** Format: date-time */
                            started_at: string;
                            ended_at: string | null;
                            outcome: (("pending" | "running" | "needs_input" | "completed" | "failed" | "cancelled") | "lease_lost") | null;
                            error: {
                                code: string;
                                message: string;
                                /** Format: date-time */
                                retry_at?: string;
                            } | null;
                            usage: {
                                input_tokens?: number;
                                output_tokens?: number;
                                cached_tokens?: number;
                                cost_usd?: number;
                                duration_ms?: number;
                                /** @enum {string} */
                                cost_source?: "agent" | "table" | "none";
                            } | null;
                        }[];
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "tasks.artifacts": {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                run_id?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the artifacts of a task, oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        artifacts: components["schemas"]["ArtifactSummary"][];
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "tasks.changes": {
        parameters: {
            query?: {
                run_id?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the files that a task changed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        files: {
                            path: string;
                            old_path?: string;
                            /** @enum {string} */
                            status: "added" | "modified" | "deleted" | "renamed";
                            added: number;
                            removed: number;
                            hash: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "tasks.file_change": {
        parameters: {
            query: {
                run_id?: string;
                path: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Get the patch of one file that a task changed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/x-diff": string;
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "tasks.get_review": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Get your draft of a review of a task. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        review: {
                            comments: {
                                path?: string;
                                /** @enum {string} */
                                side?: "new" | "old";
                                line?: number;
                                end_line?: number;
                                quote?: string;
                                text: string;
                            }[];
                            viewed: string[];
                            updated_at: string | null;
                        };
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "tasks.save_review": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    comments: {
                        path?: string;
                        /** @enum {string} */
                        side?: "new" | "old";
                        line?: number;
                        end_line?: number;
                        quote?: string;
                        text: string;
                    }[];
                    viewed?: string[];
                };
            };
        };
        responses: {
            /** @description Save your draft of a review of a task. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        review: {
                            comments: {
                                path?: string;
                                /** @enum {string} */
                                side?: "new" | "old";
                                line?: number;
                                end_line?: number;
                                quote?: string;
                                text: string;
                            }[];
                            viewed: string[];
                            updated_at: string | null;
                        };
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            409: components["responses"]["refused409"];
            413: components["responses"]["refused413"];
            415: components["responses"]["refused415"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "tasks.follow_up": {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating a request with the same key creates no second task: the first answer is returned again. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    message?: string;
                    /** @default [] */
                    comments?: {
                        path?: string;
                        /** @enum {string} */
                        side?: "new" | "old";
                        line?: number;
                        end_line?: number;
                        quote?: string;
                        text: string;
                    }[];
                    agent?: string;
                    /** Format: uuid */
                    worker?: string;
                };
            };
        };
        responses: {
            /** @description Send the comments of a review to the agent. */
            201: {
                headers: {
                    /** @description true when the task was created by an earlier request. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        task: components["schemas"]["Task"];
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            409: components["responses"]["refused409"];
            413: components["responses"]["refused413"];
            415: components["responses"]["refused415"];
            422: components["responses"]["refused422"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "codebases.list": {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                worker_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List codebases. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        codebases: components["schemas"]["Codebase"][];
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "codebases.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating a request with the same key creates no second task: the first answer is returned again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    codebase_id?: string;
                    name: string;
                    path: string;
                    /** @default  */
                    description?: string;
                    /** Format: uuid */
                    worker_id?: string;
                    /** @enum {string} */
                    workspace_mode?: "worktree" | "in_place";
                };
            };
        };
        responses: {
            /** @description Register a codebase. */
            201: {
                headers: {
                    /** @description true when the task was created by an earlier request. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        codebase: components["schemas"]["Codebase"];
                    };
                };
            };
            /** @description Register a codebase. */
            202: {
                headers: {
                    /** @description true when the task was created by an earlier request. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        pending: true;
                        /** Format: uuid */
                        task_id: string;
                        message: string;
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            409: components["responses"]["refused409"];
            413: components["responses"]["refused413"];
            415: components["responses"]["refused415"];
            422: components["responses"]["refused422"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "codebases.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string | "global";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Get a codebase. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        codebase: components["schemas"]["Codebase"];
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "codebases.delete": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string | "global";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Unregister a codebase. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        codebase: components["schemas"]["Codebase"];
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            409: components["responses"]["refused409"];
            413: components["responses"]["refused413"];
            415: components["responses"]["refused415"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "codebases.trigger": {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating a request with the same key creates no second task: the first answer is returned again. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string | "global";
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    prompt: string;
                    agent?: string;
                    title?: string;
                    /** @default 0 */
                    priority?: number;
                    agent_type?: string;
                    model?: string;
                    /** @default [] */
                    required_capabilities?: string[];
                    target_agent?: string;
                    /** Format: uuid */
                    target_worker_id?: string;
                    /** Format: date-time */
                    deadline_at?: string;
                    max_attempts?: number;
                    conversation_id?: string;
                    /** @default {} */
                    metadata?: {
                        [key: string]: unknown;
                    };
                    /** Format: uri */
                    webhook_url?: string;
                };
            };
        };
        responses: {
            /** @description Start an agent in a codebase. */
            202: {
                headers: {
                    /** @description true when the task was created by an earlier request. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        task_id: string;
                        /** Format: uuid */
                        run_id: string;
                        session_id: string;
                        /** @enum {string} */
                        status: "pending" | "running" | "needs_input" | "completed" | "failed" | "cancelled";
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            409: components["responses"]["refused409"];
            413: components["responses"]["refused413"];
            415: components["responses"]["refused415"];
            422: components["responses"]["refused422"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "sessions.list": {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                q?: string;
            };
            header?: never;
            path: {
                id: string | "global";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the agent sessions in a codebase. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        sessions: components["schemas"]["Session"][];
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "sessions.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string | "global";
                sid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Get a session. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        session: components["schemas"]["Session"];
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "sessions.messages": {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path: {
                id: string | "global";
                sid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the message summaries of a session. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        messages: components["schemas"]["SessionMessage"][];
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "sessions.resume": {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating a request with the same key creates no second task: the first answer is returned again. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string | "global";
                sid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    prompt: string;
                    /** @default 0 */
                    priority?: number;
                    agent_type?: string;
                    model?: string;
                    /** @default [] */
                    required_capabilities?: string[];
                    target_agent?: string;
                    /** Format: uuid */
                    target_worker_id?: string;
                    /** Format: date-time */
                    deadline_at?: string;
                    max_attempts?: number;
                    conversation_id?: string;
                    /** @default {} */
                    metadata?: {
                        [key: string]: unknown;
                    };
                    /** Format: uri */
                    webhook_url?: string;
                };
            };
        };
        responses: {
            /** @description Resume a session in a new task. */
            201: {
                headers: {
                    /** @description true when the task was created by an earlier request. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        task: components["schemas"]["Task"];
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            409: components["responses"]["refused409"];
            413: components["responses"]["refused413"];
            415: components["responses"]["refused415"];
            422: components["responses"]["refused422"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "workers.register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    /** @default [] */
                    capabilities?: string[];
                    /** @default  */
                    hostname?: string;
                    /** @default  */
                    version?: string;
                    /** @default [] */
                    agents?: string[];
                    /** @default [] */
                    models?: string[];
                    /** @default 1 */
                    slots?: number;
                    codebase_roots?: string[];
                    /** @default [] */
                    agents_missing?: {
                        name: string;
                        reason: string;
                    }[];
                    disk_free?: number;
                    /** @default  */
                    os?: string;
                    /** @default [] */
                    codebases?: {
                        codebase_id?: string | "global";
                        name: string;
                        path: string;
                        /** @default  */
                        description?: string;
                        /** @default false */
                        exclusive?: boolean;
                        /** @enum {string} */
                        workspace_mode?: "worktree" | "in_place";
                    }[];
                };
            };
        };
        responses: {
            /** @description Register a worker and its codebases. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        worker: components["schemas"]["Worker"];
                        codebases: components["schemas"]["Codebase"][];
                        lease_seconds: number;
                        heartbeat_seconds: number;
                        route_keys?: string[];
                        features?: string[];
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            409: components["responses"]["refused409"];
            413: components["responses"]["refused413"];
            415: components["responses"]["refused415"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "workers.heartbeat": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @default [] */
                    running?: {
                        /** Format: uuid */
                        task_id: string;
                        lease_token: string;
                    }[];
                    slots_free?: number;
                };
            };
        };
        responses: {
            /** @description Renew all leases of a worker. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        renewed: {
                            /** Format: uuid */
                            task_id: string;
                            /** Format: date-time */
                            lease_expires_at: string;
                        }[];
                        lost: string[];
                        cancel: string[];
                        interventions: {
                            /** Format: uuid */
                            id: string;
                            /** Format: uuid */
                            task_id: string;
                            /** @enum {string} */
                            action: "message" | "pause" | "resume" | "cancel";
                            message?: string;
                            message_id?: string;
                        }[];
                        tasks_waiting: boolean;
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            409: components["responses"]["refused409"];
            413: components["responses"]["refused413"];
            415: components["responses"]["refused415"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "workers.unregister": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Unregister a worker. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        worker: components["schemas"]["Worker"];
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            409: components["responses"]["refused409"];
            413: components["responses"]["refused413"];
            415: components["responses"]["refused415"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "workers.drain": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Drain a worker: give it no more tasks. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        worker: components["schemas"]["Worker"];
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            409: components["responses"]["refused409"];
            413: components["responses"]["refused413"];
            415: components["responses"]["refused415"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "workers.stream": {
        parameters: {
            query: {
                worker_id: string;
                slots?: number;
                heartbeat_seconds?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Open the push channel of a worker. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "workers.claim": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: uuid */
                    worker_id: string;
                    /** Format: uuid */
                    task_id?: string;
                    /** @default 1 */
                    limit?: number;
                    /** @default false */
                    unseen?: boolean;
                };
            };
        };
        responses: {
            /** @description Claim pending tasks under leases. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        tasks: components["schemas"]["Assignment"][];
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            409: components["responses"]["refused409"];
            413: components["responses"]["refused413"];
            415: components["responses"]["refused415"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "workers.events": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    lease_token: string;
                    events: components["schemas"]["WorkerEvent"][];
                };
            };
        };
        responses: {
            /** @description Report events of an attempt, under its lease. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        seq: number;
                        cancel_requested: boolean;
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            409: components["responses"]["refused409"];
            413: components["responses"]["refused413"];
            415: components["responses"]["refused415"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "workers.release": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    lease_token: string;
                    /** @enum {string} */
                    status: "completed" | "failed" | "cancelled" | "needs_input" | "pending";
                    result?: string | {
                        [key: string]: unknown;
                    };
                    error?: {
                        code: string;
                        message: string;
                        /** Format: date-time */
                        retry_at?: string;
                    };
                    message?: {
                        text: string;
                        options?: {
                            value: string;
                            label?: string;
                        }[];
                        /** @enum {string} */
                        kind?: "question" | "permission";
                        context?: {
                            [key: string]: unknown;
                        };
                    };
                    /** @default [] */
                    artifacts?: components["schemas"]["NewArtifact"][];
                    usage?: {
                        input_tokens?: number;
                        output_tokens?: number;
                        cached_tokens?: number;
                        cost_usd?: number;
                        duration_ms?: number;
                        /** @enum {string} */
                        cost_source?: "agent" | "table" | "none";
                    };
                };
            };
        };
        responses: {
            /** @description Release a task: end its attempt. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        task_id: string;
                        status: string;
                        seq: number;
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            409: components["responses"]["refused409"];
            413: components["responses"]["refused413"];
            415: components["responses"]["refused415"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "workers.list": {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                status?: "active" | "offline" | "unregistered";
                capability?: string;
                codebase_id?: string | "global";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List registered workers. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        workers: components["schemas"]["Worker"][];
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "workers.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Get a worker. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        worker: components["schemas"]["Worker"];
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "sessions.sync": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string | "global";
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: uuid */
                    worker_id: string;
                    sessions: {
                        session_id: string;
                        /** @default  */
                        title?: string;
                        agent?: string;
                        /** Format: date-time */
                        started_at?: string;
                        /** Format: date-time */
                        last_activity_at?: string;
                        /** @default 0 */
                        message_count?: number;
                        /** @default {} */
                        tool_usage?: {
                            [key: string]: number;
                        };
                        /** @default {} */
                        metadata?: {
                            [key: string]: unknown;
                        };
                    }[];
                };
            };
        };
        responses: {
            /** @description Synchronize the agent sessions of a worker. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        synced: number;
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            409: components["responses"]["refused409"];
            413: components["responses"]["refused413"];
            415: components["responses"]["refused415"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "sessions.sync_messages": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string | "global";
                sid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: uuid */
                    worker_id: string;
                    messages: {
                        message_id: string;
                        role: string;
                        /** @default  */
                        summary?: string;
                        /** Format: date-time */
                        at?: string;
                        /** @default {} */
                        tool_usage?: {
                            [key: string]: number;
                        };
                    }[];
                };
            };
        };
        responses: {
            /** @description Synchronize the messages of a session. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        synced: number;
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            409: components["responses"]["refused409"];
            413: components["responses"]["refused413"];
            415: components["responses"]["refused415"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "monitor.workers": {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List registered workers in short form. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        workers: {
                            id: string;
                            name: string;
                            /** @enum {string} */
                            status: "active" | "offline" | "unregistered";
                            /** Format: date-time */
                            last_heartbeat: string;
                            codebases: number;
                            tasks_completed: number;
                        }[];
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "monitor.stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Count tasks, workers and codebases. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        tasks: {
                            pending: number;
                            running: number;
                            needs_input: number;
                            completed: number;
                            failed: number;
                            cancelled: number;
                        };
                        workers: {
                            active: number;
                            offline: number;
                            slots: number;
                            busy: number;
                        };
                        codebases: number;
                        oldest_pending_seconds: number | null;
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "monitor.usage": {
        parameters: {
            query?: {
                from?: string;
                to?: string;
                group_by?: "day" | "model" | "agent" | "agent_type" | "codebase" | "created_by" | "worker" | "ralph_run";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Get usage of finished tasks by day or group. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        usage: {
                            key: string | null;
                            label: string;
                            tasks: number;
                            completed: number;
                            failed: number;
                            retried: number;
                            first_attempt: number;
                            median_seconds: number | null;
                            input_tokens: number;
                            output_tokens: number;
                            cached_tokens: number;
                            cost_usd: number | null;
                            unpriced_tasks: number;
                        }[];
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "monitor.history": {
        parameters: {
            query?: {
                from?: string;
                to?: string;
                step?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Get the queue over time, in steps. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        points: {
                            /** Format: date-time */
                            at: string;
                            queued: number;
                            running: number;
                            ended: {
                                completed: number;
                                failed: number;
                                cancelled: number;
                            };
                            wait: {
                                p50: number | null;
                                p95: number | null;
                            };
                            run: {
                                p50: number | null;
                                p95: number | null;
                            };
                        }[];
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "monitor.service_health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Get the health of every part, with reasons. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        status: "ok" | "degraded";
                        reasons: string[];
                        replica: string;
                        replicas: {
                            name: string;
                            version: string;
                            host: string;
                            /** Format: date-time */
                            started_at: string;
                            /** Format: date-time */
                            last_seen_at: string;
                            /** @enum {string} */
                            status: "ok" | "degraded";
                            reasons: string[];
                        }[];
                        store: {
                            /** @enum {string} */
                            status: "ok" | "degraded" | "off";
                            reason: string | null;
                        };
                        broker: {
                            /** @enum {string} */
                            status: "ok" | "degraded" | "off";
                            reason: string | null;
                        };
                        policy: {
                            /** @enum {string} */
                            status: "ok" | "degraded" | "off";
                            reason: string | null;
                        };
                        sandbox: {
                            /** @enum {string} */
                            status: "ok" | "degraded" | "off";
                            reason: string | null;
                        };
                        audit: {
                            /** @enum {string} */
                            status: "ok" | "degraded" | "off";
                            reason: string | null;
                        };
                        backup: {
                            /** @enum {string} */
                            status: "ok" | "degraded" | "off";
                            reason: string | null;
                        };
                        sends: {
                            /** @enum {string} */
                            status: "ok" | "degraded" | "off";
                            reason: string | null;
                        };
                        cluster: {
                            /** @enum {string} */
                            status: "ok" | "degraded" | "off";
                            reason: string | null;
                        };
                        loops: {
                            /** @enum {string} */
                            status: "ok" | "degraded" | "off";
                            reason: string | null;
                            name: string;
                            leader: string | null;
                            interval_seconds: number;
                            last_tick_at: string | null;
                        }[];
                        versions: {
                            /** @enum {string} */
                            status: "ok" | "degraded" | "off";
                            reason: string | null;
                            service: string;
                            node: string;
                            database: string | null;
                            schema: string | null;
                            workers: {
                                version: string;
                                workers: number;
                            }[];
                        };
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "restore.release": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Release the sends that wait since a restore. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        released: boolean;
                        restored_at: string | null;
                        backup_at: string | null;
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            409: components["responses"]["refused409"];
            413: components["responses"]["refused413"];
            415: components["responses"]["refused415"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "monitor.counts": {
        parameters: {
            query?: {
                status?: ("pending" | "running" | "needs_input" | "completed" | "failed" | "cancelled") | ("pending" | "running" | "needs_input" | "completed" | "failed" | "cancelled")[];
                ids?: string | string[];
                codebase_id?: string;
                worker_id?: string;
                agent_type?: string;
                target_agent?: string;
                conversation_id?: string;
                created_by?: string;
                error_code?: string;
                retry_of?: string;
                follows?: string;
                q?: string;
                created_after?: string;
                created_before?: string;
                ended_after?: string;
                ended_before?: string;
                deadline_before?: string;
                silent_since?: string;
                paused?: boolean;
                attempt_min?: number;
                steps?: boolean;
                ralph_run_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Count tasks by status, with the filters of their list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        counts: {
                            pending: number;
                            running: number;
                            needs_input: number;
                            completed: number;
                            failed: number;
                            cancelled: number;
                        };
                        capped: boolean;
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "monitor.waiting": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the routes of pending tasks, with reason and remedy. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        routes: {
                            codebase_id: string | null;
                            agent_type: string | null;
                            target: string | null;
                            required_capabilities: string[];
                            count: number;
                            /** Format: date-time */
                            oldest_at: string;
                            /** @enum {string} */
                            waiting_reason: "no_codebase" | "no_worker_for_codebase" | "no_worker_with_capability" | "no_such_agent" | "no_such_worker" | "worker_offline" | "workers_busy" | "held_back" | "refused_by_worker" | "claimable";
                            remedy: string;
                        }[];
                        capped: boolean;
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "monitor.intervene": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    agent_id?: string;
                    /** Format: uuid */
                    task_id?: string;
                    /** @enum {string} */
                    action: "message" | "pause" | "resume" | "cancel";
                    message?: string;
                };
            };
        };
        responses: {
            /** @description Intervene in a running agent: message, pause, resume or cancel. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        intervention: {
                            /** Format: uuid */
                            id: string;
                            /** Format: uuid */
                            task_id: string;
                            /** @enum {string} */
                            action: "message" | "pause" | "resume" | "cancel";
                            message: string | null;
                            /** @enum {string} */
                            status: "queued" | "sent" | "delivered" | "failed" | "applied";
                            reason: string | null;
                            worker_id: string | null;
                            created_by: string;
                            /** Format: date-time */
                            created_at: string;
                            sent_at: string | null;
                            settled_at: string | null;
                        };
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            409: components["responses"]["refused409"];
            413: components["responses"]["refused413"];
            415: components["responses"]["refused415"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "monitor.interventions": {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                task_id?: string;
                status?: "queued" | "sent" | "delivered" | "failed" | "applied";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List interventions and their delivery status. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        interventions: {
                            /** Format: uuid */
                            id: string;
                            /** Format: uuid */
                            task_id: string;
                            /** @enum {string} */
                            action: "message" | "pause" | "resume" | "cancel";
                            message: string | null;
                            /** @enum {string} */
                            status: "queued" | "sent" | "delivered" | "failed" | "applied";
                            reason: string | null;
                            worker_id: string | null;
                            created_by: string;
                            /** Format: date-time */
                            created_at: string;
                            sent_at: string | null;
                            settled_at: string | null;
                        }[];
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "monitor.intervention": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Get an intervention. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        intervention: {
                            /** Format: uuid */
                            id: string;
                            /** Format: uuid */
                            task_id: string;
                            /** @enum {string} */
                            action: "message" | "pause" | "resume" | "cancel";
                            message: string | null;
                            /** @enum {string} */
                            status: "queued" | "sent" | "delivered" | "failed" | "applied";
                            reason: string | null;
                            worker_id: string | null;
                            created_by: string;
                            /** Format: date-time */
                            created_at: string;
                            sent_at: string | null;
                            settled_at: string | null;
                        };
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "monitor.attention": {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                kinds?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List items that wait for a person, newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["AttentionItem"][];
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "monitor.dismiss": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Dismiss an item that waits for a person. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        dismissed: true;
                        id: string;
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            409: components["responses"]["refused409"];
            413: components["responses"]["refused413"];
            415: components["responses"]["refused415"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "cognition.status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the background loops and the replicas that run them. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        enabled: boolean;
                        running: boolean;
                        loops: {
                            name: string;
                            leader: string | null;
                            interval_seconds: number;
                            last_tick_at: string | null;
                            last_error: string | null;
                            ticks: number;
                        }[];
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "monitor.agents": {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                capability?: string;
                online_only?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List agents by name. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        agents: {
                            name: string;
                            /** @enum {string} */
                            role: "worker" | "agent";
                            description: string;
                            url?: string;
                            capabilities: string[];
                            models: string[];
                            /** Format: date-time */
                            last_seen: string;
                            /** Format: date-time */
                            registered_at: string;
                            online: boolean;
                            routable: boolean;
                            /** @enum {string} */
                            source: "worker" | "registered";
                        }[];
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "monitor.messages": {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                q?: string;
                conversation_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the messages of all conversations, newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        messages: {
                            id: string;
                            conversation_id: string;
                            /** Format: uuid */
                            task_id: string;
                            /** @enum {string} */
                            role: "user" | "agent" | "system";
                            agent_name: string | null;
                            /** Format: date-time */
                            at: string;
                            text: string;
                        }[];
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "monitor.threads": {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List conversations by latest message, newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        threads: components["schemas"]["Thread"][];
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "monitor.stream": {
        parameters: {
            query?: {
                types?: string;
                only?: "mine";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Stream changes of tasks, workers, runs and attention items. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": components["schemas"]["MonitorStatus"] | components["schemas"]["MonitorMessage"] | components["schemas"]["MonitorWorker"] | components["schemas"]["MonitorRun"] | components["schemas"]["MonitorAttention"];
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "monitor.export_json": {
        parameters: {
            query?: {
                what?: "messages" | "tasks" | "agents";
                status?: ("pending" | "running" | "needs_input" | "completed" | "failed" | "cancelled") | ("pending" | "running" | "needs_input" | "completed" | "failed" | "cancelled")[];
                ids?: string | string[];
                codebase_id?: string;
                worker_id?: string;
                agent_type?: string;
                target_agent?: string;
                conversation_id?: string;
                created_by?: string;
                error_code?: string;
                retry_of?: string;
                follows?: string;
                q?: string;
                created_after?: string;
                created_before?: string;
                ended_after?: string;
                ended_before?: string;
                deadline_before?: string;
                silent_since?: string;
                paused?: boolean;
                attempt_min?: number;
                steps?: boolean;
                ralph_run_id?: string;
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Export messages, tasks or agents as JSON. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: date-time */
                        exported_at: string;
                        next_cursor: string | null;
                        messages: {
                            id: string;
                            conversation_id: string;
                            /** Format: uuid */
                            task_id: string;
                            /** @enum {string} */
                            role: "user" | "agent" | "system";
                            agent_name: string | null;
                            /** Format: date-time */
                            at: string;
                            text: string;
                        }[];
                    } | {
                        /** Format: date-time */
                        exported_at: string;
                        next_cursor: string | null;
                        tasks: {
                            /** Format: uuid */
                            id: string;
                            title: string;
                            /** @enum {string} */
                            status: "pending" | "running" | "needs_input" | "completed" | "failed" | "cancelled";
                            codebase_id: string | null;
                            conversation_id: string | null;
                            target_agent: string | null;
                            worker_id: string | null;
                            priority: number;
                            created_by: string;
                            /** Format: date-time */
                            created_at: string;
                            started_at: string | null;
                            completed_at: string | null;
                            attempt: number;
                            error_code: string | null;
                            error_message: string | null;
                            prompt: string;
                            result: string | null;
                        }[];
                    } | {
                        /** Format: date-time */
                        exported_at: string;
                        next_cursor: string | null;
                        agents: {
                            name: string;
                            /** @enum {string} */
                            role: "worker" | "agent";
                            description: string;
                            url?: string;
                            capabilities: string[];
                            models: string[];
                            /** Format: date-time */
                            last_seen: string;
                            /** Format: date-time */
                            registered_at: string;
                            online: boolean;
                            routable: boolean;
                            /** @enum {string} */
                            source: "worker" | "registered";
                        }[];
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "monitor.export_csv": {
        parameters: {
            query?: {
                what?: "messages" | "tasks" | "agents";
                status?: ("pending" | "running" | "needs_input" | "completed" | "failed" | "cancelled") | ("pending" | "running" | "needs_input" | "completed" | "failed" | "cancelled")[];
                ids?: string | string[];
                codebase_id?: string;
                worker_id?: string;
                agent_type?: string;
                target_agent?: string;
                conversation_id?: string;
                created_by?: string;
                error_code?: string;
                retry_of?: string;
                follows?: string;
                q?: string;
                created_after?: string;
                created_before?: string;
                ended_after?: string;
                ended_before?: string;
                deadline_before?: string;
                silent_since?: string;
                paused?: boolean;
                attempt_min?: number;
                steps?: boolean;
                ralph_run_id?: string;
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Export messages, tasks or agents as CSV. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "monitor.metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Get metrics in the text format of Prometheus. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "audit.events": {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the audit entries of the caller’s tenant, newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        events: components["schemas"]["AuditEvent"][];
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "audit.query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    actor?: string;
                    action?: string;
                    resource?: string;
                    /** @enum {string} */
                    outcome?: "success" | "failure" | "denied";
                    /** Format: date-time */
                    from?: string;
                    /** Format: date-time */
                    to?: string;
                    /** Format: uuid */
                    task_id?: string;
                    request_id?: string;
                    credential?: string;
                    /** @default 50 */
                    limit?: number;
                    cursor?: string;
                };
            };
        };
        responses: {
            /** @description Search the audit entries of the caller’s tenant, newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        events: components["schemas"]["AuditEvent"][];
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            409: components["responses"]["refused409"];
            413: components["responses"]["refused413"];
            415: components["responses"]["refused415"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "audit.verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Verify every audit chain. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        ok: boolean;
                        entries: number;
                        head: string | null;
                        first_bad_seq?: number;
                        chains: {
                            chain: string;
                            ok: boolean;
                            entries: number;
                            head: string | null;
                            first_bad_seq?: number;
                            /** @enum {string} */
                            checked: "file" | "database";
                            reason?: string;
                            file?: string;
                            line?: number;
                        }[];
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "auth.me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Get the identity of this credential. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Me"];
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "auth.permissions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Get the permissions of each role. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        roles: {
                            admin: string[];
                            operator: string[];
                            editor: string[];
                            viewer: string[];
                            agent: string[];
                        };
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "auth.status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Get the access configuration: credential kinds, policy, row-level security. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        credentials: {
                            service_token: boolean;
                            shared_tokens: boolean;
                            api_keys: boolean;
                            sessions: boolean;
                            identity_provider: boolean;
                        };
                        policy: {
                            /** @enum {string} */
                            mode: "local" | "sidecar";
                        };
                        row_level_security: boolean;
                        session_hours: number;
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "api_keys.list": {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                user_id?: string;
                all?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List API keys, newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        api_keys: components["schemas"]["ApiKey"][];
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "api_keys.create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    scopes?: string[];
                    expires_in_days?: number;
                    user_id?: string;
                };
            };
        };
        responses: {
            /** @description Create an API key. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        api_key: components["schemas"]["ApiKey"];
                        key: string;
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            409: components["responses"]["refused409"];
            413: components["responses"]["refused413"];
            415: components["responses"]["refused415"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "api_keys.revoke": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Revoke an API key. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        api_key: components["schemas"]["ApiKey"];
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            409: components["responses"]["refused409"];
            413: components["responses"]["refused413"];
            415: components["responses"]["refused415"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "sign_in_sessions.list": {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                all?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List active sign-in sessions, newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        sessions: components["schemas"]["SignInSession"][];
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "sign_in_sessions.create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Create a sign-in session for this credential. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        session_id: string;
                        access_token: string;
                        /** Format: date-time */
                        expires_at: string;
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            409: components["responses"]["refused409"];
            413: components["responses"]["refused413"];
            415: components["responses"]["refused415"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "sign_in_codes.create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Create a one-time code that signs a browser in. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: string;
                        url: string;
                        /** Format: date-time */
                        expires_at: string;
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            409: components["responses"]["refused409"];
            413: components["responses"]["refused413"];
            415: components["responses"]["refused415"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "sign_in_sessions.end": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description End a sign-in session. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        session: components["schemas"]["SignInSession"];
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            409: components["responses"]["refused409"];
            413: components["responses"]["refused413"];
            415: components["responses"]["refused415"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "users.list": {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List users, by id. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        users: components["schemas"]["User"][];
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "users.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Get a user. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        user: components["schemas"]["User"];
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "users.put": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    name?: string;
                    roles?: ("admin" | "operator" | "editor" | "viewer" | "agent")[];
                    /** @enum {string} */
                    status?: "active" | "disabled";
                };
            };
        };
        responses: {
            /** @description Create or update a user: name, roles, status. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        user: components["schemas"]["User"];
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            409: components["responses"]["refused409"];
            413: components["responses"]["refused413"];
            415: components["responses"]["refused415"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "users.delete": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Delete a user, with its keys and sessions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        user: components["schemas"]["User"];
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            409: components["responses"]["refused409"];
            413: components["responses"]["refused413"];
            415: components["responses"]["refused415"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "tenants.list": {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the tenants of this service, by id. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        tenants: components["schemas"]["Tenant"][];
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "tenants.create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    tenant_id: string;
                    name: string;
                };
            };
        };
        responses: {
            /** @description Create a tenant. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        tenant: components["schemas"]["Tenant"];
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            409: components["responses"]["refused409"];
            413: components["responses"]["refused413"];
            415: components["responses"]["refused415"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "automation.list": {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                status?: "queued" | "running" | "needs_input" | "completed" | "failed" | "cancelled";
                codebase_id?: string | "global";
                agent_type?: "build" | "plan" | "general" | "explore";
                q?: string;
                created_after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List tasks, newest first. */
            200: {
                headers: {
                    /** @description Calls per minute allowed for this credential. */
                    "X-RateLimit-Limit"?: string;
                    /** @description Calls left in this minute. */
                    "X-RateLimit-Remaining"?: string;
                    /** @description Time at which the minute ends, in Unix seconds. */
                    "X-RateLimit-Reset"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        tasks: components["schemas"]["AutomationTask"][];
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "automation.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating a request with the same key creates no second task: the first answer is returned again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @default 0 */
                    priority?: number;
                    /** @enum {string} */
                    agent_type?: "build" | "plan" | "general" | "explore";
                    /** @enum {string} */
                    model?: "one:small" | "one:large" | "two:only";
                    /** @default [] */
                    required_capabilities?: string[];
                    target_agent?: string;
                    /** Format: uuid */
                    target_worker_id?: string;
                    /** Format: date-time */
                    deadline_at?: string;
                    max_attempts?: number;
                    conversation_id?: string;
                    /** @default {} */
                    metadata?: {
                        [key: string]: unknown;
                    };
                    /** Format: uri */
                    webhook_url?: string;
                    title: string;
                    description: string;
                    codebase_id?: string;
                };
            };
        };
        responses: {
            /** @description Create a task. */
            201: {
                headers: {
                    /** @description Calls per minute allowed for this credential. */
                    "X-RateLimit-Limit"?: string;
                    /** @description Calls left in this minute. */
                    "X-RateLimit-Remaining"?: string;
                    /** @description Time at which the minute ends, in Unix seconds. */
                    "X-RateLimit-Reset"?: string;
                    /** @description true when the task was created by an earlier request. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        task_id: string;
                        /** Format: uuid */
                        run_id: string;
                        /** @enum {string} */
                        status: "queued" | "running" | "needs_input" | "completed" | "failed" | "cancelled";
                        title: string;
                        /** Format: date-time */
                        created_at: string;
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            409: components["responses"]["refused409"];
            413: components["responses"]["refused413"];
            415: components["responses"]["refused415"];
            422: components["responses"]["refused422"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "automation.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Get a task with its status, result or question. */
            200: {
                headers: {
                    /** @description Calls per minute allowed for this credential. */
                    "X-RateLimit-Limit"?: string;
                    /** @description Calls left in this minute. */
                    "X-RateLimit-Remaining"?: string;
                    /** @description Time at which the minute ends, in Unix seconds. */
                    "X-RateLimit-Reset"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AutomationTask"];
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "automation.cancel": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Cancel an unfinished task. */
            200: {
                headers: {
                    /** @description Calls per minute allowed for this credential. */
                    "X-RateLimit-Limit"?: string;
                    /** @description Calls left in this minute. */
                    "X-RateLimit-Remaining"?: string;
                    /** @description Time at which the minute ends, in Unix seconds. */
                    "X-RateLimit-Reset"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        task_id: string;
                        /** @constant */
                        status: "cancelled";
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            409: components["responses"]["refused409"];
            413: components["responses"]["refused413"];
            415: components["responses"]["refused415"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "automation.models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the models that a task may name. */
            200: {
                headers: {
                    /** @description Calls per minute allowed for this credential. */
                    "X-RateLimit-Limit"?: string;
                    /** @description Calls left in this minute. */
                    "X-RateLimit-Remaining"?: string;
                    /** @description Time at which the minute ends, in Unix seconds. */
                    "X-RateLimit-Reset"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        models: {
                            id: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "automation.me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Get the identity of this credential. */
            200: {
                headers: {
                    /** @description Calls per minute allowed for this credential. */
                    "X-RateLimit-Limit"?: string;
                    /** @description Calls left in this minute. */
                    "X-RateLimit-Remaining"?: string;
                    /** @description Time at which the minute ends, in Unix seconds. */
                    "X-RateLimit-Reset"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        subject: string;
                        name: string;
                        tenant_id: string;
                        roles: string[];
                        scopes: string[] | null;
                        credential: string;
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "automation.input": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    message: string;
                };
            };
        };
        responses: {
            /** @description Answer the question of a task that needs input. */
            200: {
                headers: {
                    /** @description Calls per minute allowed for this credential. */
                    "X-RateLimit-Limit"?: string;
                    /** @description Calls left in this minute. */
                    "X-RateLimit-Remaining"?: string;
                    /** @description Time at which the minute ends, in Unix seconds. */
                    "X-RateLimit-Reset"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AutomationTask"];
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            409: components["responses"]["refused409"];
            413: components["responses"]["refused413"];
            415: components["responses"]["refused415"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "tools.list": {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List every version of every tool. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        manifests: {
                            tool_id: string;
                            version: string;
                            sha256_hash: string;
                            allowed_resources?: (string)[];
                            max_memory_mb?: number;
                            max_cpu_seconds?: number;
                            network_allowed?: boolean;
                            signature: string;
                            signed_by: string;
                            /** @enum {string} */
                            status: "active" | "revoked";
                            has_content: boolean;
                            registered_by: string;
                            /** Format: date-time */
                            registered_at: string;
                            revoked_at: string | null;
                        }[];
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "tools.register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    tool_id: string;
                    version: string;
                    sha256_hash: string;
                    allowed_resources?: (string)[];
                    max_memory_mb?: number;
                    max_cpu_seconds?: number;
                    network_allowed?: boolean;
                    signature: string;
                };
            };
        };
        responses: {
            /** @description Register a tool manifest signed by a trusted key. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        manifest: {
                            tool_id: string;
                            version: string;
                            sha256_hash: string;
                            allowed_resources?: (string)[];
                            max_memory_mb?: number;
                            max_cpu_seconds?: number;
                            network_allowed?: boolean;
                            signature: string;
                            signed_by: string;
                            /** @enum {string} */
                            status: "active" | "revoked";
                            has_content: boolean;
                            registered_by: string;
                            /** Format: date-time */
                            registered_at: string;
                            revoked_at: string | null;
                        };
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            409: components["responses"]["refused409"];
            413: components["responses"]["refused413"];
            415: components["responses"]["refused415"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "tools.get": {
        parameters: {
            query?: {
                version?: string;
            };
            header?: never;
            path: {
                tool_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Get a tool. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        manifest: {
                            tool_id: string;
                            version: string;
                            sha256_hash: string;
                            allowed_resources?: (string)[];
                            max_memory_mb?: number;
                            max_cpu_seconds?: number;
                            network_allowed?: boolean;
                            signature: string;
                            signed_by: string;
                            /** @enum {string} */
                            status: "active" | "revoked";
                            has_content: boolean;
                            registered_by: string;
                            /** Format: date-time */
                            registered_at: string;
                            revoked_at: string | null;
                        };
                        versions: {
                            tool_id: string;
                            version: string;
                            sha256_hash: string;
                            allowed_resources?: (string)[];
                            max_memory_mb?: number;
                            max_cpu_seconds?: number;
                            network_allowed?: boolean;
                            signature: string;
                            signed_by: string;
                            /** @enum {string} */
                            status: "active" | "revoked";
                            has_content: boolean;
                            registered_by: string;
                            /** Format: date-time */
                            registered_at: string;
                            revoked_at: string | null;
                        }[];
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "tools.revoke": {
        parameters: {
            query?: {
                version?: string;
            };
            header?: never;
            path: {
                tool_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Revoke a version of a tool, or all its versions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        manifests: {
                            tool_id: string;
                            version: string;
                            sha256_hash: string;
                            allowed_resources?: (string)[];
                            max_memory_mb?: number;
                            max_cpu_seconds?: number;
                            network_allowed?: boolean;
                            signature: string;
                            signed_by: string;
                            /** @enum {string} */
                            status: "active" | "revoked";
                            has_content: boolean;
                            registered_by: string;
                            /** Format: date-time */
                            registered_at: string;
                            revoked_at: string | null;
                        }[];
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            409: components["responses"]["refused409"];
            413: components["responses"]["refused413"];
            415: components["responses"]["refused415"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "tools.put_content": {
        parameters: {
            query?: {
                version?: string;
            };
            header?: never;
            path: {
                tool_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description Upload the content of a tool. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        manifest: {
                            tool_id: string;
                            version: string;
                            sha256_hash: string;
                            allowed_resources?: (string)[];
                            max_memory_mb?: number;
                            max_cpu_seconds?: number;
                            network_allowed?: boolean;
                            signature: string;
                            signed_by: string;
                            /** @enum {string} */
                            status: "active" | "revoked";
                            has_content: boolean;
                            registered_by: string;
                            /** Format: date-time */
                            registered_at: string;
                            revoked_at: string | null;
                        };
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            409: components["responses"]["refused409"];
            413: components["responses"]["refused413"];
            415: components["responses"]["refused415"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "tools.run": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                tool_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    version?: string;
                    /** @default {} */
                    arguments?: {
                        [key: string]: unknown;
                    };
                    /**
                     * @default default
                     * @enum {string}
                     */
                    policy?: "default" | "restricted" | "custom" | "Default" | "Restricted" | "Custom";
                };
            };
        };
        responses: {
            /** @description Run a tool in the sandbox. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        exit_code: number | null;
                        stdout: string;
                        stderr: string;
                        usage: {
                            wall_ms: number;
                            cpu_ms: number;
                            max_memory_bytes: number;
                        };
                        killed_by: ("memory" | "cpu" | "time" | "processes" | "output" | "cancelled") | null;
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            409: components["responses"]["refused409"];
            413: components["responses"]["refused413"];
            415: components["responses"]["refused415"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "deliveries.list": {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the deliveries of a task, oldest first, with their attempts. */
            200: {
                headers: {
                    /** @description Calls per minute allowed for this credential. */
                    "X-RateLimit-Limit"?: string;
                    /** @description Calls left in this minute. */
                    "X-RateLimit-Remaining"?: string;
                    /** @description Time at which the minute ends, in Unix seconds. */
                    "X-RateLimit-Reset"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        deliveries: components["schemas"]["Delivery"][];
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "deliveries.list_dead": {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                status?: "dead";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the dead deliveries of all tasks, newest first. */
            200: {
                headers: {
                    /** @description Calls per minute allowed for this credential. */
                    "X-RateLimit-Limit"?: string;
                    /** @description Calls left in this minute. */
                    "X-RateLimit-Remaining"?: string;
                    /** @description Time at which the minute ends, in Unix seconds. */
                    "X-RateLimit-Reset"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        deliveries: {
                            /** Format: uuid */
                            delivery_id: string;
                            /** @enum {string} */
                            kind: "webhook" | "push";
                            /** @enum {string} */
                            status: "pending" | "delivered" | "dead";
                            url: string;
                            /** Format: date-time */
                            created_at: string;
                            attempts: {
                                /** Format: date-time */
                                at: string;
                                status_code: number | null;
                                error: string | null;
                            }[];
                            /** Format: uuid */
                            task_id: string;
                        }[];
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "deliveries.redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Send a dead or delivered webhook again. */
            202: {
                headers: {
                    /** @description Calls per minute allowed for this credential. */
                    "X-RateLimit-Limit"?: string;
                    /** @description Calls left in this minute. */
                    "X-RateLimit-Remaining"?: string;
                    /** @description Time at which the minute ends, in Unix seconds. */
                    "X-RateLimit-Reset"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        delivery: components["schemas"]["Delivery"];
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            409: components["responses"]["refused409"];
            413: components["responses"]["refused413"];
            415: components["responses"]["refused415"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "tenants.webhook_secret_count": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Count the secrets that sign a tenant’s webhooks. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        tenant_id: string;
                        count: number;
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "tenants.webhook_secret": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    secret: string;
                };
            };
        };
        responses: {
            /** @description Set the secrets that sign a tenant’s webhooks. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        tenant_id: string;
                        secrets: number;
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            409: components["responses"]["refused409"];
            413: components["responses"]["refused413"];
            415: components["responses"]["refused415"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "ralph.list": {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                codebase_id?: string;
                status?: "pending" | "running" | "paused" | "needs_input" | "completed" | "failed" | "cancelled";
                project?: string;
                q?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List autonomous runs, newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        runs: {
                            /** Format: uuid */
                            run_id: string;
                            /** @enum {string} */
                            status: "pending" | "running" | "paused" | "needs_input" | "completed" | "failed" | "cancelled";
                            current_iteration: number;
                            max_iterations: number;
                            story_results: {
                                story_id: string;
                                /** @enum {string} */
                                status: "pending" | "running" | "passed" | "failed";
                                result: string;
                                title: string;
                                phase: ("implementing" | "checking" | "judging" | "landing" | "resolving" | "diagnosing" | "asking" | "waiting") | null;
                                iteration: number;
                                commit: string | null;
                                criteria: {
                                    index: number;
                                    text: string;
                                    /** @enum {string} */
                                    status: "passed" | "failed" | "unverified" | "pending";
                                    by: ("gate" | "check" | "judge" | "human") | null;
                                    command?: string;
                                    /** @enum {string} */
                                    before?: "failed" | "passed" | "unknown";
                                    exit_code?: number | null;
                                    seconds?: number;
                                    counts?: {
                                        passed: number;
                                        failed: number;
                                        skipped: number;
                                    };
                                    vacuous?: boolean;
                                    flaky?: boolean;
                                    commit?: string;
                                    /** Format: uuid */
                                    task_id?: string;
                                    tail?: string;
                                }[];
                                queue_position?: number;
                                waiting_reason?: string;
                                last_output?: {
                                    /** Format: date-time */
                                    at: string;
                                    text: string;
                                };
                            }[];
                            project: string;
                            branch_name: string;
                            description: string;
                            codebase_id: string;
                            /** @enum {string} */
                            mode: "sequential" | "parallel";
                            max_parallel: number;
                            base_commit: string | null;
                            head_commit: string | null;
                            stories: {
                                total: number;
                                pending: number;
                                running: number;
                                passed: number;
                                failed: number;
                            };
                            questions: {
                                /** Format: uuid */
                                question_id: string;
                                /** @enum {string} */
                                kind: "baseline_red" | "infra" | "agent_setup" | "approve_tests" | "unverifiable" | "blocked" | "stuck" | "conflict" | "budget" | "unpriced" | "branch_moved" | "agent";
                                story_id: string | null;
                                text: string;
                                options: string[];
                                data: {
                                    [key: string]: unknown;
                                };
                                /** Format: date-time */
                                asked_at: string;
                                expires: null;
                            }[];
                            gates: {
                                id: string;
                                command: string;
                                script: string | null;
                                /** @enum {string} */
                                source: "declared" | "detected";
                                required: boolean;
                                timeout_seconds: number | null;
                                network: boolean | null;
                                baseline: {
                                    passed: boolean;
                                    exit_code: number | null;
                                    seconds: number;
                                } | null;
                            }[];
                            budget: {
                                usd: number | null;
                                tokens: number | null;
                                seconds: number | null;
                                iterations: number | null;
                            };
                            spent: {
                                usd: number | null;
                                tokens: number;
                                seconds: number;
                                iterations: number;
                                unpriced_steps: number;
                            };
                            warnings: {
                                code: string;
                                path?: string;
                                message: string;
                            }[];
                            waiting_reason?: string;
                            error: {
                                code: string;
                                message: string;
                            } | null;
                            retry_of: string | null;
                            prd_session_id: string | null;
                            conversation_id: string | null;
                            created_by: string;
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            updated_at: string;
                            started_at: string | null;
                            completed_at: string | null;
                        }[];
                        next_cursor: string | null;
                        /** @constant */
                        enabled?: false;
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "ralph.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating a request with the same key creates no second task: the first answer is returned again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    codebase_id?: string;
                    prd: {
                        [key: string]: unknown;
                    } | string;
                    max_iterations?: number;
                    /** @enum {string} */
                    mode?: "sequential" | "parallel";
                    max_parallel?: number;
                    base?: string;
                    /** @enum {string} */
                    branch_policy?: "new" | "continue";
                    agent?: string | string[];
                    model?: string;
                    verifier?: {
                        agent?: string;
                        model?: string;
                    };
                    gates?: {
                        [key: string]: unknown;
                    }[];
                    setup?: string[];
                    copy?: string[];
                    /** @enum {string} */
                    baseline?: "ask" | "require" | "ignore";
                    /** @enum {string} */
                    unverifiable?: "ask" | "accept" | "fail";
                    strict?: boolean;
                    budget?: {
                        usd?: number;
                        tokens?: number;
                        seconds?: number;
                        iterations?: number;
                    };
                    iteration_timeout_seconds?: number;
                    merge?: {
                        into: string;
                    };
                    /** @default 0 */
                    priority?: number;
                    /** Format: uri */
                    webhook_url?: string;
                    conversation_id?: string;
                };
            };
        };
        responses: {
            /** @description Create an autonomous run over the stories of a PRD. */
            201: {
                headers: {
                    /** @description true when the task was created by an earlier request. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** Format: uuid */
                        run_id: string;
                        /** @constant */
                        status: "pending";
                        /** @constant */
                        current_iteration: 0;
                        max_iterations: number;
                        message: string;
                        warnings: {
                            code: string;
                            path?: string;
                            message: string;
                        }[];
                        run: {
                            /** Format: uuid */
                            run_id: string;
                            /** @enum {string} */
                            status: "pending" | "running" | "paused" | "needs_input" | "completed" | "failed" | "cancelled";
                            current_iteration: number;
                            max_iterations: number;
                            story_results: {
                                story_id: string;
                                /** @enum {string} */
                                status: "pending" | "running" | "passed" | "failed";
                                result: string;
                                title: string;
                                phase: ("implementing" | "checking" | "judging" | "landing" | "resolving" | "diagnosing" | "asking" | "waiting") | null;
                                iteration: number;
                                commit: string | null;
                                criteria: {
                                    index: number;
                                    text: string;
                                    /** @enum {string} */
                                    status: "passed" | "failed" | "unverified" | "pending";
                                    by: ("gate" | "check" | "judge" | "human") | null;
                                    command?: string;
                                    /** @enum {string} */
                                    before?: "failed" | "passed" | "unknown";
                                    exit_code?: number | null;
                                    seconds?: number;
                                    counts?: {
                                        passed: number;
                                        failed: number;
                                        skipped: number;
                                    };
                                    vacuous?: boolean;
                                    flaky?: boolean;
                                    commit?: string;
                                    /** Format: uuid */
                                    task_id?: string;
                                    tail?: string;
                                }[];
                                queue_position?: number;
                                waiting_reason?: string;
                                last_output?: {
                                    /** Format: date-time */
                                    at: string;
                                    text: string;
                                };
                            }[];
                            project: string;
                            branch_name: string;
                            description: string;
                            codebase_id: string;
                            /** @enum {string} */
                            mode: "sequential" | "parallel";
                            max_parallel: number;
                            base_commit: string | null;
                            head_commit: string | null;
                            stories: {
                                total: number;
                                pending: number;
                                running: number;
                                passed: number;
                                failed: number;
                            };
                            questions: {
                                /** Format: uuid */
                                question_id: string;
                                /** @enum {string} */
                                kind: "baseline_red" | "infra" | "agent_setup" | "approve_tests" | "unverifiable" | "blocked" | "stuck" | "conflict" | "budget" | "unpriced" | "branch_moved" | "agent";
                                story_id: string | null;
                                text: string;
                                options: string[];
                                data: {
                                    [key: string]: unknown;
                                };
                                /** Format: date-time */
                                asked_at: string;
                                expires: null;
                            }[];
                            gates: {
                                id: string;
                                command: string;
                                script: string | null;
                                /** @enum {string} */
                                source: "declared" | "detected";
                                required: boolean;
                                timeout_seconds: number | null;
                                network: boolean | null;
                                baseline: {
                                    passed: boolean;
                                    exit_code: number | null;
                                    seconds: number;
                                } | null;
                            }[];
                            budget: {
                                usd: number | null;
                                tokens: number | null;
                                seconds: number | null;
                                iterations: number | null;
                            };
                            spent: {
                                usd: number | null;
                                tokens: number;
                                seconds: number;
                                iterations: number;
                                unpriced_steps: number;
                            };
                            warnings: {
                                code: string;
                                path?: string;
                                message: string;
                            }[];
                            waiting_reason?: string;
                            error: {
                                code: string;
                                message: string;
                            } | null;
                            retry_of: string | null;
                            prd_session_id: string | null;
                            conversation_id: string | null;
                            created_by: string;
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            updated_at: string;
                            started_at: string | null;
                            completed_at: string | null;
                        };
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            409: components["responses"]["refused409"];
            413: components["responses"]["refused413"];
            415: components["responses"]["refused415"];
            422: components["responses"]["refused422"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "ralph.retry": {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating a request with the same key creates no second task: the first answer is returned again. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    max_iterations?: number;
                    budget?: {
                        usd?: number;
                        tokens?: number;
                        seconds?: number;
                        iterations?: number;
                    };
                    model?: string;
                    agent?: string | string[];
                };
            };
        };
        responses: {
            /** @description Retry a finished run as a new run. */
            201: {
                headers: {
                    /** @description true when the task was created by an earlier request. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** Format: uuid */
                        run_id: string;
                        /** @constant */
                        status: "pending";
                        /** @constant */
                        current_iteration: 0;
                        max_iterations: number;
                        message: string;
                        warnings: {
                            code: string;
                            path?: string;
                            message: string;
                        }[];
                        run: {
                            /** Format: uuid */
                            run_id: string;
                            /** @enum {string} */
                            status: "pending" | "running" | "paused" | "needs_input" | "completed" | "failed" | "cancelled";
                            current_iteration: number;
                            max_iterations: number;
                            story_results: {
                                story_id: string;
                                /** @enum {string} */
                                status: "pending" | "running" | "passed" | "failed";
                                result: string;
                                title: string;
                                phase: ("implementing" | "checking" | "judging" | "landing" | "resolving" | "diagnosing" | "asking" | "waiting") | null;
                                iteration: number;
                                commit: string | null;
                                criteria: {
                                    index: number;
                                    text: string;
                                    /** @enum {string} */
                                    status: "passed" | "failed" | "unverified" | "pending";
                                    by: ("gate" | "check" | "judge" | "human") | null;
                                    command?: string;
                                    /** @enum {string} */
                                    before?: "failed" | "passed" | "unknown";
                                    exit_code?: number | null;
                                    seconds?: number;
                                    counts?: {
                                        passed: number;
                                        failed: number;
                                        skipped: number;
                                    };
                                    vacuous?: boolean;
                                    flaky?: boolean;
                                    commit?: string;
                                    /** Format: uuid */
                                    task_id?: string;
                                    tail?: string;
                                }[];
                                queue_position?: number;
                                waiting_reason?: string;
                                last_output?: {
                                    /** Format: date-time */
                                    at: string;
                                    text: string;
                                };
                            }[];
                            project: string;
                            branch_name: string;
                            description: string;
                            codebase_id: string;
                            /** @enum {string} */
                            mode: "sequential" | "parallel";
                            max_parallel: number;
                            base_commit: string | null;
                            head_commit: string | null;
                            stories: {
                                total: number;
                                pending: number;
                                running: number;
                                passed: number;
                                failed: number;
                            };
                            questions: {
                                /** Format: uuid */
                                question_id: string;
                                /** @enum {string} */
                                kind: "baseline_red" | "infra" | "agent_setup" | "approve_tests" | "unverifiable" | "blocked" | "stuck" | "conflict" | "budget" | "unpriced" | "branch_moved" | "agent";
                                story_id: string | null;
                                text: string;
                                options: string[];
                                data: {
                                    [key: string]: unknown;
                                };
                                /** Format: date-time */
                                asked_at: string;
                                expires: null;
                            }[];
                            gates: {
                                id: string;
                                command: string;
                                script: string | null;
                                /** @enum {string} */
                                source: "declared" | "detected";
                                required: boolean;
                                timeout_seconds: number | null;
                                network: boolean | null;
                                baseline: {
                                    passed: boolean;
                                    exit_code: number | null;
                                    seconds: number;
                                } | null;
                            }[];
                            budget: {
                                usd: number | null;
                                tokens: number | null;
                                seconds: number | null;
                                iterations: number | null;
                            };
                            spent: {
                                usd: number | null;
                                tokens: number;
                                seconds: number;
                                iterations: number;
                                unpriced_steps: number;
                            };
                            warnings: {
                                code: string;
                                path?: string;
                                message: string;
                            }[];
                            waiting_reason?: string;
                            error: {
                                code: string;
                                message: string;
                            } | null;
                            retry_of: string | null;
                            prd_session_id: string | null;
                            conversation_id: string | null;
                            created_by: string;
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            updated_at: string;
                            started_at: string | null;
                            completed_at: string | null;
                        };
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            409: components["responses"]["refused409"];
            413: components["responses"]["refused413"];
            415: components["responses"]["refused415"];
            422: components["responses"]["refused422"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "ralph.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Get an autonomous run. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        run: {
                            /** Format: uuid */
                            run_id: string;
                            /** @enum {string} */
                            status: "pending" | "running" | "paused" | "needs_input" | "completed" | "failed" | "cancelled";
                            current_iteration: number;
                            max_iterations: number;
                            story_results: {
                                story_id: string;
                                /** @enum {string} */
                                status: "pending" | "running" | "passed" | "failed";
                                result: string;
                                title: string;
                                phase: ("implementing" | "checking" | "judging" | "landing" | "resolving" | "diagnosing" | "asking" | "waiting") | null;
                                iteration: number;
                                commit: string | null;
                                criteria: {
                                    index: number;
                                    text: string;
                                    /** @enum {string} */
                                    status: "passed" | "failed" | "unverified" | "pending";
                                    by: ("gate" | "check" | "judge" | "human") | null;
                                    command?: string;
                                    /** @enum {string} */
                                    before?: "failed" | "passed" | "unknown";
                                    exit_code?: number | null;
                                    seconds?: number;
                                    counts?: {
                                        passed: number;
                                        failed: number;
                                        skipped: number;
                                    };
                                    vacuous?: boolean;
                                    flaky?: boolean;
                                    commit?: string;
                                    /** Format: uuid */
                                    task_id?: string;
                                    tail?: string;
                                }[];
                                queue_position?: number;
                                waiting_reason?: string;
                                last_output?: {
                                    /** Format: date-time */
                                    at: string;
                                    text: string;
                                };
                            }[];
                            project: string;
                            branch_name: string;
                            description: string;
                            codebase_id: string;
                            /** @enum {string} */
                            mode: "sequential" | "parallel";
                            max_parallel: number;
                            base_commit: string | null;
                            head_commit: string | null;
                            stories: {
                                total: number;
                                pending: number;
                                running: number;
                                passed: number;
                                failed: number;
                            };
                            questions: {
                                /** Format: uuid */
                                question_id: string;
                                /** @enum {string} */
                                kind: "baseline_red" | "infra" | "agent_setup" | "approve_tests" | "unverifiable" | "blocked" | "stuck" | "conflict" | "budget" | "unpriced" | "branch_moved" | "agent";
                                story_id: string | null;
                                text: string;
                                options: string[];
                                data: {
                                    [key: string]: unknown;
                                };
                                /** Format: date-time */
                                asked_at: string;
                                expires: null;
                            }[];
                            gates: {
                                id: string;
                                command: string;
                                script: string | null;
                                /** @enum {string} */
                                source: "declared" | "detected";
                                required: boolean;
                                timeout_seconds: number | null;
                                network: boolean | null;
                                baseline: {
                                    passed: boolean;
                                    exit_code: number | null;
                                    seconds: number;
                                } | null;
                            }[];
                            budget: {
                                usd: number | null;
                                tokens: number | null;
                                seconds: number | null;
                                iterations: number | null;
                            };
                            spent: {
                                usd: number | null;
                                tokens: number;
                                seconds: number;
                                iterations: number;
                                unpriced_steps: number;
                            };
                            warnings: {
                                code: string;
                                path?: string;
                                message: string;
                            }[];
                            waiting_reason?: string;
                            error: {
                                code: string;
                                message: string;
                            } | null;
                            retry_of: string | null;
                            prd_session_id: string | null;
                            conversation_id: string | null;
                            created_by: string;
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            updated_at: string;
                            started_at: string | null;
                            completed_at: string | null;
                        };
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "ralph.delete": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Delete a finished run. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": null;
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            409: components["responses"]["refused409"];
            413: components["responses"]["refused413"];
            415: components["responses"]["refused415"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "ralph.cancel": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description Cancel a run. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        run: {
                            /** Format: uuid */
                            run_id: string;
                            /** @enum {string} */
                            status: "pending" | "running" | "paused" | "needs_input" | "completed" | "failed" | "cancelled";
                            current_iteration: number;
                            max_iterations: number;
                            story_results: {
                                story_id: string;
                                /** @enum {string} */
                                status: "pending" | "running" | "passed" | "failed";
                                result: string;
                                title: string;
                                phase: ("implementing" | "checking" | "judging" | "landing" | "resolving" | "diagnosing" | "asking" | "waiting") | null;
                                iteration: number;
                                commit: string | null;
                                criteria: {
                                    index: number;
                                    text: string;
                                    /** @enum {string} */
                                    status: "passed" | "failed" | "unverified" | "pending";
                                    by: ("gate" | "check" | "judge" | "human") | null;
                                    command?: string;
                                    /** @enum {string} */
                                    before?: "failed" | "passed" | "unknown";
                                    exit_code?: number | null;
                                    seconds?: number;
                                    counts?: {
                                        passed: number;
                                        failed: number;
                                        skipped: number;
                                    };
                                    vacuous?: boolean;
                                    flaky?: boolean;
                                    commit?: string;
                                    /** Format: uuid */
                                    task_id?: string;
                                    tail?: string;
                                }[];
                                queue_position?: number;
                                waiting_reason?: string;
                                last_output?: {
                                    /** Format: date-time */
                                    at: string;
                                    text: string;
                                };
                            }[];
                            project: string;
                            branch_name: string;
                            description: string;
                            codebase_id: string;
                            /** @enum {string} */
                            mode: "sequential" | "parallel";
                            max_parallel: number;
                            base_commit: string | null;
                            head_commit: string | null;
                            stories: {
                                total: number;
                                pending: number;
                                running: number;
                                passed: number;
                                failed: number;
                            };
                            questions: {
                                /** Format: uuid */
                                question_id: string;
                                /** @enum {string} */
                                kind: "baseline_red" | "infra" | "agent_setup" | "approve_tests" | "unverifiable" | "blocked" | "stuck" | "conflict" | "budget" | "unpriced" | "branch_moved" | "agent";
                                story_id: string | null;
                                text: string;
                                options: string[];
                                data: {
                                    [key: string]: unknown;
                                };
                                /** Format: date-time */
                                asked_at: string;
                                expires: null;
                            }[];
                            gates: {
                                id: string;
                                command: string;
                                script: string | null;
                                /** @enum {string} */
                                source: "declared" | "detected";
                                required: boolean;
                                timeout_seconds: number | null;
                                network: boolean | null;
                                baseline: {
                                    passed: boolean;
                                    exit_code: number | null;
                                    seconds: number;
                                } | null;
                            }[];
                            budget: {
                                usd: number | null;
                                tokens: number | null;
                                seconds: number | null;
                                iterations: number | null;
                            };
                            spent: {
                                usd: number | null;
                                tokens: number;
                                seconds: number;
                                iterations: number;
                                unpriced_steps: number;
                            };
                            warnings: {
                                code: string;
                                path?: string;
                                message: string;
                            }[];
                            waiting_reason?: string;
                            error: {
                                code: string;
                                message: string;
                            } | null;
                            retry_of: string | null;
                            prd_session_id: string | null;
                            conversation_id: string | null;
                            created_by: string;
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            updated_at: string;
                            started_at: string | null;
                            completed_at: string | null;
                        };
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            409: components["responses"]["refused409"];
            413: components["responses"]["refused413"];
            415: components["responses"]["refused415"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "ralph.pause": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @default after_step
                     * @enum {string}
                     */
                    mode?: "after_step" | "now";
                };
            };
        };
        responses: {
            /** @description Pause a run. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        run: {
                            /** Format: uuid */
                            run_id: string;
                            /** @enum {string} */
                            status: "pending" | "running" | "paused" | "needs_input" | "completed" | "failed" | "cancelled";
                            current_iteration: number;
                            max_iterations: number;
                            story_results: {
                                story_id: string;
                                /** @enum {string} */
                                status: "pending" | "running" | "passed" | "failed";
                                result: string;
                                title: string;
                                phase: ("implementing" | "checking" | "judging" | "landing" | "resolving" | "diagnosing" | "asking" | "waiting") | null;
                                iteration: number;
                                commit: string | null;
                                criteria: {
                                    index: number;
                                    text: string;
                                    /** @enum {string} */
                                    status: "passed" | "failed" | "unverified" | "pending";
                                    by: ("gate" | "check" | "judge" | "human") | null;
                                    command?: string;
                                    /** @enum {string} */
                                    before?: "failed" | "passed" | "unknown";
                                    exit_code?: number | null;
                                    seconds?: number;
                                    counts?: {
                                        passed: number;
                                        failed: number;
                                        skipped: number;
                                    };
                                    vacuous?: boolean;
                                    flaky?: boolean;
                                    commit?: string;
                                    /** Format: uuid */
                                    task_id?: string;
                                    tail?: string;
                                }[];
                                queue_position?: number;
                                waiting_reason?: string;
                                last_output?: {
                                    /** Format: date-time */
                                    at: string;
                                    text: string;
                                };
                            }[];
                            project: string;
                            branch_name: string;
                            description: string;
                            codebase_id: string;
                            /** @enum {string} */
                            mode: "sequential" | "parallel";
                            max_parallel: number;
                            base_commit: string | null;
                            head_commit: string | null;
                            stories: {
                                total: number;
                                pending: number;
                                running: number;
                                passed: number;
                                failed: number;
                            };
                            questions: {
                                /** Format: uuid */
                                question_id: string;
                                /** @enum {string} */
                                kind: "baseline_red" | "infra" | "agent_setup" | "approve_tests" | "unverifiable" | "blocked" | "stuck" | "conflict" | "budget" | "unpriced" | "branch_moved" | "agent";
                                story_id: string | null;
                                text: string;
                                options: string[];
                                data: {
                                    [key: string]: unknown;
                                };
                                /** Format: date-time */
                                asked_at: string;
                                expires: null;
                            }[];
                            gates: {
                                id: string;
                                command: string;
                                script: string | null;
                                /** @enum {string} */
                                source: "declared" | "detected";
                                required: boolean;
                                timeout_seconds: number | null;
                                network: boolean | null;
                                baseline: {
                                    passed: boolean;
                                    exit_code: number | null;
                                    seconds: number;
                                } | null;
                            }[];
                            budget: {
                                usd: number | null;
                                tokens: number | null;
                                seconds: number | null;
                                iterations: number | null;
                            };
                            spent: {
                                usd: number | null;
                                tokens: number;
                                seconds: number;
                                iterations: number;
                                unpriced_steps: number;
                            };
                            warnings: {
                                code: string;
                                path?: string;
                                message: string;
                            }[];
                            waiting_reason?: string;
                            error: {
                                code: string;
                                message: string;
                            } | null;
                            retry_of: string | null;
                            prd_session_id: string | null;
                            conversation_id: string | null;
                            created_by: string;
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            updated_at: string;
                            started_at: string | null;
                            completed_at: string | null;
                        };
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            409: components["responses"]["refused409"];
            413: components["responses"]["refused413"];
            415: components["responses"]["refused415"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "ralph.resume": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Resume a paused run. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        run: {
                            /** Format: uuid */
                            run_id: string;
                            /** @enum {string} */
                            status: "pending" | "running" | "paused" | "needs_input" | "completed" | "failed" | "cancelled";
                            current_iteration: number;
                            max_iterations: number;
                            story_results: {
                                story_id: string;
                                /** @enum {string} */
                                status: "pending" | "running" | "passed" | "failed";
                                result: string;
                                title: string;
                                phase: ("implementing" | "checking" | "judging" | "landing" | "resolving" | "diagnosing" | "asking" | "waiting") | null;
                                iteration: number;
                                commit: string | null;
                                criteria: {
                                    index: number;
                                    text: string;
                                    /** @enum {string} */
                                    status: "passed" | "failed" | "unverified" | "pending";
                                    by: ("gate" | "check" | "judge" | "human") | null;
                                    command?: string;
                                    /** @enum {string} */
                                    before?: "failed" | "passed" | "unknown";
                                    exit_code?: number | null;
                                    seconds?: number;
                                    counts?: {
                                        passed: number;
                                        failed: number;
                                        skipped: number;
                                    };
                                    vacuous?: boolean;
                                    flaky?: boolean;
                                    commit?: string;
                                    /** Format: uuid */
                                    task_id?: string;
                                    tail?: string;
                                }[];
                                queue_position?: number;
                                waiting_reason?: string;
                                last_output?: {
                                    /** Format: date-time */
                                    at: string;
                                    text: string;
                                };
                            }[];
                            project: string;
                            branch_name: string;
                            description: string;
                            codebase_id: string;
                            /** @enum {string} */
                            mode: "sequential" | "parallel";
                            max_parallel: number;
                            base_commit: string | null;
                            head_commit: string | null;
                            stories: {
                                total: number;
                                pending: number;
                                running: number;
                                passed: number;
                                failed: number;
                            };
                            questions: {
                                /** Format: uuid */
                                question_id: string;
                                /** @enum {string} */
                                kind: "baseline_red" | "infra" | "agent_setup" | "approve_tests" | "unverifiable" | "blocked" | "stuck" | "conflict" | "budget" | "unpriced" | "branch_moved" | "agent";
                                story_id: string | null;
                                text: string;
                                options: string[];
                                data: {
                                    [key: string]: unknown;
                                };
                                /** Format: date-time */
                                asked_at: string;
                                expires: null;
                            }[];
                            gates: {
                                id: string;
                                command: string;
                                script: string | null;
                                /** @enum {string} */
                                source: "declared" | "detected";
                                required: boolean;
                                timeout_seconds: number | null;
                                network: boolean | null;
                                baseline: {
                                    passed: boolean;
                                    exit_code: number | null;
                                    seconds: number;
                                } | null;
                            }[];
                            budget: {
                                usd: number | null;
                                tokens: number | null;
                                seconds: number | null;
                                iterations: number | null;
                            };
                            spent: {
                                usd: number | null;
                                tokens: number;
                                seconds: number;
                                iterations: number;
                                unpriced_steps: number;
                            };
                            warnings: {
                                code: string;
                                path?: string;
                                message: string;
                            }[];
                            waiting_reason?: string;
                            error: {
                                code: string;
                                message: string;
                            } | null;
                            retry_of: string | null;
                            prd_session_id: string | null;
                            conversation_id: string | null;
                            created_by: string;
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            updated_at: string;
                            started_at: string | null;
                            completed_at: string | null;
                        };
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            409: components["responses"]["refused409"];
            413: components["responses"]["refused413"];
            415: components["responses"]["refused415"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "ralph.answer": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: uuid */
                    question_id: string;
                    choice?: string;
                    choices?: {
                        [key: string]: string;
                    };
                    text?: string;
                    agent?: string;
                    commit?: string;
                    branch?: string;
                    usd?: number;
                    tokens?: number;
                    seconds?: number;
                    iterations?: number;
                };
            };
        };
        responses: {
            /** @description Answer an open question of a run. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        run: {
                            /** Format: uuid */
                            run_id: string;
                            /** @enum {string} */
                            status: "pending" | "running" | "paused" | "needs_input" | "completed" | "failed" | "cancelled";
                            current_iteration: number;
                            max_iterations: number;
                            story_results: {
                                story_id: string;
                                /** @enum {string} */
                                status: "pending" | "running" | "passed" | "failed";
                                result: string;
                                title: string;
                                phase: ("implementing" | "checking" | "judging" | "landing" | "resolving" | "diagnosing" | "asking" | "waiting") | null;
                                iteration: number;
                                commit: string | null;
                                criteria: {
                                    index: number;
                                    text: string;
                                    /** @enum {string} */
                                    status: "passed" | "failed" | "unverified" | "pending";
                                    by: ("gate" | "check" | "judge" | "human") | null;
                                    command?: string;
                                    /** @enum {string} */
                                    before?: "failed" | "passed" | "unknown";
                                    exit_code?: number | null;
                                    seconds?: number;
                                    counts?: {
                                        passed: number;
                                        failed: number;
                                        skipped: number;
                                    };
                                    vacuous?: boolean;
                                    flaky?: boolean;
                                    commit?: string;
                                    /** Format: uuid */
                                    task_id?: string;
                                    tail?: string;
                                }[];
                                queue_position?: number;
                                waiting_reason?: string;
                                last_output?: {
                                    /** Format: date-time */
                                    at: string;
                                    text: string;
                                };
                            }[];
                            project: string;
                            branch_name: string;
                            description: string;
                            codebase_id: string;
                            /** @enum {string} */
                            mode: "sequential" | "parallel";
                            max_parallel: number;
                            base_commit: string | null;
                            head_commit: string | null;
                            stories: {
                                total: number;
                                pending: number;
                                running: number;
                                passed: number;
                                failed: number;
                            };
                            questions: {
                                /** Format: uuid */
                                question_id: string;
                                /** @enum {string} */
                                kind: "baseline_red" | "infra" | "agent_setup" | "approve_tests" | "unverifiable" | "blocked" | "stuck" | "conflict" | "budget" | "unpriced" | "branch_moved" | "agent";
                                story_id: string | null;
                                text: string;
                                options: string[];
                                data: {
                                    [key: string]: unknown;
                                };
                                /** Format: date-time */
                                asked_at: string;
                                expires: null;
                            }[];
                            gates: {
                                id: string;
                                command: string;
                                script: string | null;
                                /** @enum {string} */
                                source: "declared" | "detected";
                                required: boolean;
                                timeout_seconds: number | null;
                                network: boolean | null;
                                baseline: {
                                    passed: boolean;
                                    exit_code: number | null;
                                    seconds: number;
                                } | null;
                            }[];
                            budget: {
                                usd: number | null;
                                tokens: number | null;
                                seconds: number | null;
                                iterations: number | null;
                            };
                            spent: {
                                usd: number | null;
                                tokens: number;
                                seconds: number;
                                iterations: number;
                                unpriced_steps: number;
                            };
                            warnings: {
                                code: string;
                                path?: string;
                                message: string;
                            }[];
                            waiting_reason?: string;
                            error: {
                                code: string;
                                message: string;
                            } | null;
                            retry_of: string | null;
                            prd_session_id: string | null;
                            conversation_id: string | null;
                            created_by: string;
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            updated_at: string;
                            started_at: string | null;
                            completed_at: string | null;
                        };
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            409: components["responses"]["refused409"];
            413: components["responses"]["refused413"];
            415: components["responses"]["refused415"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "ralph.commit": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Put the commits of waiting stories on the branch. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        run: {
                            /** Format: uuid */
                            run_id: string;
                            /** @enum {string} */
                            status: "pending" | "running" | "paused" | "needs_input" | "completed" | "failed" | "cancelled";
                            current_iteration: number;
                            max_iterations: number;
                            story_results: {
                                story_id: string;
                                /** @enum {string} */
                                status: "pending" | "running" | "passed" | "failed";
                                result: string;
                                title: string;
                                phase: ("implementing" | "checking" | "judging" | "landing" | "resolving" | "diagnosing" | "asking" | "waiting") | null;
                                iteration: number;
                                commit: string | null;
                                criteria: {
                                    index: number;
                                    text: string;
                                    /** @enum {string} */
                                    status: "passed" | "failed" | "unverified" | "pending";
                                    by: ("gate" | "check" | "judge" | "human") | null;
                                    command?: string;
                                    /** @enum {string} */
                                    before?: "failed" | "passed" | "unknown";
                                    exit_code?: number | null;
                                    seconds?: number;
                                    counts?: {
                                        passed: number;
                                        failed: number;
                                        skipped: number;
                                    };
                                    vacuous?: boolean;
                                    flaky?: boolean;
                                    commit?: string;
                                    /** Format: uuid */
                                    task_id?: string;
                                    tail?: string;
                                }[];
                                queue_position?: number;
                                waiting_reason?: string;
                                last_output?: {
                                    /** Format: date-time */
                                    at: string;
                                    text: string;
                                };
                            }[];
                            project: string;
                            branch_name: string;
                            description: string;
                            codebase_id: string;
                            /** @enum {string} */
                            mode: "sequential" | "parallel";
                            max_parallel: number;
                            base_commit: string | null;
                            head_commit: string | null;
                            stories: {
                                total: number;
                                pending: number;
                                running: number;
                                passed: number;
                                failed: number;
                            };
                            questions: {
                                /** Format: uuid */
                                question_id: string;
                                /** @enum {string} */
                                kind: "baseline_red" | "infra" | "agent_setup" | "approve_tests" | "unverifiable" | "blocked" | "stuck" | "conflict" | "budget" | "unpriced" | "branch_moved" | "agent";
                                story_id: string | null;
                                text: string;
                                options: string[];
                                data: {
                                    [key: string]: unknown;
                                };
                                /** Format: date-time */
                                asked_at: string;
                                expires: null;
                            }[];
                            gates: {
                                id: string;
                                command: string;
                                script: string | null;
                                /** @enum {string} */
                                source: "declared" | "detected";
                                required: boolean;
                                timeout_seconds: number | null;
                                network: boolean | null;
                                baseline: {
                                    passed: boolean;
                                    exit_code: number | null;
                                    seconds: number;
                                } | null;
                            }[];
                            budget: {
                                usd: number | null;
                                tokens: number | null;
                                seconds: number | null;
                                iterations: number | null;
                            };
                            spent: {
                                usd: number | null;
                                tokens: number;
                                seconds: number;
                                iterations: number;
                                unpriced_steps: number;
                            };
                            warnings: {
                                code: string;
                                path?: string;
                                message: string;
                            }[];
                            waiting_reason?: string;
                            error: {
                                code: string;
                                message: string;
                            } | null;
                            retry_of: string | null;
                            prd_session_id: string | null;
                            conversation_id: string | null;
                            created_by: string;
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            updated_at: string;
                            started_at: string | null;
                            completed_at: string | null;
                        };
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            409: components["responses"]["refused409"];
            413: components["responses"]["refused413"];
            415: components["responses"]["refused415"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "ralph.message": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    text: string;
                    story_id?: string;
                };
            };
        };
        responses: {
            /** @description Give guidance to a run. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        learning_id: string;
                        intervention_ids: string[];
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            409: components["responses"]["refused409"];
            413: components["responses"]["refused413"];
            415: components["responses"]["refused415"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "ralph.stories": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the stories of a run with evidence and steps. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        stories: {
                            story_id: string;
                            /** @enum {string} */
                            status: "pending" | "running" | "passed" | "failed";
                            result: string;
                            title: string;
                            phase: ("implementing" | "checking" | "judging" | "landing" | "resolving" | "diagnosing" | "asking" | "waiting") | null;
                            iteration: number;
                            commit: string | null;
                            criteria: {
                                index: number;
                                text: string;
                                /** @enum {string} */
                                status: "passed" | "failed" | "unverified" | "pending";
                                by: ("gate" | "check" | "judge" | "human") | null;
                                command?: string;
                                /** @enum {string} */
                                before?: "failed" | "passed" | "unknown";
                                exit_code?: number | null;
                                seconds?: number;
                                counts?: {
                                    passed: number;
                                    failed: number;
                                    skipped: number;
                                };
                                vacuous?: boolean;
                                flaky?: boolean;
                                commit?: string;
                                /** Format: uuid */
                                task_id?: string;
                                tail?: string;
                            }[];
                            queue_position?: number;
                            waiting_reason?: string;
                            last_output?: {
                                /** Format: date-time */
                                at: string;
                                text: string;
                            };
                            description: string;
                            depends_on: string[] | null;
                            priority: number | null;
                            checks: {
                                criterion: number | null;
                                command: string;
                            }[];
                            allow_test_changes: boolean | string[];
                            agent: string | null;
                            model: string | null;
                            passed_at: string | null;
                            carried_from: string | null;
                            evidence: {
                                criterion: number;
                                n: number;
                                /** @enum {string} */
                                status: "passed" | "failed" | "unverified";
                                /** @enum {string} */
                                by: "gate" | "check" | "judge" | "human";
                                gate_id?: string;
                                command?: string;
                                exit_code?: number | null;
                                seconds?: number;
                                commit: string | null;
                                /** @enum {string} */
                                before: "failed" | "passed" | "unknown";
                                vacuous?: boolean;
                                flaky?: boolean;
                                counts?: {
                                    passed: number;
                                    failed: number;
                                    skipped: number;
                                };
                                tail: string;
                                task_id: string | null;
                                artifact_id: string | null;
                                quotes?: {
                                    path: string;
                                    line: number;
                                    text: string;
                                }[];
                                reason?: string;
                                subject?: string;
                                same_agent?: boolean;
                                /** Format: date-time */
                                at: string;
                            }[];
                            steps: {
                                /** @enum {string} */
                                kind: "prepare" | "implement" | "check" | "judge" | "land" | "resolve" | "diagnose" | "publish";
                                /** Format: uuid */
                                task_id: string;
                                /** @enum {string} */
                                status: "open" | "asking" | "ok" | "rejected" | "infra" | "cancelled";
                                n: number;
                                try: number;
                                code?: string;
                            }[];
                        }[];
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "ralph.story": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                story_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Get a story of a run. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        story: {
                            story_id: string;
                            /** @enum {string} */
                            status: "pending" | "running" | "passed" | "failed";
                            result: string;
                            title: string;
                            phase: ("implementing" | "checking" | "judging" | "landing" | "resolving" | "diagnosing" | "asking" | "waiting") | null;
                            iteration: number;
                            commit: string | null;
                            criteria: {
                                index: number;
                                text: string;
                                /** @enum {string} */
                                status: "passed" | "failed" | "unverified" | "pending";
                                by: ("gate" | "check" | "judge" | "human") | null;
                                command?: string;
                                /** @enum {string} */
                                before?: "failed" | "passed" | "unknown";
                                exit_code?: number | null;
                                seconds?: number;
                                counts?: {
                                    passed: number;
                                    failed: number;
                                    skipped: number;
                                };
                                vacuous?: boolean;
                                flaky?: boolean;
                                commit?: string;
                                /** Format: uuid */
                                task_id?: string;
                                tail?: string;
                            }[];
                            queue_position?: number;
                            waiting_reason?: string;
                            last_output?: {
                                /** Format: date-time */
                                at: string;
                                text: string;
                            };
                            description: string;
                            depends_on: string[] | null;
                            priority: number | null;
                            checks: {
                                criterion: number | null;
                                command: string;
                            }[];
                            allow_test_changes: boolean | string[];
                            agent: string | null;
                            model: string | null;
                            passed_at: string | null;
                            carried_from: string | null;
                            evidence: {
                                criterion: number;
                                n: number;
                                /** @enum {string} */
                                status: "passed" | "failed" | "unverified";
                                /** @enum {string} */
                                by: "gate" | "check" | "judge" | "human";
                                gate_id?: string;
                                command?: string;
                                exit_code?: number | null;
                                seconds?: number;
                                commit: string | null;
                                /** @enum {string} */
                                before: "failed" | "passed" | "unknown";
                                vacuous?: boolean;
                                flaky?: boolean;
                                counts?: {
                                    passed: number;
                                    failed: number;
                                    skipped: number;
                                };
                                tail: string;
                                task_id: string | null;
                                artifact_id: string | null;
                                quotes?: {
                                    path: string;
                                    line: number;
                                    text: string;
                                }[];
                                reason?: string;
                                subject?: string;
                                same_agent?: boolean;
                                /** Format: date-time */
                                at: string;
                            }[];
                            steps: {
                                /** @enum {string} */
                                kind: "prepare" | "implement" | "check" | "judge" | "land" | "resolve" | "diagnose" | "publish";
                                /** Format: uuid */
                                task_id: string;
                                /** @enum {string} */
                                status: "open" | "asking" | "ok" | "rejected" | "infra" | "cancelled";
                                n: number;
                                try: number;
                                code?: string;
                            }[];
                        };
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "ralph.remove_story": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                story_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Take a pending story out of its run. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": null;
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            409: components["responses"]["refused409"];
            413: components["responses"]["refused413"];
            415: components["responses"]["refused415"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "ralph.change_story": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                story_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    title?: string;
                    description?: string;
                    criteria?: string[];
                    priority?: number;
                    dependsOn?: string[];
                    checks?: {
                        criterion?: number;
                        command: string;
                    }[];
                    allow_test_changes?: boolean | string[];
                    agent?: string;
                    model?: string;
                };
            };
        };
        responses: {
            /** @description Change a pending story. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        story: {
                            story_id: string;
                            /** @enum {string} */
                            status: "pending" | "running" | "passed" | "failed";
                            result: string;
                            title: string;
                            phase: ("implementing" | "checking" | "judging" | "landing" | "resolving" | "diagnosing" | "asking" | "waiting") | null;
                            iteration: number;
                            commit: string | null;
                            criteria: {
                                index: number;
                                text: string;
                                /** @enum {string} */
                                status: "passed" | "failed" | "unverified" | "pending";
                                by: ("gate" | "check" | "judge" | "human") | null;
                                command?: string;
                                /** @enum {string} */
                                before?: "failed" | "passed" | "unknown";
                                exit_code?: number | null;
                                seconds?: number;
                                counts?: {
                                    passed: number;
                                    failed: number;
                                    skipped: number;
                                };
                                vacuous?: boolean;
                                flaky?: boolean;
                                commit?: string;
                                /** Format: uuid */
                                task_id?: string;
                                tail?: string;
                            }[];
                            queue_position?: number;
                            waiting_reason?: string;
                            last_output?: {
                                /** Format: date-time */
                                at: string;
                                text: string;
                            };
                            description: string;
                            depends_on: string[] | null;
                            priority: number | null;
                            checks: {
                                criterion: number | null;
                                command: string;
                            }[];
                            allow_test_changes: boolean | string[];
                            agent: string | null;
                            model: string | null;
                            passed_at: string | null;
                            carried_from: string | null;
                            evidence: {
                                criterion: number;
                                n: number;
                                /** @enum {string} */
                                status: "passed" | "failed" | "unverified";
                                /** @enum {string} */
                                by: "gate" | "check" | "judge" | "human";
                                gate_id?: string;
                                command?: string;
                                exit_code?: number | null;
                                seconds?: number;
                                commit: string | null;
                                /** @enum {string} */
                                before: "failed" | "passed" | "unknown";
                                vacuous?: boolean;
                                flaky?: boolean;
                                counts?: {
                                    passed: number;
                                    failed: number;
                                    skipped: number;
                                };
                                tail: string;
                                task_id: string | null;
                                artifact_id: string | null;
                                quotes?: {
                                    path: string;
                                    line: number;
                                    text: string;
                                }[];
                                reason?: string;
                                subject?: string;
                                same_agent?: boolean;
                                /** Format: date-time */
                                at: string;
                            }[];
                            steps: {
                                /** @enum {string} */
                                kind: "prepare" | "implement" | "check" | "judge" | "land" | "resolve" | "diagnose" | "publish";
                                /** Format: uuid */
                                task_id: string;
                                /** @enum {string} */
                                status: "open" | "asking" | "ok" | "rejected" | "infra" | "cancelled";
                                n: number;
                                try: number;
                                code?: string;
                            }[];
                        };
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            409: components["responses"]["refused409"];
            413: components["responses"]["refused413"];
            415: components["responses"]["refused415"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "ralph.attempts": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                story_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the attempts of a story, void tries included. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        attempts: {
                            n: number;
                            try: number;
                            /** @enum {string} */
                            status: "open" | "passed" | "failed" | "void";
                            failure_code: string | null;
                            agent: string | null;
                            base_commit: string;
                            candidate_commit: string | null;
                            commit: string | null;
                            summary: string;
                            usage: {
                                input_tokens?: number;
                                output_tokens?: number;
                                cached_tokens?: number;
                                cost_usd?: number;
                                duration_ms?: number;
                                /** @enum {string} */
                                cost_source?: "agent" | "table" | "none";
                            } | null;
                            evidence: {
                                criterion: number;
                                n: number;
                                /** @enum {string} */
                                status: "passed" | "failed" | "unverified";
                                /** @enum {string} */
                                by: "gate" | "check" | "judge" | "human";
                                gate_id?: string;
                                command?: string;
                                exit_code?: number | null;
                                seconds?: number;
                                commit: string | null;
                                /** @enum {string} */
                                before: "failed" | "passed" | "unknown";
                                vacuous?: boolean;
                                flaky?: boolean;
                                counts?: {
                                    passed: number;
                                    failed: number;
                                    skipped: number;
                                };
                                tail: string;
                                task_id: string | null;
                                artifact_id: string | null;
                                quotes?: {
                                    path: string;
                                    line: number;
                                    text: string;
                                }[];
                                reason?: string;
                                subject?: string;
                                same_agent?: boolean;
                                /** Format: date-time */
                                at: string;
                            }[];
                            steps: {
                                /** @enum {string} */
                                kind: "prepare" | "implement" | "check" | "judge" | "land" | "resolve" | "diagnose" | "publish";
                                /** Format: uuid */
                                task_id: string;
                                /** @enum {string} */
                                status: "open" | "asking" | "ok" | "rejected" | "infra" | "cancelled";
                                n: number;
                                try: number;
                                code?: string;
                            }[];
                            /** Format: date-time */
                            started_at: string;
                            ended_at: string | null;
                        }[];
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "ralph.attempt": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                story_id: string;
                n: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Get the last try of an attempt. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        attempt: {
                            n: number;
                            try: number;
                            /** @enum {string} */
                            status: "open" | "passed" | "failed" | "void";
                            failure_code: string | null;
                            agent: string | null;
                            base_commit: string;
                            candidate_commit: string | null;
                            commit: string | null;
                            summary: string;
                            usage: {
                                input_tokens?: number;
                                output_tokens?: number;
                                cached_tokens?: number;
                                cost_usd?: number;
                                duration_ms?: number;
                                /** @enum {string} */
                                cost_source?: "agent" | "table" | "none";
                            } | null;
                            evidence: {
                                criterion: number;
                                n: number;
                                /** @enum {string} */
                                status: "passed" | "failed" | "unverified";
                                /** @enum {string} */
                                by: "gate" | "check" | "judge" | "human";
                                gate_id?: string;
                                command?: string;
                                exit_code?: number | null;
                                seconds?: number;
                                commit: string | null;
                                /** @enum {string} */
                                before: "failed" | "passed" | "unknown";
                                vacuous?: boolean;
                                flaky?: boolean;
                                counts?: {
                                    passed: number;
                                    failed: number;
                                    skipped: number;
                                };
                                tail: string;
                                task_id: string | null;
                                artifact_id: string | null;
                                quotes?: {
                                    path: string;
                                    line: number;
                                    text: string;
                                }[];
                                reason?: string;
                                subject?: string;
                                same_agent?: boolean;
                                /** Format: date-time */
                                at: string;
                            }[];
                            steps: {
                                /** @enum {string} */
                                kind: "prepare" | "implement" | "check" | "judge" | "land" | "resolve" | "diagnose" | "publish";
                                /** Format: uuid */
                                task_id: string;
                                /** @enum {string} */
                                status: "open" | "asking" | "ok" | "rejected" | "infra" | "cancelled";
                                n: number;
                                try: number;
                                code?: string;
                            }[];
                            /** Format: date-time */
                            started_at: string;
                            ended_at: string | null;
                        };
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "ralph.learnings": {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                story_id?: string;
                kind?: "failure" | "note" | "pattern" | "diagnosis" | "guidance" | "conflict";
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List what a run has learnt, newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        learnings: {
                            /** Format: uuid */
                            id: string;
                            story_id: string | null;
                            attempt_n: number | null;
                            /** @enum {string} */
                            kind: "failure" | "note" | "pattern" | "diagnosis" | "guidance" | "conflict";
                            /** @enum {string} */
                            author: "director" | "agent" | "human";
                            text: string;
                            /** Format: date-time */
                            at: string;
                        }[];
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "ralph.events": {
        parameters: {
            query?: {
                after?: number;
                limit?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List or stream the events of a run. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        events: {
                            seq: number;
                            /** @enum {string} */
                            type: "run" | "story" | "step" | "gate" | "evidence" | "learning" | "question" | "answer" | "landed" | "budget" | "published" | "environment_differs";
                            /** Format: date-time */
                            at: string;
                            data: {
                                [key: string]: unknown;
                            };
                        }[];
                        next: number;
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "ralph.progress": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Get what a run has learnt as progress.txt. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "ralph.prd": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Get the PRD of a run with passes and notes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    } | string;
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "ralph.diff": {
        parameters: {
            query?: {
                story_id?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Get the diff of a run, or of one story. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/x-diff": string;
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "ralph.bundle": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Get the commits of a run as a git bundle. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-git-bundle": string;
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "ralph.deliveries": {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the webhooks of a run, oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        deliveries: components["schemas"]["Delivery"][];
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "ralph.redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Send a webhook of a run again. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        delivery: components["schemas"]["Delivery"];
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            409: components["responses"]["refused409"];
            413: components["responses"]["refused413"];
            415: components["responses"]["refused415"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "ralph.lint": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    prd: unknown;
                };
            };
        };
        responses: {
            /** @description Check a PRD for errors and weaknesses. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        valid: boolean;
                        errors: {
                            code: string;
                            path: string;
                            message: string;
                        }[];
                        warnings: {
                            code: string;
                            path: string;
                            message: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            409: components["responses"]["refused409"];
            413: components["responses"]["refused413"];
            415: components["responses"]["refused415"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "ralph.import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @default auto
                     * @enum {string}
                     */
                    format?: "auto" | "ralph" | "ralph-tui" | "speckit" | "taskmaster" | "kiro" | "markdown";
                    files: {
                        name: string;
                        content: string;
                    }[];
                };
            };
        };
        responses: {
            /** @description Convert the documents of another tool to a PRD. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        prd: {
                            [key: string]: unknown;
                        };
                        warnings: {
                            code: string;
                            path: string;
                            message: string;
                        }[];
                        dropped: {
                            path: string;
                            value: unknown;
                        }[];
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            409: components["responses"]["refused409"];
            413: components["responses"]["refused413"];
            415: components["responses"]["refused415"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "cronjobs.list": {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                enabled?: boolean;
                q?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List cron jobs, newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        cronjobs: {
                            /** Format: uuid */
                            cronjob_id: string;
                            name: string;
                            description: string | null;
                            cron: string;
                            timezone: string;
                            enabled: boolean;
                            /** @enum {string} */
                            overlap: "skip" | "allow" | "cancel_previous";
                            /** @enum {string} */
                            catch_up: "none" | "last" | "all";
                            catch_up_window_seconds: number;
                            jitter_seconds: number;
                            starts_at: string | null;
                            ends_at: string | null;
                            task_template: {
                                title?: string;
                                prompt: string;
                                codebase_id?: string;
                                agent_type?: string;
                                model?: string;
                                target_agent?: string;
                                /** Format: uuid */
                                target_worker_id?: string;
                                max_attempts?: number;
                                conversation_id?: string;
                                /** Format: uri */
                                webhook_url?: string;
                                priority?: number;
                                required_capabilities?: string[];
                                metadata?: {
                                    [key: string]: unknown;
                                };
                                deadline_seconds?: number;
                            };
                            owner: string;
                            next_due_at: string | null;
                            last_due_at: string | null;
                            last_run_id: string | null;
                            last_error: {
                                code: string;
                                message: string;
                            } | null;
                            run_count: number;
                            failure_count: number;
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            updated_at: string;
                            version: number;
                        }[];
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "cronjobs.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating a request with the same key creates no second task: the first answer is returned again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    description?: string;
                    cron: string;
                    /** @default UTC */
                    timezone?: string;
                    task_template: {
                        title?: string;
                        prompt: string;
                        codebase_id?: string;
                        agent_type?: string;
                        model?: string;
                        target_agent?: string;
                        /** Format: uuid */
                        target_worker_id?: string;
                        max_attempts?: number;
                        conversation_id?: string;
                        /** Format: uri */
                        webhook_url?: string;
                        priority?: number;
                        required_capabilities?: string[];
                        metadata?: {
                            [key: string]: unknown;
                        };
                        deadline_seconds?: number;
                    };
                    /** @default true */
                    enabled?: boolean;
                    /**
                     * @default skip
                     * @enum {string}
                     */
                    overlap?: "skip" | "allow" | "cancel_previous";
                    /**
                     * @default last
                     * @enum {string}
                     */
                    catch_up?: "none" | "last" | "all";
                    /** @default 86400 */
                    catch_up_window_seconds?: number;
                    /** @default 0 */
                    jitter_seconds?: number;
                    /** Format: date-time */
                    starts_at?: string;
                    /** Format: date-time */
                    ends_at?: string;
                };
            };
        };
        responses: {
            /** @description Create a cron job. */
            201: {
                headers: {
                    /** @description true when the task was created by an earlier request. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        cronjob: {
                            /** Format: uuid */
                            cronjob_id: string;
                            name: string;
                            description: string | null;
                            cron: string;
                            timezone: string;
                            enabled: boolean;
                            /** @enum {string} */
                            overlap: "skip" | "allow" | "cancel_previous";
                            /** @enum {string} */
                            catch_up: "none" | "last" | "all";
                            catch_up_window_seconds: number;
                            jitter_seconds: number;
                            starts_at: string | null;
                            ends_at: string | null;
                            task_template: {
                                title?: string;
                                prompt: string;
                                codebase_id?: string;
                                agent_type?: string;
                                model?: string;
                                target_agent?: string;
                                /** Format: uuid */
                                target_worker_id?: string;
                                max_attempts?: number;
                                conversation_id?: string;
                                /** Format: uri */
                                webhook_url?: string;
                                priority?: number;
                                required_capabilities?: string[];
                                metadata?: {
                                    [key: string]: unknown;
                                };
                                deadline_seconds?: number;
                            };
                            owner: string;
                            next_due_at: string | null;
                            last_due_at: string | null;
                            last_run_id: string | null;
                            last_error: {
                                code: string;
                                message: string;
                            } | null;
                            run_count: number;
                            failure_count: number;
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            updated_at: string;
                            version: number;
                        };
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            409: components["responses"]["refused409"];
            413: components["responses"]["refused413"];
            415: components["responses"]["refused415"];
            422: components["responses"]["refused422"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "cronjobs.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Get a cron job. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        cronjob: {
                            /** Format: uuid */
                            cronjob_id: string;
                            name: string;
                            description: string | null;
                            cron: string;
                            timezone: string;
                            enabled: boolean;
                            /** @enum {string} */
                            overlap: "skip" | "allow" | "cancel_previous";
                            /** @enum {string} */
                            catch_up: "none" | "last" | "all";
                            catch_up_window_seconds: number;
                            jitter_seconds: number;
                            starts_at: string | null;
                            ends_at: string | null;
                            task_template: {
                                title?: string;
                                prompt: string;
                                codebase_id?: string;
                                agent_type?: string;
                                model?: string;
                                target_agent?: string;
                                /** Format: uuid */
                                target_worker_id?: string;
                                max_attempts?: number;
                                conversation_id?: string;
                                /** Format: uri */
                                webhook_url?: string;
                                priority?: number;
                                required_capabilities?: string[];
                                metadata?: {
                                    [key: string]: unknown;
                                };
                                deadline_seconds?: number;
                            };
                            owner: string;
                            next_due_at: string | null;
                            last_due_at: string | null;
                            last_run_id: string | null;
                            last_error: {
                                code: string;
                                message: string;
                            } | null;
                            run_count: number;
                            failure_count: number;
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            updated_at: string;
                            version: number;
                        };
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "cronjobs.update": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    name?: string;
                    description?: string | null;
                    cron?: string;
                    timezone?: string;
                    task_template?: {
                        title?: string;
                        prompt: string;
                        codebase_id?: string;
                        agent_type?: string;
                        model?: string;
                        target_agent?: string;
                        /** Format: uuid */
                        target_worker_id?: string;
                        max_attempts?: number;
                        conversation_id?: string;
                        /** Format: uri */
                        webhook_url?: string;
                        priority?: number;
                        required_capabilities?: string[];
                        metadata?: {
                            [key: string]: unknown;
                        };
                        deadline_seconds?: number;
                    };
                    enabled?: boolean;
                    /** @enum {string} */
                    overlap?: "skip" | "allow" | "cancel_previous";
                    /** @enum {string} */
                    catch_up?: "none" | "last" | "all";
                    catch_up_window_seconds?: number;
                    jitter_seconds?: number;
                    starts_at?: string | null;
                    ends_at?: string | null;
                    version?: number;
                };
            };
        };
        responses: {
            /** @description Change a cron job. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        cronjob: {
                            /** Format: uuid */
                            cronjob_id: string;
                            name: string;
                            description: string | null;
                            cron: string;
                            timezone: string;
                            enabled: boolean;
                            /** @enum {string} */
                            overlap: "skip" | "allow" | "cancel_previous";
                            /** @enum {string} */
                            catch_up: "none" | "last" | "all";
                            catch_up_window_seconds: number;
                            jitter_seconds: number;
                            starts_at: string | null;
                            ends_at: string | null;
                            task_template: {
                                title?: string;
                                prompt: string;
                                codebase_id?: string;
                                agent_type?: string;
                                model?: string;
                                target_agent?: string;
                                /** Format: uuid */
                                target_worker_id?: string;
                                max_attempts?: number;
                                conversation_id?: string;
                                /** Format: uri */
                                webhook_url?: string;
                                priority?: number;
                                required_capabilities?: string[];
                                metadata?: {
                                    [key: string]: unknown;
                                };
                                deadline_seconds?: number;
                            };
                            owner: string;
                            next_due_at: string | null;
                            last_due_at: string | null;
                            last_run_id: string | null;
                            last_error: {
                                code: string;
                                message: string;
                            } | null;
                            run_count: number;
                            failure_count: number;
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            updated_at: string;
                            version: number;
                        };
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            409: components["responses"]["refused409"];
            413: components["responses"]["refused413"];
            415: components["responses"]["refused415"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "cronjobs.delete": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Delete a cron job and its runs. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        cronjob: {
                            /** Format: uuid */
                            cronjob_id: string;
                            name: string;
                            description: string | null;
                            cron: string;
                            timezone: string;
                            enabled: boolean;
                            /** @enum {string} */
                            overlap: "skip" | "allow" | "cancel_previous";
                            /** @enum {string} */
                            catch_up: "none" | "last" | "all";
                            catch_up_window_seconds: number;
                            jitter_seconds: number;
                            starts_at: string | null;
                            ends_at: string | null;
                            task_template: {
                                title?: string;
                                prompt: string;
                                codebase_id?: string;
                                agent_type?: string;
                                model?: string;
                                target_agent?: string;
                                /** Format: uuid */
                                target_worker_id?: string;
                                max_attempts?: number;
                                conversation_id?: string;
                                /** Format: uri */
                                webhook_url?: string;
                                priority?: number;
                                required_capabilities?: string[];
                                metadata?: {
                                    [key: string]: unknown;
                                };
                                deadline_seconds?: number;
                            };
                            owner: string;
                            next_due_at: string | null;
                            last_due_at: string | null;
                            last_run_id: string | null;
                            last_error: {
                                code: string;
                                message: string;
                            } | null;
                            run_count: number;
                            failure_count: number;
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            updated_at: string;
                            version: number;
                        };
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            409: components["responses"]["refused409"];
            413: components["responses"]["refused413"];
            415: components["responses"]["refused415"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "cronjobs.runs": {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                status?: "started" | "completed" | "failed" | "cancelled" | "skipped" | "missed";
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the runs of a cron job, newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        runs: {
                            /** Format: uuid */
                            run_id: string;
                            /** Format: uuid */
                            cronjob_id: string;
                            /** Format: date-time */
                            due_at: string;
                            /** @enum {string} */
                            trigger: "schedule" | "manual" | "catch_up";
                            /** @enum {string} */
                            status: "started" | "completed" | "failed" | "cancelled" | "skipped" | "missed";
                            task_id: string | null;
                            reason: string | null;
                            missed_count: number | null;
                            /** Format: date-time */
                            started_at: string;
                            ended_at: string | null;
                            error: {
                                code: string;
                                message: string;
                            } | null;
                        }[];
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "cronjobs.trigger": {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating a request with the same key creates no second task: the first answer is returned again. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Run a cron job now. */
            202: {
                headers: {
                    /** @description true when the task was created by an earlier request. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        run_id: string;
                        /** Format: uuid */
                        task_id: string;
                        /** @constant */
                        status: "started";
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            409: components["responses"]["refused409"];
            413: components["responses"]["refused413"];
            415: components["responses"]["refused415"];
            422: components["responses"]["refused422"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "cronjobs.validate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    cron: string;
                    /** @default UTC */
                    timezone?: string;
                    /** Format: date-time */
                    from?: string;
                };
            };
        };
        responses: {
            /** @description Validate a cron expression; return its next five times. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        valid: true;
                        next: {
                            /** Format: date-time */
                            at: string;
                            local: string;
                        }[];
                    } | {
                        /** @constant */
                        valid: false;
                        error: {
                            code: string;
                            message: string;
                        };
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            409: components["responses"]["refused409"];
            413: components["responses"]["refused413"];
            415: components["responses"]["refused415"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "analytics.track": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    event: string;
                    anonymous_id?: string;
                    user_id?: string;
                    message_id?: string;
                    /** Format: date-time */
                    timestamp?: string;
                    session_id?: string;
                    page?: {
                        url?: string;
                        path?: string;
                        title?: string;
                        referrer?: string;
                    };
                    campaign?: {
                        source?: string;
                        medium?: string;
                        name?: string;
                        term?: string;
                        content?: string;
                        click_id?: string;
                    };
                    properties?: {
                        [key: string]: unknown;
                    };
                    value?: number;
                    currency?: string;
                };
            };
        };
        responses: {
            /** @description Record an event of a visitor or user. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        event_id: string;
                        duplicate: boolean;
                    };
                };
            };
            /** @description Record an event of a visitor or user. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        event_id: string;
                        duplicate: boolean;
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            409: components["responses"]["refused409"];
            413: components["responses"]["refused413"];
            415: components["responses"]["refused415"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "analytics.page": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    name?: string;
                    anonymous_id?: string;
                    user_id?: string;
                    message_id?: string;
                    /** Format: date-time */
                    timestamp?: string;
                    session_id?: string;
                    page?: {
                        url?: string;
                        path?: string;
                        title?: string;
                        referrer?: string;
                    };
                    campaign?: {
                        source?: string;
                        medium?: string;
                        name?: string;
                        term?: string;
                        content?: string;
                        click_id?: string;
                    };
                    properties?: {
                        [key: string]: unknown;
                    };
                    value?: number;
                    currency?: string;
                };
            };
        };
        responses: {
            /** @description Record a page view of a visitor or user. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        event_id: string;
                        duplicate: boolean;
                    };
                };
            };
            /** @description Record a page view of a visitor or user. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        event_id: string;
                        duplicate: boolean;
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            409: components["responses"]["refused409"];
            413: components["responses"]["refused413"];
            415: components["responses"]["refused415"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "analytics.identify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    anonymous_id?: string;
                    user_id: string;
                    message_id?: string;
                    /** Format: date-time */
                    timestamp?: string;
                    traits?: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            /** @description Identify a visitor as a user. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        event_id: string;
                        user_id: string;
                        anonymous_id: string | null;
                        linked: boolean;
                        duplicate: boolean;
                    };
                };
            };
            /** @description Identify a visitor as a user. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        event_id: string;
                        user_id: string;
                        anonymous_id: string | null;
                        linked: boolean;
                        duplicate: boolean;
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            409: components["responses"]["refused409"];
            413: components["responses"]["refused413"];
            415: components["responses"]["refused415"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "analytics.batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    batch: unknown[];
                };
            };
        };
        responses: {
            /** @description Record up to 500 events at once. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        results: ({
                            /** Format: uuid */
                            event_id: string;
                            duplicate: boolean;
                        } | {
                            error: {
                                code: string;
                                message: string;
                            };
                        })[];
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            409: components["responses"]["refused409"];
            413: components["responses"]["refused413"];
            415: components["responses"]["refused415"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "analytics.funnels": {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the funnels. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        funnels: {
                            funnel_id: string;
                            name: string;
                            steps: {
                                name?: string;
                                event: string;
                                where?: {
                                    [key: string]: string | number | boolean | null;
                                };
                            }[];
                            window_hours: number;
                            built_in: boolean;
                            created_by: string | null;
                            created_at: string | null;
                            updated_at: string | null;
                        }[];
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "analytics.funnel": {
        parameters: {
            query?: {
                funnel_id?: string;
                days?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Count the people along a funnel. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        funnel_id: string;
                        funnel_name: string;
                        /** Format: date-time */
                        date_range_start: string;
                        /** Format: date-time */
                        date_range_end: string;
                        window_hours: number;
                        total_entered: number;
                        total_converted: number;
                        overall_conversion_rate: number | null;
                        median_seconds_to_convert: number | null;
                        steps: {
                            step_name: string;
                            event_type: string;
                            count: number;
                            conversion_rate: number | null;
                            overall_rate: number | null;
                            dropped: number;
                        }[];
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "analytics.put_funnel": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                funnel_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    steps: {
                        name?: string;
                        event: string;
                        where?: {
                            [key: string]: string | number | boolean | null;
                        };
                    }[];
                    /** @default 168 */
                    window_hours?: number;
                };
            };
        };
        responses: {
            /** @description Write a funnel, or replace it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        funnel: {
                            funnel_id: string;
                            name: string;
                            steps: {
                                name?: string;
                                event: string;
                                where?: {
                                    [key: string]: string | number | boolean | null;
                                };
                            }[];
                            window_hours: number;
                            built_in: boolean;
                            created_by: string | null;
                            created_at: string | null;
                            updated_at: string | null;
                        };
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            409: components["responses"]["refused409"];
            413: components["responses"]["refused413"];
            415: components["responses"]["refused415"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "analytics.delete_funnel": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                funnel_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Delete a funnel. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        funnel: {
                            funnel_id: string;
                            name: string;
                            steps: {
                                name?: string;
                                event: string;
                                where?: {
                                    [key: string]: string | number | boolean | null;
                                };
                            }[];
                            window_hours: number;
                            built_in: boolean;
                            created_by: string | null;
                            created_at: string | null;
                            updated_at: string | null;
                        };
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            409: components["responses"]["refused409"];
            413: components["responses"]["refused413"];
            415: components["responses"]["refused415"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "analytics.attribution": {
        parameters: {
            query?: {
                lookback_days?: number;
                limit?: number;
            };
            header?: never;
            path: {
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Get the touches of a user and the credits of its conversions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        user_id: string;
                        anonymous_ids: string[];
                        touches: {
                            /** Format: uuid */
                            event_id: string;
                            /** Format: date-time */
                            at: string;
                            channel: string;
                            source: string | null;
                            medium: string | null;
                            campaign: string | null;
                            referrer: string | null;
                        }[];
                        first_touch: {
                            /** Format: uuid */
                            event_id: string;
                            /** Format: date-time */
                            at: string;
                            channel: string;
                            source: string | null;
                            medium: string | null;
                            campaign: string | null;
                            referrer: string | null;
                        } | null;
                        last_touch: {
                            /** Format: uuid */
                            event_id: string;
                            /** Format: date-time */
                            at: string;
                            channel: string;
                            source: string | null;
                            medium: string | null;
                            campaign: string | null;
                            referrer: string | null;
                        } | null;
                        conversions: {
                            /** Format: uuid */
                            event_id: string;
                            event: string;
                            /** Format: date-time */
                            at: string;
                            value: number | null;
                            currency: string | null;
                            first_touch: {
                                /** Format: uuid */
                                event_id: string;
                                /** Format: date-time */
                                at: string;
                                channel: string;
                                source: string | null;
                                medium: string | null;
                                campaign: string | null;
                                referrer: string | null;
                            } | null;
                            last_touch: {
                                /** Format: uuid */
                                event_id: string;
                                /** Format: date-time */
                                at: string;
                                channel: string;
                                source: string | null;
                                medium: string | null;
                                campaign: string | null;
                                referrer: string | null;
                            } | null;
                            last_non_direct: {
                                /** Format: uuid */
                                event_id: string;
                                /** Format: date-time */
                                at: string;
                                channel: string;
                                source: string | null;
                                medium: string | null;
                                campaign: string | null;
                                referrer: string | null;
                            } | null;
                            credits: {
                                linear: {
                                    /** Format: uuid */
                                    event_id: string;
                                    channel: string;
                                    credit: number;
                                    value: number | null;
                                }[];
                                position: {
                                    /** Format: uuid */
                                    event_id: string;
                                    channel: string;
                                    credit: number;
                                    value: number | null;
                                }[];
                                time_decay: {
                                    /** Format: uuid */
                                    event_id: string;
                                    channel: string;
                                    credit: number;
                                    value: number | null;
                                }[];
                            };
                        }[];
                        partial: boolean;
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "analytics.erase": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Erase a user: its events, and the links to its visitors. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        user_id: string;
                        events: number;
                        links: number;
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            409: components["responses"]["refused409"];
            413: components["responses"]["refused413"];
            415: components["responses"]["refused415"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "k8s.status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Get the Deployment, its pods and the last check. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        in_cluster: true;
                        namespace: string;
                        pod: string;
                        deployment: {
                            name: string;
                            replicas: number;
                            available: number;
                            updated: number;
                            ready: number;
                            generation: number;
                            paused: boolean;
                        } | null;
                        pods: {
                            name: string;
                            phase: string;
                            ready: boolean;
                            restarts: number;
                            started_at: string | null;
                            node: string | null;
                            template_hash: string | null;
                            current: boolean;
                            unhealthy_reason: ("crash_loop" | "restarting" | "not_ready" | "failed" | "cannot_start" | "unschedulable") | null;
                            since: string | null;
                        }[];
                        autoscaler: {
                            name: string;
                            min: number;
                            max: number;
                        } | null;
                        permissions: {
                            missing: string[];
                        };
                        last_reconcile: {
                            /** Format: date-time */
                            at: string;
                            replica: string;
                            /** @enum {string} */
                            outcome: "healthy" | "acted" | "held_back" | "failed";
                            checked: number;
                            unhealthy: number;
                            restarted: string[];
                            held_back: {
                                pod: string;
                                /** @enum {string} */
                                reason: "rollout" | "rollout_stalled" | "paused" | "disruption_budget" | "interval" | "backoff" | "own_pod" | "majority" | "self_heal_off" | "cannot_start" | "unschedulable";
                                /** Format: date-time */
                                until?: string;
                            }[];
                            error: {
                                code: string;
                                message: string;
                            } | null;
                        } | null;
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "k8s.scale": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    replicas: number;
                };
            };
        };
        responses: {
            /** @description Scale the Deployment. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        action: "scale";
                        accepted: boolean;
                        detail: {
                            deployment: string;
                            from: number;
                            to: number;
                            changed: boolean;
                        };
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            409: components["responses"]["refused409"];
            413: components["responses"]["refused413"];
            415: components["responses"]["refused415"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "k8s.health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @constant */
                    restart?: "all";
                };
            };
        };
        responses: {
            /** @description Check the pods now, and restart unhealthy ones. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        action: "health";
                        accepted: boolean;
                        detail: {
                            checked: number;
                            unhealthy: {
                                pod: string;
                                /** @enum {string} */
                                reason: "crash_loop" | "restarting" | "not_ready" | "failed" | "cannot_start" | "unschedulable";
                                /** Format: date-time */
                                since: string;
                            }[];
                            restarting: string[];
                            held_back: {
                                pod: string;
                                /** @enum {string} */
                                reason: "rollout" | "rollout_stalled" | "paused" | "disruption_budget" | "interval" | "backoff" | "own_pod" | "majority" | "self_heal_off" | "cannot_start" | "unschedulable";
                                /** Format: date-time */
                                until?: string;
                            }[];
                        };
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            409: components["responses"]["refused409"];
            413: components["responses"]["refused413"];
            415: components["responses"]["refused415"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "k8s.reconcile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Apply the manifest and check the pods now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        action: "reconcile";
                        accepted: boolean;
                        detail: {
                            checked: number;
                            unhealthy: {
                                pod: string;
                                /** @enum {string} */
                                reason: "crash_loop" | "restarting" | "not_ready" | "failed" | "cannot_start" | "unschedulable";
                                /** Format: date-time */
                                since: string;
                            }[];
                            restarting: string[];
                            held_back: {
                                pod: string;
                                /** @enum {string} */
                                reason: "rollout" | "rollout_stalled" | "paused" | "disruption_budget" | "interval" | "backoff" | "own_pod" | "majority" | "self_heal_off" | "cannot_start" | "unschedulable";
                                /** Format: date-time */
                                until?: string;
                            }[];
                            /** @enum {string} */
                            deployment: "unchanged" | "created" | "updated" | "none";
                        };
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            409: components["responses"]["refused409"];
            413: components["responses"]["refused413"];
            415: components["responses"]["refused415"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "okr.list": {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                status?: "draft" | "approved" | "running" | "completed" | "denied";
                owner?: string;
                q?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List objectives with their key results, newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        okrs: {
                            /** Format: uuid */
                            okr_id: string;
                            objective: string;
                            description: string | null;
                            /** @enum {string} */
                            status: "draft" | "approved" | "running" | "completed" | "denied";
                            owner: string;
                            target_date: string | null;
                            tags: string[];
                            task_template: {
                                title?: string;
                                codebase_id?: string;
                                agent_type?: string;
                                model?: string;
                                target_agent?: string;
                                /** Format: uuid */
                                target_worker_id?: string;
                                max_attempts?: number;
                                /** Format: uri */
                                webhook_url?: string;
                                priority?: number;
                                required_capabilities?: string[];
                                metadata?: {
                                    [key: string]: unknown;
                                };
                                deadline_seconds?: number;
                                prompt?: string;
                            } | null;
                            progress: number;
                            key_results: {
                                /** Format: uuid */
                                key_result_id: string;
                                /** Format: uuid */
                                okr_id: string;
                                title: string;
                                position: number;
                                weight: number;
                                measure: {
                                    /** @constant */
                                    kind: "manual";
                                } | {
                                    /** @constant */
                                    kind: "number";
                                    start: number;
                                    target: number;
                                    unit?: string;
                                } | {
                                    /** @constant */
                                    kind: "milestone";
                                } | {
                                    /** @constant */
                                    kind: "tasks";
                                };
                                current: number | null;
                                progress: number;
                                /** @enum {string} */
                                status: "not-started" | "in-progress" | "completed" | "blocked";
                                status_reason: string | null;
                                /** Format: date-time */
                                updated_at: string;
                            }[];
                            open_run_id: string | null;
                            decided_by: string | null;
                            decided_at: string | null;
                            decision_reason: string | null;
                            created_by: string;
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            updated_at: string;
                            version: number;
                        }[];
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "okr.create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    objective: string;
                    description?: string;
                    owner?: string;
                    /** Format: date */
                    target_date?: string;
                    /** @default [] */
                    tags?: string[];
                    task_template?: {
                        title?: string;
                        codebase_id?: string;
                        agent_type?: string;
                        model?: string;
                        target_agent?: string;
                        /** Format: uuid */
                        target_worker_id?: string;
                        max_attempts?: number;
                        /** Format: uri */
                        webhook_url?: string;
                        priority?: number;
                        required_capabilities?: string[];
                        metadata?: {
                            [key: string]: unknown;
                        };
                        deadline_seconds?: number;
                        prompt?: string;
                    };
                    /** @default [] */
                    key_results?: {
                        title: string;
                        /** @default 1 */
                        weight?: number;
                        /**
                         * @default {
                         *       "kind": "manual"
                         *     }
                         */
                        measure?: {
                            /** @constant */
                            kind: "manual";
                        } | {
                            /** @constant */
                            kind: "number";
                            start: number;
                            target: number;
                            unit?: string;
                        } | {
                            /** @constant */
                            kind: "milestone";
                        } | {
                            /** @constant */
                            kind: "tasks";
                        };
                        position?: number;
                        progress?: number;
                        current?: number;
                        /** @enum {string} */
                        status?: "not-started" | "in-progress" | "completed" | "blocked";
                        status_reason?: string | null;
                    }[];
                };
            };
        };
        responses: {
            /** @description Create an objective as a draft. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        okr: {
                            /** Format: uuid */
                            okr_id: string;
                            objective: string;
                            description: string | null;
                            /** @enum {string} */
                            status: "draft" | "approved" | "running" | "completed" | "denied";
                            owner: string;
                            target_date: string | null;
                            tags: string[];
                            task_template: {
                                title?: string;
                                codebase_id?: string;
                                agent_type?: string;
                                model?: string;
                                target_agent?: string;
                                /** Format: uuid */
                                target_worker_id?: string;
                                max_attempts?: number;
                                /** Format: uri */
                                webhook_url?: string;
                                priority?: number;
                                required_capabilities?: string[];
                                metadata?: {
                                    [key: string]: unknown;
                                };
                                deadline_seconds?: number;
                                prompt?: string;
                            } | null;
                            progress: number;
                            key_results: {
                                /** Format: uuid */
                                key_result_id: string;
                                /** Format: uuid */
                                okr_id: string;
                                title: string;
                                position: number;
                                weight: number;
                                measure: {
                                    /** @constant */
                                    kind: "manual";
                                } | {
                                    /** @constant */
                                    kind: "number";
                                    start: number;
                                    target: number;
                                    unit?: string;
                                } | {
                                    /** @constant */
                                    kind: "milestone";
                                } | {
                                    /** @constant */
                                    kind: "tasks";
                                };
                                current: number | null;
                                progress: number;
                                /** @enum {string} */
                                status: "not-started" | "in-progress" | "completed" | "blocked";
                                status_reason: string | null;
                                /** Format: date-time */
                                updated_at: string;
                            }[];
                            open_run_id: string | null;
                            decided_by: string | null;
                            decided_at: string | null;
                            decision_reason: string | null;
                            created_by: string;
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            updated_at: string;
                            version: number;
                        };
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            409: components["responses"]["refused409"];
            413: components["responses"]["refused413"];
            415: components["responses"]["refused415"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "okr.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Get an objective with its key results. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        okr: {
                            /** Format: uuid */
                            okr_id: string;
                            objective: string;
                            description: string | null;
                            /** @enum {string} */
                            status: "draft" | "approved" | "running" | "completed" | "denied";
                            owner: string;
                            target_date: string | null;
                            tags: string[];
                            task_template: {
                                title?: string;
                                codebase_id?: string;
                                agent_type?: string;
                                model?: string;
                                target_agent?: string;
                                /** Format: uuid */
                                target_worker_id?: string;
                                max_attempts?: number;
                                /** Format: uri */
                                webhook_url?: string;
                                priority?: number;
                                required_capabilities?: string[];
                                metadata?: {
                                    [key: string]: unknown;
                                };
                                deadline_seconds?: number;
                                prompt?: string;
                            } | null;
                            progress: number;
                            key_results: {
                                /** Format: uuid */
                                key_result_id: string;
                                /** Format: uuid */
                                okr_id: string;
                                title: string;
                                position: number;
                                weight: number;
                                measure: {
                                    /** @constant */
                                    kind: "manual";
                                } | {
                                    /** @constant */
                                    kind: "number";
                                    start: number;
                                    target: number;
                                    unit?: string;
                                } | {
                                    /** @constant */
                                    kind: "milestone";
                                } | {
                                    /** @constant */
                                    kind: "tasks";
                                };
                                current: number | null;
                                progress: number;
                                /** @enum {string} */
                                status: "not-started" | "in-progress" | "completed" | "blocked";
                                status_reason: string | null;
                                /** Format: date-time */
                                updated_at: string;
                            }[];
                            open_run_id: string | null;
                            decided_by: string | null;
                            decided_at: string | null;
                            decision_reason: string | null;
                            created_by: string;
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            updated_at: string;
                            version: number;
                        };
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "okr.update": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    objective?: string;
                    description?: string | null;
                    owner?: string;
                    target_date?: string | null;
                    tags?: string[];
                    task_template?: {
                        title?: string;
                        codebase_id?: string;
                        agent_type?: string;
                        model?: string;
                        target_agent?: string;
                        /** Format: uuid */
                        target_worker_id?: string;
                        max_attempts?: number;
                        /** Format: uri */
                        webhook_url?: string;
                        priority?: number;
                        required_capabilities?: string[];
                        metadata?: {
                            [key: string]: unknown;
                        };
                        deadline_seconds?: number;
                        prompt?: string;
                    } | null;
                    /** @enum {string} */
                    status?: "draft" | "approved" | "running" | "completed" | "denied";
                    reason?: string;
                    version?: number;
                };
            };
        };
        responses: {
            /** @description Change an objective, approve it, deny it or complete it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        okr: {
                            /** Format: uuid */
                            okr_id: string;
                            objective: string;
                            description: string | null;
                            /** @enum {string} */
                            status: "draft" | "approved" | "running" | "completed" | "denied";
                            owner: string;
                            target_date: string | null;
                            tags: string[];
                            task_template: {
                                title?: string;
                                codebase_id?: string;
                                agent_type?: string;
                                model?: string;
                                target_agent?: string;
                                /** Format: uuid */
                                target_worker_id?: string;
                                max_attempts?: number;
                                /** Format: uri */
                                webhook_url?: string;
                                priority?: number;
                                required_capabilities?: string[];
                                metadata?: {
                                    [key: string]: unknown;
                                };
                                deadline_seconds?: number;
                                prompt?: string;
                            } | null;
                            progress: number;
                            key_results: {
                                /** Format: uuid */
                                key_result_id: string;
                                /** Format: uuid */
                                okr_id: string;
                                title: string;
                                position: number;
                                weight: number;
                                measure: {
                                    /** @constant */
                                    kind: "manual";
                                } | {
                                    /** @constant */
                                    kind: "number";
                                    start: number;
                                    target: number;
                                    unit?: string;
                                } | {
                                    /** @constant */
                                    kind: "milestone";
                                } | {
                                    /** @constant */
                                    kind: "tasks";
                                };
                                current: number | null;
                                progress: number;
                                /** @enum {string} */
                                status: "not-started" | "in-progress" | "completed" | "blocked";
                                status_reason: string | null;
                                /** Format: date-time */
                                updated_at: string;
                            }[];
                            open_run_id: string | null;
                            decided_by: string | null;
                            decided_at: string | null;
                            decision_reason: string | null;
                            created_by: string;
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            updated_at: string;
                            version: number;
                        };
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            409: components["responses"]["refused409"];
            413: components["responses"]["refused413"];
            415: components["responses"]["refused415"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "okr.delete": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Delete an objective with its key results and runs. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        okr: {
                            /** Format: uuid */
                            okr_id: string;
                            objective: string;
                            description: string | null;
                            /** @enum {string} */
                            status: "draft" | "approved" | "running" | "completed" | "denied";
                            owner: string;
                            target_date: string | null;
                            tags: string[];
                            task_template: {
                                title?: string;
                                codebase_id?: string;
                                agent_type?: string;
                                model?: string;
                                target_agent?: string;
                                /** Format: uuid */
                                target_worker_id?: string;
                                max_attempts?: number;
                                /** Format: uri */
                                webhook_url?: string;
                                priority?: number;
                                required_capabilities?: string[];
                                metadata?: {
                                    [key: string]: unknown;
                                };
                                deadline_seconds?: number;
                                prompt?: string;
                            } | null;
                            progress: number;
                            key_results: {
                                /** Format: uuid */
                                key_result_id: string;
                                /** Format: uuid */
                                okr_id: string;
                                title: string;
                                position: number;
                                weight: number;
                                measure: {
                                    /** @constant */
                                    kind: "manual";
                                } | {
                                    /** @constant */
                                    kind: "number";
                                    start: number;
                                    target: number;
                                    unit?: string;
                                } | {
                                    /** @constant */
                                    kind: "milestone";
                                } | {
                                    /** @constant */
                                    kind: "tasks";
                                };
                                current: number | null;
                                progress: number;
                                /** @enum {string} */
                                status: "not-started" | "in-progress" | "completed" | "blocked";
                                status_reason: string | null;
                                /** Format: date-time */
                                updated_at: string;
                            }[];
                            open_run_id: string | null;
                            decided_by: string | null;
                            decided_at: string | null;
                            decision_reason: string | null;
                            created_by: string;
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            updated_at: string;
                            version: number;
                        };
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            409: components["responses"]["refused409"];
            413: components["responses"]["refused413"];
            415: components["responses"]["refused415"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "okr.stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Count objectives by status. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        total: number;
                        by_status: {
                            draft: number;
                            approved: number;
                            running: number;
                            completed: number;
                            denied: number;
                        };
                        completion_rate: number | null;
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "okr.key_results": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the key results of an objective in their order. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        key_results: {
                            /** Format: uuid */
                            key_result_id: string;
                            /** Format: uuid */
                            okr_id: string;
                            title: string;
                            position: number;
                            weight: number;
                            measure: {
                                /** @constant */
                                kind: "manual";
                            } | {
                                /** @constant */
                                kind: "number";
                                start: number;
                                target: number;
                                unit?: string;
                            } | {
                                /** @constant */
                                kind: "milestone";
                            } | {
                                /** @constant */
                                kind: "tasks";
                            };
                            current: number | null;
                            progress: number;
                            /** @enum {string} */
                            status: "not-started" | "in-progress" | "completed" | "blocked";
                            status_reason: string | null;
                            /** Format: date-time */
                            updated_at: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "okr.add_key_result": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    title: string;
                    /** @default 1 */
                    weight?: number;
                    /**
                     * @default {
                     *       "kind": "manual"
                     *     }
                     */
                    measure?: {
                        /** @constant */
                        kind: "manual";
                    } | {
                        /** @constant */
                        kind: "number";
                        start: number;
                        target: number;
                        unit?: string;
                    } | {
                        /** @constant */
                        kind: "milestone";
                    } | {
                        /** @constant */
                        kind: "tasks";
                    };
                    position?: number;
                    progress?: number;
                    current?: number;
                    /** @enum {string} */
                    status?: "not-started" | "in-progress" | "completed" | "blocked";
                    status_reason?: string | null;
                };
            };
        };
        responses: {
            /** @description Add a key result to an objective that is not running. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        key_result: {
                            /** Format: uuid */
                            key_result_id: string;
                            /** Format: uuid */
                            okr_id: string;
                            title: string;
                            position: number;
                            weight: number;
                            measure: {
                                /** @constant */
                                kind: "manual";
                            } | {
                                /** @constant */
                                kind: "number";
                                start: number;
                                target: number;
                                unit?: string;
                            } | {
                                /** @constant */
                                kind: "milestone";
                            } | {
                                /** @constant */
                                kind: "tasks";
                            };
                            current: number | null;
                            progress: number;
                            /** @enum {string} */
                            status: "not-started" | "in-progress" | "completed" | "blocked";
                            status_reason: string | null;
                            /** Format: date-time */
                            updated_at: string;
                        };
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            409: components["responses"]["refused409"];
            413: components["responses"]["refused413"];
            415: components["responses"]["refused415"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "okr.key_result": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                key_result_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Get a key result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        key_result: {
                            /** Format: uuid */
                            key_result_id: string;
                            /** Format: uuid */
                            okr_id: string;
                            title: string;
                            position: number;
                            weight: number;
                            measure: {
                                /** @constant */
                                kind: "manual";
                            } | {
                                /** @constant */
                                kind: "number";
                                start: number;
                                target: number;
                                unit?: string;
                            } | {
                                /** @constant */
                                kind: "milestone";
                            } | {
                                /** @constant */
                                kind: "tasks";
                            };
                            current: number | null;
                            progress: number;
                            /** @enum {string} */
                            status: "not-started" | "in-progress" | "completed" | "blocked";
                            status_reason: string | null;
                            /** Format: date-time */
                            updated_at: string;
                        };
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "okr.change_key_result": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                key_result_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    title?: string;
                    weight?: number;
                    measure?: {
                        /** @constant */
                        kind: "manual";
                    } | {
                        /** @constant */
                        kind: "number";
                        start: number;
                        target: number;
                        unit?: string;
                    } | {
                        /** @constant */
                        kind: "milestone";
                    } | {
                        /** @constant */
                        kind: "tasks";
                    };
                    position?: number;
                    progress?: number;
                    current?: number;
                    /** @enum {string} */
                    status?: "not-started" | "in-progress" | "completed" | "blocked";
                    status_reason?: string | null;
                };
            };
        };
        responses: {
            /** @description Change a key result, or report its progress. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        key_result: {
                            /** Format: uuid */
                            key_result_id: string;
                            /** Format: uuid */
                            okr_id: string;
                            title: string;
                            position: number;
                            weight: number;
                            measure: {
                                /** @constant */
                                kind: "manual";
                            } | {
                                /** @constant */
                                kind: "number";
                                start: number;
                                target: number;
                                unit?: string;
                            } | {
                                /** @constant */
                                kind: "milestone";
                            } | {
                                /** @constant */
                                kind: "tasks";
                            };
                            current: number | null;
                            progress: number;
                            /** @enum {string} */
                            status: "not-started" | "in-progress" | "completed" | "blocked";
                            status_reason: string | null;
                            /** Format: date-time */
                            updated_at: string;
                        };
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            409: components["responses"]["refused409"];
            413: components["responses"]["refused413"];
            415: components["responses"]["refused415"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "okr.remove_key_result": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                key_result_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Remove a key result from an objective that is not running. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        key_result: {
                            /** Format: uuid */
                            key_result_id: string;
                            /** Format: uuid */
                            okr_id: string;
                            title: string;
                            position: number;
                            weight: number;
                            measure: {
                                /** @constant */
                                kind: "manual";
                            } | {
                                /** @constant */
                                kind: "number";
                                start: number;
                                target: number;
                                unit?: string;
                            } | {
                                /** @constant */
                                kind: "milestone";
                            } | {
                                /** @constant */
                                kind: "tasks";
                            };
                            current: number | null;
                            progress: number;
                            /** @enum {string} */
                            status: "not-started" | "in-progress" | "completed" | "blocked";
                            status_reason: string | null;
                            /** Format: date-time */
                            updated_at: string;
                        };
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            409: components["responses"]["refused409"];
            413: components["responses"]["refused413"];
            415: components["responses"]["refused415"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "okr.runs": {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                status?: "pending" | "running" | "completed" | "failed" | "cancelled";
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the runs of an objective, newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        runs: {
                            /** Format: uuid */
                            run_id: string;
                            /** Format: uuid */
                            okr_id: string;
                            /** @enum {string} */
                            status: "pending" | "running" | "completed" | "failed" | "cancelled";
                            /** @enum {string} */
                            mode: "parallel" | "sequential";
                            items: {
                                /** Format: uuid */
                                key_result_id: string;
                                task_id: string | null;
                                /** @enum {string} */
                                status: "pending" | "running" | "completed" | "unreported" | "failed" | "cancelled";
                                summary: string | null;
                                evidence: string[];
                                progress_before: number;
                                progress_after: number | null;
                            }[];
                            instructions: string | null;
                            created_by: string;
                            /** Format: date-time */
                            created_at: string;
                            ended_at: string | null;
                            error: {
                                code: string;
                                message: string;
                            } | null;
                        }[];
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "okr.run": {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating a request with the same key creates no second task: the first answer is returned again. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    key_result_ids?: string[];
                    /**
                     * @default parallel
                     * @enum {string}
                     */
                    mode?: "parallel" | "sequential";
                    instructions?: string;
                    task_template?: {
                        title?: string;
                        codebase_id?: string;
                        agent_type?: string;
                        model?: string;
                        target_agent?: string;
                        /** Format: uuid */
                        target_worker_id?: string;
                        max_attempts?: number;
                        /** Format: uri */
                        webhook_url?: string;
                        priority?: number;
                        required_capabilities?: string[];
                        metadata?: {
                            [key: string]: unknown;
                        };
                        deadline_seconds?: number;
                        prompt?: string;
                    };
                };
            };
        };
        responses: {
            /** @description Start a run: tasks for the open key results. */
            201: {
                headers: {
                    /** @description true when the task was created by an earlier request. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        run: {
                            /** Format: uuid */
                            run_id: string;
                            /** Format: uuid */
                            okr_id: string;
                            /** @enum {string} */
                            status: "pending" | "running" | "completed" | "failed" | "cancelled";
                            /** @enum {string} */
                            mode: "parallel" | "sequential";
                            items: {
                                /** Format: uuid */
                                key_result_id: string;
                                task_id: string | null;
                                /** @enum {string} */
                                status: "pending" | "running" | "completed" | "unreported" | "failed" | "cancelled";
                                summary: string | null;
                                evidence: string[];
                                progress_before: number;
                                progress_after: number | null;
                            }[];
                            instructions: string | null;
                            created_by: string;
                            /** Format: date-time */
                            created_at: string;
                            ended_at: string | null;
                            error: {
                                code: string;
                                message: string;
                            } | null;
                        };
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            409: components["responses"]["refused409"];
            413: components["responses"]["refused413"];
            415: components["responses"]["refused415"];
            422: components["responses"]["refused422"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "okr.get_run": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Get a run of an objective. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        run: {
                            /** Format: uuid */
                            run_id: string;
                            /** Format: uuid */
                            okr_id: string;
                            /** @enum {string} */
                            status: "pending" | "running" | "completed" | "failed" | "cancelled";
                            /** @enum {string} */
                            mode: "parallel" | "sequential";
                            items: {
                                /** Format: uuid */
                                key_result_id: string;
                                task_id: string | null;
                                /** @enum {string} */
                                status: "pending" | "running" | "completed" | "unreported" | "failed" | "cancelled";
                                summary: string | null;
                                evidence: string[];
                                progress_before: number;
                                progress_after: number | null;
                            }[];
                            instructions: string | null;
                            created_by: string;
                            /** Format: date-time */
                            created_at: string;
                            ended_at: string | null;
                            error: {
                                code: string;
                                message: string;
                            } | null;
                        };
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "okr.cancel_run": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Cancel a run and its open tasks. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        run: {
                            /** Format: uuid */
                            run_id: string;
                            /** Format: uuid */
                            okr_id: string;
                            /** @enum {string} */
                            status: "pending" | "running" | "completed" | "failed" | "cancelled";
                            /** @enum {string} */
                            mode: "parallel" | "sequential";
                            items: {
                                /** Format: uuid */
                                key_result_id: string;
                                task_id: string | null;
                                /** @enum {string} */
                                status: "pending" | "running" | "completed" | "unreported" | "failed" | "cancelled";
                                summary: string | null;
                                evidence: string[];
                                progress_before: number;
                                progress_after: number | null;
                            }[];
                            instructions: string | null;
                            created_by: string;
                            /** Format: date-time */
                            created_at: string;
                            ended_at: string | null;
                            error: {
                                code: string;
                                message: string;
                            } | null;
                        };
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            409: components["responses"]["refused409"];
            413: components["responses"]["refused413"];
            415: components["responses"]["refused415"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "prd.list": {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                codebase_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List PRD chats, newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        sessions: {
                            id: string;
                            conversation_id: string;
                            codebase_id: string | null;
                            title: string;
                            /** @enum {string} */
                            status: "idle" | "answering" | "failed";
                            version: number;
                            ready: boolean;
                            run_ids: string[];
                            messages: number;
                            created_by: string;
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            updated_at: string;
                        }[];
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "prd.create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    codebase_id?: string;
                    title?: string;
                    prd?: {
                        [key: string]: unknown;
                    } | string;
                    import?: {
                        /**
                         * @default auto
                         * @enum {string}
                         */
                        format?: "auto" | "ralph" | "ralph-tui" | "speckit" | "taskmaster" | "kiro" | "markdown";
                        files: {
                            name: string;
                            content: string;
                        }[];
                    };
                };
            };
        };
        responses: {
            /** @description Create a PRD chat. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        session: {
                            id: string;
                            conversation_id: string;
                            codebase_id: string | null;
                            title: string;
                            /** @enum {string} */
                            status: "idle" | "answering" | "failed";
                            version: number;
                            ready: boolean;
                            run_ids: string[];
                            messages: number;
                            created_by: string;
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            updated_at: string;
                        };
                        warnings: {
                            code: string;
                            path: string;
                            message: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            409: components["responses"]["refused409"];
            413: components["responses"]["refused413"];
            415: components["responses"]["refused415"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "prd.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Get a PRD chat. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        session: {
                            id: string;
                            conversation_id: string;
                            codebase_id: string | null;
                            title: string;
                            /** @enum {string} */
                            status: "idle" | "answering" | "failed";
                            version: number;
                            ready: boolean;
                            run_ids: string[];
                            messages: number;
                            created_by: string;
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            updated_at: string;
                        };
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "prd.delete": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Delete a PRD chat with its versions. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": null;
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            409: components["responses"]["refused409"];
            413: components["responses"]["refused413"];
            415: components["responses"]["refused415"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "prd.message": {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating a request with the same key creates no second task: the first answer is returned again. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    message: string;
                    /** @default [] */
                    attachments?: {
                        name: string;
                        text: string;
                    }[];
                };
            };
        };
        responses: {
            /** @description Send a message to the assistant of a PRD chat. */
            200: {
                headers: {
                    /** @description true when the task was created by an earlier request. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        turn: {
                            n: number;
                            /** @enum {string} */
                            role: "user" | "assistant";
                            text: string;
                            attachments: {
                                name: string;
                                text: string;
                            }[];
                            task_id: string | null;
                            questions: {
                                id: string;
                                text: string;
                                options: {
                                    key: string;
                                    text: string;
                                }[];
                            }[];
                            /** @enum {string} */
                            status: "answering" | "answered" | "failed";
                            /** @enum {string} */
                            source: "user" | "agent" | "interview";
                            base_version: number;
                            version: number | null;
                            warnings: string[];
                            /** Format: date-time */
                            at: string;
                        };
                        prd: {
                            [key: string]: unknown;
                        } | null;
                        version: number;
                        ready: boolean;
                        warnings: string[];
                    };
                };
            };
            /** @description Send a message to the assistant of a PRD chat. */
            202: {
                headers: {
                    /** @description true when the task was created by an earlier request. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        turn: {
                            n: number;
                            /** @enum {string} */
                            role: "user" | "assistant";
                            text: string;
                            attachments: {
                                name: string;
                                text: string;
                            }[];
                            task_id: string | null;
                            questions: {
                                id: string;
                                text: string;
                                options: {
                                    key: string;
                                    text: string;
                                }[];
                            }[];
                            /** @enum {string} */
                            status: "answering" | "answered" | "failed";
                            /** @enum {string} */
                            source: "user" | "agent" | "interview";
                            base_version: number;
                            version: number | null;
                            warnings: string[];
                            /** Format: date-time */
                            at: string;
                        };
                        prd: {
                            [key: string]: unknown;
                        } | null;
                        version: number;
                        ready: boolean;
                        warnings: string[];
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            409: components["responses"]["refused409"];
            413: components["responses"]["refused413"];
            415: components["responses"]["refused415"];
            422: components["responses"]["refused422"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "prd.turns": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the turns of a PRD chat. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        turns: {
                            n: number;
                            /** @enum {string} */
                            role: "user" | "assistant";
                            text: string;
                            attachments: {
                                name: string;
                                text: string;
                            }[];
                            task_id: string | null;
                            questions: {
                                id: string;
                                text: string;
                                options: {
                                    key: string;
                                    text: string;
                                }[];
                            }[];
                            /** @enum {string} */
                            status: "answering" | "answered" | "failed";
                            /** @enum {string} */
                            source: "user" | "agent" | "interview";
                            base_version: number;
                            version: number | null;
                            warnings: string[];
                            /** Format: date-time */
                            at: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "prd.events": {
        parameters: {
            query?: {
                after?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Stream the answers of a PRD chat. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "prd.versions": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the versions of a PRD, newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        versions: {
                            version: number;
                            /** @enum {string} */
                            author: "assistant" | "user" | "import";
                            turn: number | null;
                            ops: {
                                [key: string]: unknown;
                            }[];
                            lint: {
                                code: string;
                                path: string;
                                message: string;
                            }[];
                            /** Format: date-time */
                            at: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "prd.version": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                n: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Get one version of a PRD. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        version: {
                            version: number;
                            /** @enum {string} */
                            author: "assistant" | "user" | "import";
                            turn: number | null;
                            ops: {
                                [key: string]: unknown;
                            }[];
                            lint: {
                                code: string;
                                path: string;
                                message: string;
                            }[];
                            /** Format: date-time */
                            at: string;
                            prd: {
                                [key: string]: unknown;
                            };
                        };
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "prd.put": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    prd: {
                        [key: string]: unknown;
                    } | string;
                    base_version: number;
                };
            };
        };
        responses: {
            /** @description Store a changed PRD as the next version. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        version: {
                            version: number;
                            /** @enum {string} */
                            author: "assistant" | "user" | "import";
                            turn: number | null;
                            ops: {
                                [key: string]: unknown;
                            }[];
                            lint: {
                                code: string;
                                path: string;
                                message: string;
                            }[];
                            /** Format: date-time */
                            at: string;
                            prd: {
                                [key: string]: unknown;
                            };
                        };
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            409: components["responses"]["refused409"];
            413: components["responses"]["refused413"];
            415: components["responses"]["refused415"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "prd.restore": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                n: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Store an earlier version of a PRD as the newest. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        version: {
                            version: number;
                            /** @enum {string} */
                            author: "assistant" | "user" | "import";
                            turn: number | null;
                            ops: {
                                [key: string]: unknown;
                            }[];
                            lint: {
                                code: string;
                                path: string;
                                message: string;
                            }[];
                            /** Format: date-time */
                            at: string;
                            prd: {
                                [key: string]: unknown;
                            };
                        };
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            409: components["responses"]["refused409"];
            413: components["responses"]["refused413"];
            415: components["responses"]["refused415"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "prd.run": {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating a request with the same key creates no second task: the first answer is returned again. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    codebase_id?: string;
                    version?: number;
                    max_iterations?: number;
                    /** @enum {string} */
                    mode?: "sequential" | "parallel";
                    max_parallel?: number;
                    base?: string;
                    /** @enum {string} */
                    branch_policy?: "new" | "continue";
                    agent?: string | string[];
                    model?: string;
                    verifier?: {
                        agent?: string;
                        model?: string;
                    };
                    gates?: {
                        [key: string]: unknown;
                    }[];
                    setup?: string[];
                    copy?: string[];
                    /** @enum {string} */
                    baseline?: "ask" | "require" | "ignore";
                    /** @enum {string} */
                    unverifiable?: "ask" | "accept" | "fail";
                    strict?: boolean;
                    budget?: {
                        usd?: number;
                        tokens?: number;
                        seconds?: number;
                        iterations?: number;
                    };
                    iteration_timeout_seconds?: number;
                    merge?: {
                        into: string;
                    };
                    /** @default 0 */
                    priority?: number;
                    /** Format: uri */
                    webhook_url?: string;
                    conversation_id?: string;
                };
            };
        };
        responses: {
            /** @description Start an autonomous run from a version of a PRD. */
            201: {
                headers: {
                    /** @description true when the task was created by an earlier request. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** Format: uuid */
                        run_id: string;
                        /** @constant */
                        status: "pending";
                        /** @constant */
                        current_iteration: 0;
                        max_iterations: number;
                        message: string;
                        warnings: {
                            code: string;
                            path?: string;
                            message: string;
                        }[];
                        run: {
                            /** Format: uuid */
                            run_id: string;
                            /** @enum {string} */
                            status: "pending" | "running" | "paused" | "needs_input" | "completed" | "failed" | "cancelled";
                            current_iteration: number;
                            max_iterations: number;
                            story_results: {
                                story_id: string;
                                /** @enum {string} */
                                status: "pending" | "running" | "passed" | "failed";
                                result: string;
                                title: string;
                                phase: ("implementing" | "checking" | "judging" | "landing" | "resolving" | "diagnosing" | "asking" | "waiting") | null;
                                iteration: number;
                                commit: string | null;
                                criteria: {
                                    index: number;
                                    text: string;
                                    /** @enum {string} */
                                    status: "passed" | "failed" | "unverified" | "pending";
                                    by: ("gate" | "check" | "judge" | "human") | null;
                                    command?: string;
                                    /** @enum {string} */
                                    before?: "failed" | "passed" | "unknown";
                                    exit_code?: number | null;
                                    seconds?: number;
                                    counts?: {
                                        passed: number;
                                        failed: number;
                                        skipped: number;
                                    };
                                    vacuous?: boolean;
                                    flaky?: boolean;
                                    commit?: string;
                                    /** Format: uuid */
                                    task_id?: string;
                                    tail?: string;
                                }[];
                                queue_position?: number;
                                waiting_reason?: string;
                                last_output?: {
                                    /** Format: date-time */
                                    at: string;
                                    text: string;
                                };
                            }[];
                            project: string;
                            branch_name: string;
                            description: string;
                            codebase_id: string;
                            /** @enum {string} */
                            mode: "sequential" | "parallel";
                            max_parallel: number;
                            base_commit: string | null;
                            head_commit: string | null;
                            stories: {
                                total: number;
                                pending: number;
                                running: number;
                                passed: number;
                                failed: number;
                            };
                            questions: {
                                /** Format: uuid */
                                question_id: string;
                                /** @enum {string} */
                                kind: "baseline_red" | "infra" | "agent_setup" | "approve_tests" | "unverifiable" | "blocked" | "stuck" | "conflict" | "budget" | "unpriced" | "branch_moved" | "agent";
                                story_id: string | null;
                                text: string;
                                options: string[];
                                data: {
                                    [key: string]: unknown;
                                };
                                /** Format: date-time */
                                asked_at: string;
                                expires: null;
                            }[];
                            gates: {
                                id: string;
                                command: string;
                                script: string | null;
                                /** @enum {string} */
                                source: "declared" | "detected";
                                required: boolean;
                                timeout_seconds: number | null;
                                network: boolean | null;
                                baseline: {
                                    passed: boolean;
                                    exit_code: number | null;
                                    seconds: number;
                                } | null;
                            }[];
                            budget: {
                                usd: number | null;
                                tokens: number | null;
                                seconds: number | null;
                                iterations: number | null;
                            };
                            spent: {
                                usd: number | null;
                                tokens: number;
                                seconds: number;
                                iterations: number;
                                unpriced_steps: number;
                            };
                            warnings: {
                                code: string;
                                path?: string;
                                message: string;
                            }[];
                            waiting_reason?: string;
                            error: {
                                code: string;
                                message: string;
                            } | null;
                            retry_of: string | null;
                            prd_session_id: string | null;
                            conversation_id: string | null;
                            created_by: string;
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            updated_at: string;
                            started_at: string | null;
                            completed_at: string | null;
                        };
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            409: components["responses"]["refused409"];
            413: components["responses"]["refused413"];
            415: components["responses"]["refused415"];
            422: components["responses"]["refused422"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "a2a.card": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Get the agent card. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        protocolVersion: string;
                        name: string;
                        description: string;
                        /** Format: uri */
                        url: string;
                        /** @constant */
                        preferredTransport: "JSONRPC";
                        additionalInterfaces: {
                            /** Format: uri */
                            url: string;
                            /** @enum {string} */
                            transport: "JSONRPC" | "HTTP+JSON";
                        }[];
                        version: string;
                        capabilities: {
                            streaming: boolean;
                            pushNotifications: boolean;
                            stateTransitionHistory: boolean;
                        };
                        defaultInputModes: string[];
                        defaultOutputModes: string[];
                        skills: {
                            id: string;
                            name: string;
                            description: string;
                            tags: string[];
                            examples?: string[];
                        }[];
                        securitySchemes: {
                            [key: string]: {
                                type: string;
                            };
                        };
                        security: {
                            [key: string]: string[];
                        }[];
                        supportsAuthenticatedExtendedCard: boolean;
                    } | {
                        name: string;
                        description: string;
                        version: string;
                        supportedInterfaces: {
                            /** Format: uri */
                            url: string;
                            /** @enum {string} */
                            protocolBinding: "JSONRPC" | "HTTP+JSON";
                            protocolVersion: string;
                        }[];
                        capabilities: {
                            streaming: boolean;
                            pushNotifications: boolean;
                            extendedAgentCard: boolean;
                        };
                        defaultInputModes: string[];
                        defaultOutputModes: string[];
                        skills: {
                            id: string;
                            name: string;
                            description: string;
                            tags: string[];
                        }[];
                        securityRequirements: {
                            schemes: {
                                [key: string]: unknown;
                            };
                        }[];
                    };
                };
            };
            /** @description Get the agent card. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": null;
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: number;
                        message: string;
                        data?: unknown;
                    } | {
                        error: {
                            code: number;
                            status: string;
                            message: string;
                            details: {
                                [key: string]: unknown;
                            }[];
                        };
                    };
                };
            };
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: number;
                        message: string;
                        data?: unknown;
                    } | {
                        error: {
                            code: number;
                            status: string;
                            message: string;
                            details: {
                                [key: string]: unknown;
                            }[];
                        };
                    };
                };
            };
            429: components["responses"]["refused429"];
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: number;
                        message: string;
                        data?: unknown;
                    } | {
                        error: {
                            code: number;
                            status: string;
                            message: string;
                            details: {
                                [key: string]: unknown;
                            }[];
                        };
                    };
                };
            };
            503: components["responses"]["refused503"];
        };
    };
    "a2a.card_older": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Get the agent card. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        protocolVersion: string;
                        name: string;
                        description: string;
                        /** Format: uri */
                        url: string;
                        /** @constant */
                        preferredTransport: "JSONRPC";
                        additionalInterfaces: {
                            /** Format: uri */
                            url: string;
                            /** @enum {string} */
                            transport: "JSONRPC" | "HTTP+JSON";
                        }[];
                        version: string;
                        capabilities: {
                            streaming: boolean;
                            pushNotifications: boolean;
                            stateTransitionHistory: boolean;
                        };
                        defaultInputModes: string[];
                        defaultOutputModes: string[];
                        skills: {
                            id: string;
                            name: string;
                            description: string;
                            tags: string[];
                            examples?: string[];
                        }[];
                        securitySchemes: {
                            [key: string]: {
                                type: string;
                            };
                        };
                        security: {
                            [key: string]: string[];
                        }[];
                        supportsAuthenticatedExtendedCard: boolean;
                    } | {
                        name: string;
                        description: string;
                        version: string;
                        supportedInterfaces: {
                            /** Format: uri */
                            url: string;
                            /** @enum {string} */
                            protocolBinding: "JSONRPC" | "HTTP+JSON";
                            protocolVersion: string;
                        }[];
                        capabilities: {
                            streaming: boolean;
                            pushNotifications: boolean;
                            extendedAgentCard: boolean;
                        };
                        defaultInputModes: string[];
                        defaultOutputModes: string[];
                        skills: {
                            id: string;
                            name: string;
                            description: string;
                            tags: string[];
                        }[];
                        securityRequirements: {
                            schemes: {
                                [key: string]: unknown;
                            };
                        }[];
                    };
                };
            };
            /** @description Get the agent card. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": null;
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: number;
                        message: string;
                        data?: unknown;
                    } | {
                        error: {
                            code: number;
                            status: string;
                            message: string;
                            details: {
                                [key: string]: unknown;
                            }[];
                        };
                    };
                };
            };
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: number;
                        message: string;
                        data?: unknown;
                    } | {
                        error: {
                            code: number;
                            status: string;
                            message: string;
                            details: {
                                [key: string]: unknown;
                            }[];
                        };
                    };
                };
            };
            429: components["responses"]["refused429"];
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: number;
                        message: string;
                        data?: unknown;
                    } | {
                        error: {
                            code: number;
                            status: string;
                            message: string;
                            details: {
                                [key: string]: unknown;
                            }[];
                        };
                    };
                };
            };
            503: components["responses"]["refused503"];
        };
    };
    "mcp.list_tools": {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                toolset?: string;
                read_only?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the tools that the caller may use. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        tools: ({
                            name: string;
                        } & {
                            [key: string]: unknown;
                        })[];
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "mcp.list_tools_2": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @default 200 */
                    limit?: number;
                    cursor?: string;
                    toolset?: string;
                    /** @default false */
                    read_only?: boolean;
                };
            };
        };
        responses: {
            /** @description List the tools that the caller may use. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        tools: ({
                            name: string;
                        } & {
                            [key: string]: unknown;
                        })[];
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            409: components["responses"]["refused409"];
            413: components["responses"]["refused413"];
            415: components["responses"]["refused415"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "mcp.search_tools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    query: string;
                    category?: string;
                    detail?: string;
                    limit?: number;
                    cursor?: string;
                };
            };
        };
        responses: {
            /** @description Search tools by words, best first, like the tool search_tools. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        tools: ({
                            name: string;
                        } & {
                            [key: string]: unknown;
                        })[];
                        total: number;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            409: components["responses"]["refused409"];
            413: components["responses"]["refused413"];
            415: components["responses"]["refused415"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "mcp.tool_schema": {
        parameters: {
            query?: {
                name?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Get the schemas of all tools, or of one with ?name=. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description Get the schemas of all tools, or of one with ?name=. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": null;
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "mcp.call_tool": {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating a request with the same key creates no second task: the first answer is returned again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    /** @default {} */
                    arguments?: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            /** @description Call a tool; the result is the same as that of tools/call. */
            200: {
                headers: {
                    /** @description true when the task was created by an earlier request. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        content: ({
                            type: string;
                        } & {
                            [key: string]: unknown;
                        })[];
                        isError?: boolean;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            409: components["responses"]["refused409"];
            413: components["responses"]["refused413"];
            415: components["responses"]["refused415"];
            422: components["responses"]["refused422"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "mcp.resource_metadata": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Get the protected-resource metadata (RFC 9728). */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uri */
                        resource: string;
                        authorization_servers?: string[];
                        scopes_supported: string[];
                        bearer_methods_supported: string[];
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "mcp.resource_metadata_2": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Get the protected-resource metadata (RFC 9728). */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uri */
                        resource: string;
                        authorization_servers?: string[];
                        scopes_supported: string[];
                        bearer_methods_supported: string[];
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
    "docs.openapi": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Get the OpenAPI 3.1 document of this service. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            400: components["responses"]["refused400"];
            401: components["responses"]["refused401"];
            403: components["responses"]["refused403"];
            404: components["responses"]["refused404"];
            429: components["responses"]["refused429"];
            500: components["responses"]["refused500"];
            503: components["responses"]["refused503"];
        };
    };
}
