// The task that is submitted to every implementation.

/** The body of the service's `POST /v1/agent/tasks`. */
export const taskBody = {
  title: 'Make the flaky upload test deterministic',
  prompt:
    'The test "uploads resume after a dropped connection" fails about once in forty runs. Find the race, make the ' +
    'test wait for what it means to wait for, keep the public interface as it is, and say in one paragraph what was wrong.',
  codebase_id: 'global',
  priority: 10,
  model: 'anthropic/claude-sonnet',
  metadata: { source: 'bench', ticket: 'UP-1184' },
} as const;

export const taskText = JSON.stringify(taskBody);
