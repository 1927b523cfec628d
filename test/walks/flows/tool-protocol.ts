// Flows of tools-4.1 and tools-4.2: the tool protocol and its platform tools.
import { acrossReplicas, flows, type Flow } from './flow.ts';

export const toolProtocol: readonly Flow[] = [
  ...flows('tools-4.1', acrossReplicas, {
    'tools-transport': 'Tools are listed, searched, described and called on port 9000 and on the main port.',
    'tools-clients': 'The official clients of the protocol connect, list the tools and get a task done.',
  }),
  ...flows('tools-4.2', acrossReplicas, {
    'tools-tasks':
      'create_task, get_task, list_tasks and get_task_updates take a task from its creation to its result.',
    'tools-cancel': 'cancel_task cancels a running task.',
    'tools-no-codebase': 'A task of create_task without a codebase is not picked up by workers.',
    'tools-message': 'send_message asks an agent and has its answer; get_messages has the conversation.',
    'tools-message-async': 'send_message_async returns a task id at once.',
    'tools-named-agent': 'send_to_agent reaches the agent of that name and no other.',
    'tools-active-codebase': 'set_active_codebase sets the codebase of later calls; get_current_codebase answers it.',
    'tools-codebases': 'list_codebases has what workers registered.',
    'tools-agents': 'An agent registers, keeps itself visible, is discovered and described; the card is answered.',
    'tools-discovery': 'search_tools finds a tool, get_tool_schema answers its parameters.',
  }),
];
