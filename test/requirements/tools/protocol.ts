// Tools, marketing and runs, sections 1, 2.1, 4.1, 4.2, 5, 7 and its limits of tasks: the tool protocol server.
import { requirements, type Requirement } from '../requirement.ts';

export const toolsProtocol: readonly Requirement[] = [
  ...requirements('tools-1.1', 'tool-protocol', {
    'tools-1.1': 'The tool server exposes tasks, agent discovery, codebases and messaging as tools that models call.',
    'tools-1.1.2': 'There are 29 platform tools.',
  }),
  ...requirements('tools-1.1', 'runs', {
    'tools-1.1.3': 'The tool server exposes autonomous development runs and PRD chat as tools.',
  }),
  ...requirements('tools-2.1', 'tool-protocol', {
    'tools-2.1.1': 'POST /mcp/v1/rpc takes {jsonrpc: "2.0", id: integer or string, method, params}.',
    'tools-2.1.2': 'The method tools/list takes empty params.',
    'tools-2.1.3': 'The method tools/call takes params.name (string) and params.arguments (object).',
    'tools-2.1.4': 'The result of a tool call is in result.',
  }),
  ...requirements('tools-4.1', 'tool-protocol', {
    'tools-4.1.1': 'POST /mcp/v1/rpc is on port 9000, and on the main host when exposed there.',
    'tools-4.1.2': 'POST and GET /mcp/tools/list list the tools.',
    'tools-4.1.3': 'POST /mcp/tools/search takes {query: string}.',
    'tools-4.1.4': 'POST /mcp/tools/call takes {name: string, arguments: object}.',
    'tools-4.1.5': 'GET /mcp/tools/schema answers the schema of tools.',
    'tools-4.1.6': 'The tools search_tools and get_tool_schema give the same discovery through the RPC endpoint.',
  }),
  ...requirements('tools-4.2', 'tool-protocol', {
    'tools-4.2.1': 'Tool send_message: send a message to an agent.',
    'tools-4.2.2': 'Tool send_message_async: send a message without waiting; returns a task id.',
    'tools-4.2.3': 'Tool send_to_agent: send to a named agent.',
    'tools-4.2.4': 'Tool get_messages: the history of a conversation.',
    'tools-4.2.5': 'Tool create_task: create a task.',
    'tools-4.2.6': 'Tool get_task: status of a task by id.',
    'tools-4.2.7': 'Tool list_tasks: list tasks, with an optional status filter.',
    'tools-4.2.8': 'Tool cancel_task: cancel a pending or running task.',
    'tools-4.2.9': 'Tool get_task_updates: poll for changes of tasks.',
    'tools-4.2.10': 'Tool discover_agents: list registered worker agents.',
    'tools-4.2.11': 'Tool get_agent: details of one agent.',
    'tools-4.2.12': 'Tool register_agent: register as a worker.',
    'tools-4.2.13': 'Tool refresh_agent_heartbeat: keep the agent visible.',
    'tools-4.2.14': 'Tool get_agent_card: the agent card of the server.',
    'tools-4.2.15': 'Tool list_codebases: list codebases.',
    'tools-4.2.16': 'Tool set_active_codebase: codebase_id becomes the default codebase of later calls.',
    'tools-4.2.17': 'Tool get_current_codebase: the active codebase.',
    'tools-4.2.18': 'Tool search_tools: search the tools.',
    'tools-4.2.19': 'Tool get_tool_schema: the parameter schema of a tool.',
  }),
  ...requirements('tools-4.2', 'runs', {
    'tools-4.2.20': 'Tool ralph_create_run: start an autonomous run.',
    'tools-4.2.21': 'Tool ralph_get_run: status of a run.',
    'tools-4.2.22': 'Tool ralph_list_runs: list runs.',
    'tools-4.2.23': 'Tool ralph_cancel_run: cancel a run.',
    'tools-4.2.24': 'Tool prd_chat: assisted chat about a PRD.',
    'tools-4.2.25': 'Tool prd_list_sessions: list the sessions of PRD chat.',
  }),
  ...requirements('tools-4.2', 'tool-protocol', {
    'tools-4.2.26': 'create_task takes title, string, required.',
    'tools-4.2.27': 'create_task takes description, string, optional.',
    'tools-4.2.28': 'create_task takes an optional codebase_id; a task without one is not picked up by workers.',
    'tools-4.2.29': 'create_task takes an optional agent_type: build, plan, general, explore.',
    'tools-4.2.30': 'create_task takes an optional priority, integer; higher is more urgent.',
  }),
  ...requirements('tools-5', 'tool-protocol', {
    'tools-5.1': 'POST /mcp/v1/rpc needs the permission mcp:write.',
    'tools-5.2': 'Bearer authentication applies to every endpoint of the tool server except /health.',
  }),
  ...requirements('tools-7', 'foundation', {
    'tools-7.1': 'A task created without codebase_id is not picked up by workers.',
  }),
  ...requirements('tools-8', 'tool-protocol', {
    'tools-8.9': 'Tasks of the tool create_task are ordered by priority: higher is more urgent.',
  }),
];
